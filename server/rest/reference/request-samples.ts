import type { ExampleRequest } from './operations.ts';

export const SAMPLE_LANGUAGES = ['curl', 'TypeScript', 'Python', 'PHP'] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/** A short program that makes one request and prints what was answered. It reads the key from `WIREBIRD_KEY`. */
export function requestSample(language: SampleLanguage, base: string, request: ExampleRequest): string {
  const url = `${base}${request.path}`;
  const origin = base.replace(/\/v1$/, '');
  const headers = Object.entries({
    ...(request.body && { 'Content-Type': 'application/json' }),
    ...request.headers,
  });
  return WRITERS[language]({ ...request, url, origin, headers: headers as [string, string][] });
}

type Written = Omit<ExampleRequest, 'headers'> & {
  url: string;
  /** The installation's address, without `/v1`. */
  origin: string;
  headers: [string, string][];
};

const WRITERS: Record<SampleLanguage, (request: Written) => string> = {
  curl: ({ method, url, headers, body }) =>
    [
      `curl -X ${method} "${url}"`,
      '-H "Authorization: Bearer $WIREBIRD_KEY"',
      ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
      ...(body
        ? [`-d '${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ').replaceAll("'", "'\\''")}'`]
        : []),
    ].join(' \\\n  '),

  TypeScript: (request) => `// Install the client from Wirebird's repository: see clients/typescript/README.md
import { Wirebird } from "wirebird";

const wb = new Wirebird({ apiKey: process.env.WIREBIRD_KEY, baseUrl: "${request.origin}" });
${sdkCall(request)}`,

  Python: (request) => `# In Wirebird's repository: pip install ./clients/python
import os
from wirebird import Wirebird

wb = Wirebird(
    api_key=os.environ["WIREBIRD_KEY"],
    base_url="${request.origin}",
)
${pythonCall(request)}`,

  PHP: ({ method, url, headers, body }) => `<?php
$context = stream_context_create(["http" => [
    "method" => "${method}",
    "header" => [
        "Authorization: Bearer " . getenv("WIREBIRD_KEY"),
${headers.map(([name, value]) => `        "${name}: ${value}",\n`).join('')}    ],
${body ? `    "content" => json_encode(${literal(body, PHP, '    ')}),\n` : ''}    "ignore_errors" => true,
]]);
$answer = json_decode(file_get_contents("${url}", false, $context), true);
print_r($answer["data"] ?? $answer["error"]);`,
};

/** The call of the TypeScript client (`clients/typescript`) that makes this request. */
function sdkCall(request: Written): string {
  const { operation, path, body, headers } = request;
  const [, , id] = path.split('/');
  const written = body ? literal(body, TYPESCRIPT, '') : '';
  const key = headers.find(([name]) => name === 'Idempotency-Key')?.[1];
  const print = (call: string) => `const answer = await wb.${call};\nconsole.log(answer);`;
  switch (operation) {
    case 'getStatus':
      return print('status()');
    case 'getNumber':
      return print('number.get()');
    case 'checkRecipients':
      return print(`recipients.check(${JSON.stringify(body?.to)})`);
    case 'listMessages': {
      const query = [...new URLSearchParams(path.split('?')[1])];
      const filter = Object.fromEntries(query.map(([name, value]) => [name, Number(value) || value]));
      const found = `wb.messages.list(${literal(filter, TYPESCRIPT, '')})`;
      // Says so where there are none.
      return `let count = 0;\nfor await (const message of ${found}) {\n  console.log(message);\n  count += 1;\n}\nconsole.log(count, "messages");`;
    }
    case 'getMessage':
      return print(`messages.get("${id}")`);
    case 'cancelMessage':
      return print(`messages.cancel("${id}")`);
    case 'createWebhook':
      return print(`webhooks.create(${written})`);
    case 'listWebhooks':
      return print('webhooks.list()');
    case 'changeWebhook':
      return print(`webhooks.update("${id}", ${written})`);
    case 'deleteWebhook':
      return `await wb.webhooks.delete("${id}");\nconsole.log("deleted");`;
    case 'rotateWebhook':
      return print(`webhooks.rotate("${id}")`);
    case 'testWebhook':
      return print(`webhooks.test("${id}")`);
    case 'replayWebhook':
      return print(`webhooks.replay("${id}", "${body?.since}")`);
    default:
      return print(`messages.${operation}(${written}, { idempotencyKey: "${key}" })`);
  }
}

/** Where the Python client has the endpoints that do not send. */
const PYTHON_METHODS: Record<string, string> = {
  getMessage: 'messages.get',
  listMessages: 'messages.list',
  cancelMessage: 'messages.cancel',
  checkRecipients: 'recipients.check',
  getNumber: 'number.get',
  getStatus: 'status',
  createWebhook: 'webhooks.create',
  listWebhooks: 'webhooks.list',
  changeWebhook: 'webhooks.update',
  deleteWebhook: 'webhooks.delete',
  rotateWebhook: 'webhooks.rotate',
  testWebhook: 'webhooks.test',
  replayWebhook: 'webhooks.replay',
};

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function pythonCall({ operation, path, headers, body }: Written): string {
  const [segments = '', search = ''] = path.split('?');
  const id = /\/(\w+_\w+)/.exec(segments)?.[1];
  const named: [string, unknown][] = [
    ...Object.entries(body ?? {}),
    ...[...new URLSearchParams(search)].map(([name, value]): [string, unknown] => [
      name,
      /^\d+$/.test(value) ? Number(value) : value,
    ]),
    ...headers
      .filter(([name]) => name === 'Idempotency-Key')
      .map(([, value]): [string, unknown] => ['idempotencyKey', value]),
  ];
  const given = [
    ...(id ? [JSON.stringify(id)] : []),
    ...named.map(([name, value]) => `${snake(name)}=${literal(value, PYTHON, '    ')}`),
  ];
  const values = given.length > 1 ? `\n${given.map((one) => `    ${one},\n`).join('')}` : given.join('');
  const call = `wb.${PYTHON_METHODS[operation] ?? `messages.${snake(operation)}`}(${values})`;
  if (operation === 'listMessages')
    return `count = 0\nfor message in ${call}:\n    print(message)\n    count += 1\nprint(count, "messages")`;
  return operation === 'deleteWebhook' ? call : `print(${call})`;
}

interface Notation {
  object: [open: string, arrow: string, close: string];
  true: string;
  string: (text: string) => string;
  /** How a field's name is written; quoted by default. */
  name?: (name: string) => string;
  /** The indent of a field. */
  step?: string;
}
const JS: Notation = { object: ['{', ': ', '}'], true: 'true', string: (text) => JSON.stringify(text) };
const TYPESCRIPT: Notation = { ...JS, name: (name) => name, step: '  ' };
const PYTHON: Notation = { ...JS, true: 'True' };
const PHP: Notation = {
  object: ['[', ' => ', ']'],
  true: 'true',
  string: (text) => JSON.stringify(text).replaceAll('$', '\\$'),
};

/** A JSON value in a language's own notation. Example bodies have no null and no `false`. */
function literal(value: unknown, notation: Notation, indent: string): string {
  if (value === true) return notation.true;
  if (typeof value === 'string') return notation.string(value);
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, notation, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, arrow, close] = notation.object;
  const within = `${indent}${notation.step ?? (indent.length % 4 === 0 ? '    ' : '  ')}`;
  const lines = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(
      ([name, one]) =>
        `${within}${(notation.name ?? JSON.stringify)(name)}${arrow}${literal(one, notation, within)},\n`,
    );
  return `${open}\n${lines.join('')}${indent}${close}`;
}

/** The sample with a key in the place where it reads one. */
export function withKey(language: SampleLanguage, sample: string, key: string): string {
  const [read, written] = KEY_READERS[language];
  return sample.replaceAll(read, written(key));
}

const KEY_READERS: Record<SampleLanguage, [read: string, written: (key: string) => string]> = {
  curl: ['$WIREBIRD_KEY', (key) => key],
  TypeScript: ['process.env.WIREBIRD_KEY', (key) => `"${key}"`],
  Python: ['os.environ["WIREBIRD_KEY"]', (key) => `"${key}"`],
  PHP: ['Bearer " . getenv("WIREBIRD_KEY")', (key) => `Bearer ${key}"`],
};
