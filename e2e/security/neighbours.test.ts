import { afterAll, beforeAll, expect, test } from 'vitest';
import { BATCH_MAX } from '#server/dashboard/batch.ts';
import { handleDashboardRequest } from '#server/dashboard/handle.ts';
import { callerOf } from '#server/dashboard/router.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { PAGES_CONNECTIONS } from '#server/platform/db/client.ts';
import { makeAccount, makeNumber, signedIn } from '#server/testing/domain.ts';
import { makeCaller, type RestWorld, startRest } from '#server/testing/rest.ts';

let world: RestWorld;
/** Calls that count as use of the API, beside which pages have only a share of the time. */
let uses = 0;
beforeAll(async () => {
  world = await startRest({ trustProxy: false, onCaller: () => uses++ });
});
afterAll(() => world[Symbol.asyncDispose]());

const NOBODY = { token: 'x', email: 'nobody@example.com', password: 'a heron waits', accountName: 'Nobody' };

/** The dashboard of a signed-in user. */
async function dashboardOf(userId: string) {
  const { database } = world;
  const user = await sessionUser({ database }, await signedIn(database, { userId }));
  return callerOf({ database, user, accountChoice: null, address: null, device: null });
}

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
  const held = await Promise.all(Array.from({ length: PAGES_CONNECTIONS }, () => forPages.pool.reserve()));
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

test('one user makes only so many changes at once, and others, in other accounts, are not held back', async () => {
  const [owner, other] = [await makeAccount(world.database), await makeAccount(world.database)];
  const labelling = async ({ accountId, userId }: typeof owner) => {
    const numberId = await makeNumber(world.database, { accountId });
    const { numbers } = await dashboardOf(userId);
    return (n: number) => numbers.setLabel({ numberId, label: `label ${n}` });
  };
  const [change, changeOther] = [await labelling(owner), await labelling(other)];
  const outcomes = await Promise.all(
    Array.from({ length: 400 }, (_, n) =>
      change(n).then(
        () => 'changed',
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(new Set(outcomes)).toEqual(new Set(['changed', 'TOO_MANY_REQUESTS']));
  expect(outcomes.filter((outcome) => outcome === 'changed').length).toBeLessThan(350);
  await changeOther(1);
});

test('a key makes only so many changes of webhooks at once, and still reads and sends', async () => {
  const { key } = await makeCaller(world, { numbersIncluded: 100 });
  const made = await world.call('/webhooks', { key, body: { url: 'https://hooks.example.com/wirebird' } });
  const { id } = (made.body as { data: { id: string } }).data;
  const statuses = await Promise.all(
    Array.from({ length: 700 }, async (_, n) => {
      const answer = await world.call(`/webhooks/${id}`, {
        key,
        method: 'PATCH',
        body: { active: n % 2 === 0 },
      });
      return answer.status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await world.call('/status', { key })).status).toBe(200);
});

test('only a call with a valid key counts as use of the API', async () => {
  const { key } = await makeCaller(world);
  const before = uses;
  await world.call('/status', { key: `${key}x` });
  await world.call('/status');
  await world.call('/messages/text', { body: { to: '4915228817386', body: 'no key' } });
  expect(uses).toBe(before);
  await world.call('/status', { key });
  expect(uses).toBe(before + 1);
});
