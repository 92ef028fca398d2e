import { randomUUID } from 'node:crypto';
import { bruToJsonV2 } from '@usebruno/lang';
import { strFromU8, unzipSync } from 'fflate';
import { Collection } from 'postman-collection';
import { afterEach, expect, inject, test } from 'vitest';
import { brunoArchive, postmanCollection } from '#app/_features/reference/collections.ts';
import { PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { currentReference } from '#server/rest/reference/reference.ts';
import { shareOf } from './testing/shares.ts';

interface CollectionRequest {
  title: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const { baseUrl, control } = inject('product');
const [number] = shareOf('collections');
const apiKey = number?.key ?? '';
const operations = currentReference().groups.flatMap((group) => group.operations);

/** A reader enters addresses of files that their installation can reach. */
const FILES = [
  [PLACEHOLDER_FILES.image, 'photo.jpg'],
  [PLACEHOLDER_FILES.document, 'offer.pdf'],
  [PLACEHOLDER_FILES.audio, 'birdsong.mp3'],
] as const;
const withFiles = (body: string) =>
  FILES.reduce((text, [example, name]) => text.replace(example, `${control}/files/${name}`), body);

/** On a busy machine the server may close an idle connection just before the next request. */
const CLOSE = { connection: 'close' };

async function call(method: string, path: string, body?: object, headers = {}): Promise<{ id: string }> {
  const answer = await fetch(`${baseUrl}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...CLOSE, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()).data;
}

const endpoints: string[] = [];
// A number has at most ten endpoints.
afterEach(() => Promise.all(endpoints.splice(0).map((id) => call('DELETE', `/webhooks/${id}`))));

/** What a reader enters for `{{variables}}`: IDs of a message that still waits, and of an endpoint. */
const VALUES: Record<string, () => string | Promise<string>> = {
  baseUrl: () => `${baseUrl}/v1`,
  apiKey: () => apiKey,
  // A dynamic variable of both programs.
  $guid: () => randomUUID(),
  messageId: async () => {
    const headers = { 'X-Send-At': new Date(Date.now() + 3_600_000).toISOString() };
    return (await call('POST', '/messages/text', { to: '4915228817386', body: 'Later' }, headers)).id;
  },
  webhookId: async () => {
    const { id } = await call('POST', '/webhooks', { url: 'https://example.com/hook' });
    endpoints.push(id);
    return id;
  },
};

/** A text with its variables replaced. */
async function filled(text: string): Promise<string> {
  const [before, name, after] = text.split(/\{\{(\$?\w+)\}\}(.*)/s);
  if (name === undefined) return text;
  return `${before}${await VALUES[name]?.()}${await filled(after ?? '')}`;
}

/** Sends a request as the program does, and resolves with its status. */
async function send({ method, url, headers, body }: CollectionRequest): Promise<number> {
  const names = Object.entries({ ...headers, ...CLOSE });
  const answer = await fetch(await filled(url), {
    method,
    headers: await Promise.all(
      names.map(async ([name, value]): Promise<[string, string]> => [name, await filled(value)]),
    ),
    ...(body !== undefined && { body: withFiles(body) }),
  });
  const { success, data } = await answer.json();
  expect([success, answer.headers.get('x-error-code')]).toEqual([true, null]);
  if (data.secret) endpoints.push(data.id);
  return answer.status;
}

function postmanRequests(): CollectionRequest[] {
  const requests: CollectionRequest[] = [];
  new Collection(postmanCollection()).forEachItem((item) => {
    const { method, url, body, headers } = item.request;
    const authorization = `Bearer ${item.getAuth()?.parameters().get('token')}`;
    requests.push({
      ...{ title: item.name, method, url: url.toString(), body: body?.raw },
      headers: { ...headers.toObject(), authorization },
    });
  });
  return requests;
}

function brunoRequests(): CollectionRequest[] {
  const files = Object.entries(unzipSync(brunoArchive()));
  return files
    .filter(([name]) => name.split('/').length === 3 && !name.includes('environments'))
    .map(([, bytes]) => {
      const { meta, http, headers = [], body } = bruToJsonV2(strFromU8(bytes));
      const given = headers.map(({ name, value }) => [name, value]);
      const json = body?.json && { 'content-type': 'application/json' };
      return {
        ...{ title: meta.name, method: http.method.toUpperCase(), url: http.url, body: body?.json },
        headers: { ...Object.fromEntries(given), ...json, authorization: 'Bearer {{apiKey}}' },
      };
    });
}

test.each([
  ['Postman', postmanRequests],
  ['Bruno', brunoRequests],
])('each request of the %s collection gets its documented success from the product', async (_name, read) => {
  const requests = read();
  expect(requests.map(({ title }) => title)).toEqual(operations.map(({ title }) => title));
  for (const [at, request] of requests.entries()) {
    const [success] = operations[at]?.answers ?? [];
    expect([request.title, await send(request)]).toEqual([request.title, success?.status]);
  }
});
