import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_MAX } from '#server/dashboard/batch.ts';
import { handleDashboardRequest } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';
import { PAGES_CONNECTIONS } from '#server/platform/db/client.ts';
import { makeCaller, type RestWorld, startRest } from '#server/testing/rest.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());

const NOBODY = { token: 'x', email: 'nobody@example.com', password: 'a heron waits', accountName: 'Nobody' };

/** These calls in one request, joined by `comma`. */
function batch(procedures: string[], comma = ','): Promise<Response> {
  const inputs = Object.fromEntries(procedures.map((_, n) => [n, NOBODY]));
  return handleDashboardRequest(
    new Request(`http://localhost/api/trpc/${procedures.join(comma)}?batch=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(inputs),
    }),
  );
}

test.each([
  [BATCH_MAX + 1, ','],
  [BATCH_MAX + 1, '%2C'],
  [900, ','],
])('a request with %i calls is refused as a whole, in any form (%s)', async (count, comma) => {
  const answer = await batch(Array(count).fill('user.openReset'), comma);
  expect(answer.status).toBe(400);
  expect((await answer.text()).length).toBeLessThan(1_000);
});

test('a request with as many calls as the dashboard sends has each of them answered', async () => {
  const answer = await batch(Array(BATCH_MAX).fill('user.openReset'));
  expect(await answer.json()).toHaveLength(BATCH_MAX);
});

test.each([
  'account.setUp',
  'account.signUp',
  'account.confirmSignUp',
  'people.signUp',
  'user.confirmPassword',
  'user.changePassword',
  'user.resetPassword',
])(
  'a request has at most one password checked: one with %s twice is refused as a whole',
  async (procedure) => {
    const answer = await batch([procedure, 'user.openReset', procedure]);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('more than one password');
    expect((await batch([procedure, 'user.openReset'])).status).not.toBe(400);
  },
);

test('pages that use all their connections take none from the API', async () => {
  const { key } = await makeCaller(world);
  const { forPages } = world.database;
  const held = await Promise.all(Array.from({ length: PAGES_CONNECTIONS }, () => forPages.sql.reserve()));
  let answered = false;
  const visitor = callerOf({
    database: forPages,
    user: null,
    accountChoice: null,
    address: null,
    device: null,
  });
  const page = visitor.account.setUp(NOBODY).catch((error: unknown) => {
    answered = true;
    return error;
  });
  expect((await world.call('/status', { key })).status).toBe(200);
  const sent = await world.call('/messages/text', {
    key,
    headers: { prefer: 'respond-async' },
    body: { to: '4915228817386', body: 'While the pages wait' },
  });
  expect(sent.status).toBe(202);
  expect(answered).toBe(false);
  for (const connection of held) connection.release({ reusable: true });
  expect(await page).toMatchObject({ code: 'NOT_FOUND' });
});
