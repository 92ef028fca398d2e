import { GUIDES, guidePath } from '#app/_features/guides/guides.ts';
import { ANSWER_HEADERS, ERROR_GUIDE } from '#server/rest/error-guide.ts';
import { EVENT_EXAMPLE, EVENT_MEANINGS } from '#server/rest/reference/events.ts';
import type { Field } from '#server/rest/reference/fields.ts';
import type { ReferenceOperation } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { requestSample } from '#server/rest/reference/request-samples.ts';
import { settings } from '#server/settings.ts';
import { reference as texts } from './words.ts';

export const markdownAnswer = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } });

/** The whole reference as Markdown. */
export function referenceMarkdown(): string {
  const { groups, requestHeaders } = currentReference();
  const { sections } = texts;
  return lines([
    `# ${texts.title}`,
    texts.lead,
    `## ${sections.authentication}`,
    bullets(texts.authentication),
    ...groups.flatMap(({ name, operations }) => [`## ${name}`, ...operations.map(operationMarkdown)]),
    `## ${sections.errors}`,
    texts.errors.lead,
    bullets(
      ERROR_GUIDE.map(({ status, codes, meaning, next }) => {
        const head = [status === 'none' ? 'No response' : status, ...codes].join(' ');
        return `**${head}**: ${meaning} ${next}`;
      }),
    ),
    `## ${sections['request-headers']}`,
    bullets(requestHeaders.map(({ name, description }) => `\`${name}\`: ${description ?? ''}`)),
    `## ${sections.headers}`,
    bullets(Object.entries(ANSWER_HEADERS).map(([name, meaning]) => `\`${name}\`: ${meaning}`)),
    `## ${sections.events}`,
    texts.eventsLead,
    bullets(Object.entries(EVENT_MEANINGS).map(([type, meaning]) => `\`${type}\`: ${meaning}`)),
    json(EVENT_EXAMPLE),
  ]);
}

/** The list of pages for assistants, each as Markdown. */
export function llmsText(): string {
  const origin = settings.publicUrl;
  return lines([
    '# Wirebird',
    `> ${texts.lead}`,
    'The API is plain REST with JSON. After a response with X-Send-Outcome: unknown, never send the message again automatically: a person looks first whether it is in the chat.',
    `## ${texts.reference}`,
    bullets([
      `[${texts.title}](${origin}/docs.md): every endpoint, header, error code and event`,
      `[${texts.document}](${origin}/v1/openapi.json): the same for programs`,
      `[${texts.postman}](${origin}/docs/wirebird.postman_collection.json)`,
      `[${texts.bruno}](${origin}/docs/wirebird-bruno.zip)`,
    ]),
    `## ${texts.guides}`,
    bullets(GUIDES.map(({ slug, title, lead }) => `[${title}](${origin}${guidePath(slug)}.md): ${lead}`)),
  ]);
}

function operationMarkdown(operation: ReferenceOperation): string {
  const { method, path, title, description, headers, answers } = operation;
  const success = answers.find(({ status }) => status === 200);
  return lines([
    `### ${title}`,
    `\`${method} /v1${path}\``,
    description,
    fieldsMarkdown(texts.inPath, operation.pathFields),
    fieldsMarkdown(texts.query, operation.query),
    fieldsMarkdown(texts.body, operation.body),
    headers.length === 0 ? '' : `${texts.headers}: ${headers.map((name) => `\`${name}\``).join(', ')}`,
    `\`\`\`sh\n${requestSample('curl', `${settings.publicUrl}/v1`, operation.request)}\n\`\`\``,
    success ? `${texts.answer} 200:\n\n${json(success.example)}` : '',
    fieldsMarkdown(texts.data, operation.data),
    `${texts.answers}: ${answers.map(({ status }) => status).join(', ')}`,
  ]);
}

const lines = (parts: string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`.trimEnd();
const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function fieldsMarkdown(title: string, fields: readonly Field[], indent = ''): string {
  if (fields.length === 0) return '';
  const items = fields.map(({ name, type, required, limits, description, values, fields: within }) => {
    const facts = [type, limits, required ? texts.required : null].filter(Boolean).join(', ');
    const one = values.length > 1 ? ` One of: ${values.join(', ')}.` : '';
    const below = fieldsMarkdown('', within, `${indent}  `);
    return `${indent}- \`${name}\` (${facts})${description ? `: ${description}` : ''}${one}${below && `\n${below}`}`;
  });
  return [title && `${title}:\n`, ...items].filter(Boolean).join('\n');
}
