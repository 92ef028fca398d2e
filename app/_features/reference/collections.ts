import { strToU8, zipSync } from 'fflate';
import type { ReferenceOperation } from '#server/rest/reference/operations.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { settings } from '#server/settings.ts';
import { reference as texts } from './words.ts';

/** The variables of both collections. The key is empty: the reader enters it. */
const variables = () => ({ baseUrl: `${settings.publicUrl}/v1`, apiKey: '', messageId: '', webhookId: '' });

const NAME = 'Wirebird API';

/** A request as both programs take it: `{{variables}}` in place of examples. */
function requestOf({ path, request }: ReferenceOperation) {
  const id = path.startsWith('/webhooks') ? '{{webhookId}}' : '{{messageId}}';
  return {
    path: path.replace('{id}', id),
    query: [...new URLSearchParams(request.path.split('?')[1])],
    // A different message each time: a fixed key would give the first answer again.
    headers: Object.keys(request.headers).map((name) => [name, '{{$guid}}'] as const),
    body: request.body && JSON.stringify(request.body, null, 2),
  };
}

/** The API as a Postman collection, version 2.1. */
export function postmanCollection(): object {
  return {
    info: {
      name: NAME,
      description: texts.lead,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: Object.entries(variables()).map(([key, value]) => ({ key, value })),
    item: currentReference().groups.map(({ name, operations }) => ({
      name,
      item: operations.map(postmanItem),
    })),
  };
}

function postmanItem(operation: ReferenceOperation) {
  const { path, query, headers, body } = requestOf(operation);
  const header = [
    ...headers.map(([key, value]) => ({ key, value })),
    ...(body ? [{ key: 'Content-Type', value: 'application/json' }] : []),
  ];
  return {
    name: operation.title,
    request: {
      method: operation.method,
      description: operation.description,
      header,
      url: {
        raw: `{{baseUrl}}${path}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        query: query.map(([key, value]) => ({ key, value })),
      },
      ...(body && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

/** The API as a Bruno collection: a zip archive of a folder. */
export function brunoArchive(): Uint8Array {
  const { apiKey, ...others } = variables();
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify({ version: '1', name: NAME, type: 'collection' }, null, 2)}\n`,
    'collection.bru': blocks({ auth: ['mode: bearer'], 'auth:bearer': ['token: {{apiKey}}'] }),
    'environments/Wirebird.bru': `${blocks({
      vars: Object.entries(others).map(([name, value]) => `${name}: ${value}`),
    })}vars:secret [\n  ${Object.keys({ apiKey })}\n]\n`,
  };
  for (const { name, operations } of currentReference().groups)
    for (const [at, operation] of operations.entries())
      files[`${name}/${operation.title}.bru`] = brunoRequest(operation, at + 1);
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`wirebird/${name}`, strToU8(text)])),
  );
}

function brunoRequest(operation: ReferenceOperation, seq: number): string {
  const { path, query, headers, body } = requestOf(operation);
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  return blocks({
    meta: [`name: ${operation.title}`, 'type: http', `seq: ${seq}`],
    [operation.method.toLowerCase()]: [
      `url: {{baseUrl}}${path}${search}`,
      `body: ${body ? 'json' : 'none'}`,
      'auth: inherit',
    ],
    'params:query': query.map(([name, value]) => `${name}: ${value}`),
    headers: headers.map(([name, value]) => `${name}: ${value}`),
    'body:json': body?.split('\n') ?? [],
    docs: [operation.description],
  });
}

/** Blocks in Bruno's own notation; those without lines are left out. */
function blocks(all: Record<string, string[]>): string {
  return Object.entries(all)
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n\n`)
    .join('');
}
