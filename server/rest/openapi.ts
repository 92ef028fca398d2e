import { generateOpenApiDocument, type OpenAPIObject } from 'trpc-openapi';
import { EXAMPLE_TO, exampleRequest, type SampleFiles } from '#server/core/examples.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { settings } from '#server/settings.ts';
import { ErrorAnswer, ProblemAnswer } from './envelope.ts';
import { answerComponents, errorRefs, headerRefs, READ_ERRORS, SEND_ERRORS } from './openapi-answers.ts';
import { sendPath } from './procedures/send-message.ts';
import { restRouter } from './router.ts';
import { documentedWebhooks, WebhookEvent } from './webhook-events.ts';

type Operation = NonNullable<NonNullable<OpenAPIObject['paths']>[string]['post']>;

const DESCRIPTION = `Sends WhatsApp messages from a number that is linked to your account.

Every request needs an API key, which belongs to one number: the sender. Give it as \`Authorization: Bearer <key>\`, as the header \`x-api-key\`, or as \`token\` in a JSON body. Keep it on your server, never in a browser or an app.

Every response is \`{"success": true, "data": …}\` or \`{"success": false, "error": "…"}\`. A send without \`Prefer\` gets its response within 55 seconds, as soon as WhatsApp’s server has confirmed the message. Set your client’s timeout to at least 60 seconds.`;

const TAGS = {
  Messages: 'Send messages, read what became of them, and cancel those that wait.',
  Number: 'The state of the key’s number, and who is on WhatsApp.',
  Webhooks: 'Endpoints that Wirebird posts events to.',
};

let written: { files: SampleFiles; json: Buffer } | undefined;

/** The document as JSON, cached until the addresses of the example files change. */
export function openApiJson(): Buffer {
  const files = sampleFiles();
  if (!written || written.files.image !== files.image) {
    written = { files, json: Buffer.from(JSON.stringify(openApiDocument(files))) };
  }
  return written.json;
}

/** The OpenAPI 3.1 document of the customers' API. */
export function openApiDocument(files: SampleFiles): OpenAPIObject {
  const document = generateOpenApiDocument(restRouter, {
    title: 'Wirebird API',
    description: DESCRIPTION,
    version: '1.0.0',
    baseUrl: `${settings.publicUrl}/v1`,
    openApiVersion: '3.1.0',
    defs: { Error: ErrorAnswer, Problem: ProblemAnswer, WebhookEvent },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The API key.' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The API key.' },
    },
  });
  for (const type of MESSAGE_TYPES) {
    const operation = document.paths?.[sendPath(type)]?.post;
    if (operation) describeSend(operation, type, exampleRequest(type, files));
  }
  const sendPaths = new Set<string>(MESSAGE_TYPES.map(sendPath));
  for (const [path, { get, post, patch, delete: remove }] of Object.entries(document.paths ?? {})) {
    if (sendPaths.has(path)) continue;
    for (const operation of [get, post, patch, remove]) if (operation) describeOther(path, operation);
  }
  document.info.license = { name: 'MIT', identifier: 'MIT' };
  document.tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const { responses, headers } = answerComponents();
  document.components = { ...document.components, responses, headers };
  document.webhooks = documentedWebhooks;
  return document;
}

/** Replaces trpc-openapi's own error schemas by ours. */
function describeSend(operation: Operation, type: MessageType, example: { to: string }): void {
  const answer = (status: string) => ({
    success: true,
    data: { id: 'msg_01kam2x8q0v3h7t5n9c4w6r1e2', to: `${example.to}@c.us`, type, status },
  });
  // The key may be in the body instead of a header, which OpenAPI can only express as "none".
  operation.security = [...(operation.security ?? []), {}];
  if (operation.requestBody && 'content' in operation.requestBody) {
    operation.requestBody.content = {
      'application/json': { ...operation.requestBody.content['application/json'], example },
    };
  }
  const schema = { $ref: '#/components/schemas/SendAnswer' };
  const rate = ['RateLimit', 'RateLimit-Policy', 'X-Message-Id', 'Idempotency-Replayed'] as const;
  operation.responses = {
    200: {
      description:
        'WhatsApp’s server has accepted the message: `status` is `sent`. After a dry run it is `valid`.',
      headers: headerRefs([...rate, 'X-Estimated-Wait', 'X-Waited']),
      content: { 'application/json': { schema, example: answer('sent') } },
    },
    202: {
      description:
        'Accepted, not confirmed as sent yet: `status` is `queued`. Only if the request had `Prefer` or `X-Send-At`.',
      headers: headerRefs([...rate, 'X-Estimated-Send-At']),
      content: { 'application/json': { schema, example: answer('queued') } },
    },
    ...errorRefs(SEND_ERRORS),
  };
}

/** Bodies of the other endpoints that can be posted as they are. */
const BODY_EXAMPLES: Record<string, object> = {
  checkRecipients: { to: [EXAMPLE_TO] },
  createWebhook: { url: 'https://example.com/wirebird', events: ['message.delivered', 'message.failed'] },
  changeWebhook: { active: true },
  replayWebhook: { since: '2026-03-01T08:00:00Z' },
};

function describeOther(path: string, operation: Operation): void {
  const example = BODY_EXAMPLES[operation.operationId ?? ''];
  if (example && operation.requestBody && 'content' in operation.requestBody)
    operation.requestBody.content = {
      'application/json': { ...operation.requestBody.content['application/json'], example },
    };
  const success = operation.responses?.['200'];
  const rate = ['RateLimit', 'RateLimit-Policy'] as const;
  const cancels = path.endsWith('/cancel');
  const asksTheNumber = path === '/recipients/check';
  operation.responses = {
    200: { ...success, headers: headerRefs(cancels ? [...rate, 'X-Message-Id'] : rate) },
    ...errorRefs([
      ...READ_ERRORS,
      ...(cancels || asksTheNumber ? ([409] as const) : []),
      ...(operation.requestBody ? ([413] as const) : []),
    ]),
  };
}
