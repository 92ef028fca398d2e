import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setDatabase } from '#server/db/client.ts';
import { createTestDatabase } from '#server/db/testing.ts';
import { changePassword } from '#server/services/change-password.ts';
import { setUserDisabled } from '#server/services/disable-user.ts';
import { sessionUser } from '#server/services/session-user.ts';
import { endAllSignIns, endSignIn } from '#server/services/sign-in.ts';
import { CLI, makeAccount, PASSWORD, signedIn } from '#server/services/testing.ts';
import { appRouter } from './router.ts';
import { createCaller } from './trpc.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  setDatabase(database);
});
afterAll(() => database.drop());

interface Somebody {
  userId: string;
  email: string;
  signInId: string;
}

describe('an open stream of changes ends within a second', () => {
  test.each<[string, (who: Somebody) => Promise<unknown>]>([
    ['of signing that browser out', (who) => endSignIn(database, { ...who, actor: CLI })],
    [
      'of signing out everywhere',
      ({ userId }) => endAllSignIns(database, { userId, exceptId: null, actor: CLI }),
    ],
    [
      'of changing the password elsewhere',
      async ({ userId }) =>
        changePassword(database, {
          userId,
          ...(await signedIn(database, { userId })),
          current: PASSWORD,
          password: 'granite otter under willow',
          address: null,
        }),
    ],
    [
      'of disabling its user',
      ({ email }) => setUserDisabled(database, { email, disabled: true, actor: CLI }),
    ],
    [
      'of leaving the account',
      ({ userId }) => database.sql`delete from memberships where user_id = ${userId}`,
    ],
  ])('%s', async (_, deed) => {
    const { userId, email } = await makeAccount(database, 0);
    const claim = await signedIn(database, { userId });
    const user = await sessionUser(database.db, claim);
    const context = { database, user, accountChoice: undefined, address: null };
    const { signal } = new AbortController();
    const stream = (await createCaller(appRouter)(context, { signal }).live.changes())[
      Symbol.asyncIterator
    ]();
    expect((await stream.next()).value).toMatchObject({ all: true });
    const end = stream.next();
    const ended = end.then(
      () => null,
      (error: Error & { code: string }) => ({ code: error.code, at: performance.now() }),
    );
    await deed({ userId, email, ...claim });
    const done = performance.now();
    const result = await ended;
    expect(result?.code).toBe('UNAUTHORIZED');
    expect((result?.at ?? Number.POSITIVE_INFINITY) - done).toBeLessThan(1000);
  });
});
