import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusePageRequest } from './page-request.ts';

const server = createServer((req, res) => {
  if (!refusePageRequest(req, res)) res.end('a page');
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test.each(['/', '/messages/text', '/sign-in', '/apis', '/healthz/x'])(
  'POST %s is 404 and says where the API is',
  async (path) => {
    const json = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ to: '4915228817386', body: 'hello' }),
    });
    expect([json.status, json.headers.get('x-error-code')]).toEqual([404, 'not_found']);
    expect(await json.json()).toEqual({
      success: false,
      error: 'No page takes POST. The addresses of the API begin with /v1, such as /v1/messages/text.',
    });
    const other = await fetch(url + path, { method: 'PUT', body: 'hello' });
    expect([other.status, await other.text()]).toEqual([404, expect.stringContaining('No page takes PUT.')]);
  },
);

test('pages, the calls of their scripts, and forms of theirs that are sent early are taken', async () => {
  const statusOf = async (path: string, method: string, headers = {}) => {
    const sent = request(url + path, { method, headers }).end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    return answer.statusCode;
  };
  expect(await statusOf('/', 'GET')).toBe(200);
  expect(await statusOf('/sign-in', 'HEAD')).toBe(200);
  expect(await statusOf('/api/trpc/account.me', 'POST')).toBe(200);
  expect(await statusOf('/sign-in', 'POST', { 'sec-fetch-mode': 'navigate' })).toBe(200);
});
