import { bruToEnvJsonV2, bruToJsonV2, collectionBruToJson } from '@usebruno/lang';
import { strFromU8, unzipSync } from 'fflate';
import { Collection, VariableScope } from 'postman-collection';
import { expect, test } from 'vitest';
import { currentReference } from '#server/rest/reference/reference.ts';
import { settings } from '#server/settings.ts';
import { brunoArchive, postmanCollection } from './collections.ts';

const BASE = `${settings.publicUrl}/v1`;
const operations = currentReference().groups.flatMap((group) => group.operations);
const VALUES = { apiKey: 'wsk_test_key', messageId: 'msg_1', webhookId: 'whe_1' };

const expected = operations.map(({ title, method, path, request }) => ({
  title,
  method,
  url: `${BASE}${path.replace('{id}', path.startsWith('/webhooks') ? 'whe_1' : 'msg_1')}${request.path.includes('?') ? `?${request.path.split('?')[1]}` : ''}`,
  body: request.body,
  keyed: 'Idempotency-Key' in request.headers,
}));

test('Postman’s own library reads every request of the collection', () => {
  const collection = new Collection(postmanCollection());
  const scope = new VariableScope([
    ...collection.variables.all(),
    ...Object.entries(VALUES).map(([key, value]) => ({ key, value })),
  ]);
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => scope.get(name) as string);
  const read: object[] = [];
  collection.forEachItem((item) => {
    const { method, url, body, headers } = item.request;
    read.push({
      title: item.name,
      method,
      url: filled(url.toString()),
      body: body?.raw ? JSON.parse(body.raw) : null,
      keyed: headers.get('Idempotency-Key') === '{{$guid}}',
    });
    expect(filled(item.getAuth()?.parameters().get('token'))).toBe(VALUES.apiKey);
  });
  expect(read).toEqual(expected);
});

test('Bruno’s own parser reads every request of the collection', () => {
  const files = Object.entries(unzipSync(brunoArchive())).map(
    ([name, bytes]) => [name, strFromU8(bytes)] as const,
  );
  const file = (name: string) => files.find(([one]) => one === `wirebird/${name}`)?.[1] ?? '';
  expect(JSON.parse(file('bruno.json'))).toMatchObject({ version: '1', type: 'collection' });
  expect(collectionBruToJson(file('collection.bru')).auth.bearer).toEqual({ token: '{{apiKey}}' });
  const { variables } = bruToEnvJsonV2(file('environments/Wirebird.bru'));
  expect(variables.find(({ name }) => name === 'apiKey')).toMatchObject({ secret: true });
  const values: Record<string, string> = { baseUrl: BASE, ...VALUES };
  const read = files
    .filter(([name]) => name.split('/').length === 3 && !name.includes('environments'))
    .map(([, text]) => {
      const { meta, http, headers = [], body } = bruToJsonV2(text);
      return {
        title: meta.name,
        method: http.method.toUpperCase(),
        url: http.url.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
        body: body?.json ? JSON.parse(body.json) : null,
        keyed: headers.some(({ name, value }) => name === 'Idempotency-Key' && value === '{{$guid}}'),
      };
    });
  expect(read).toEqual(expected);
});
