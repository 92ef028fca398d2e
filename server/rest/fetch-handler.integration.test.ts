import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIMITS } from '#server/core/limits.ts';
import {
  assertDocumented,
  makeCaller,
  type RestWorld,
  startRest,
  type TestCaller,
} from '#server/testing/rest.ts';
import { restFetchHandler } from './fetch-handler.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

async function ask(path: string, init: RequestInit = {}) {
  const response = await restFetchHandler(new Request(`http://localhost:3000/v1${path}`, init));
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === '' ? null : JSON.parse(text),
  };
  assertDocumented(init.method ?? 'GET', path, answer);
  return answer;
}

const withKey = () => ({ 'x-api-key': caller.key, 'content-type': 'application/json' });

test('the API through Next’s own server gives the same answers', async () => {
  expect((await ask('/status')).status).toBe(401);
  const status = await ask('/status', { headers: withKey() });
  expect(status).toMatchObject({ status: 200, body: { data: { instance: caller.numberId } } });
  const head = await ask('/status', { method: 'HEAD', headers: withKey() });
  expect(head).toMatchObject({ status: 200, body: null });
  const accepted = await ask('/messages/text', {
    method: 'POST',
    headers: { ...withKey(), prefer: 'respond-async' },
    body: JSON.stringify({ to: '4915228817386', body: 'Good morning' }),
  });
  expect(accepted.status).toBe(202);
  expect((await ask('/nothing', { method: 'OPTIONS', headers: withKey() })).status).toBe(404);
});

test('bodies have the same limit there', async () => {
  const over = await ask('/messages/text', {
    method: 'POST',
    headers: withKey(),
    body: ' '.repeat(LIMITS.requestBytesMax + 1),
  });
  expect(over.status).toBe(413);
});
