import { beforeAll, describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { changePassword } from '#server/people/change-password.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { endAllSignIns, endSignIn } from '#server/people/sign-in.ts';
import type { StreamEndReason } from '#server/people/stream-end.ts';
import { setUserDisabled } from '#server/people/user-status.ts';
import { beginView } from '#server/people/view-account.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, PASSWORD, signedIn } from '#server/testing/domain.ts';
import { appRouter } from './router.ts';
import { createCaller } from './trpc.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));

interface Somebody {
  accountId: string;
  userId: string;
  email: string;
  signInId: string;
}

/** The last event of a stream. Earlier events are skipped. */
async function lastOf<T>(stream: AsyncIterator<T>): Promise<T | undefined> {
  let last: T | undefined;
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return last;
    last = value;
  }
}

describe('of open streams of changes', () => {
  /** Opens a stream and reads its first event. */
  async function open(signIn: { signInId: string }) {
    const user = await sessionUser({ database }, signIn);
    const context = { database, user, accountChoice: null, address: null, device: null };
    const end = new AbortController();
    const stream = (await createCaller(appRouter)(context, { signal: end.signal }).live.changes())[
      Symbol.asyncIterator
    ]();
    await stream.next();
    return async () => {
      end.abort();
      await lastOf(stream);
    };
  }
  const tooMany = expect.objectContaining({
    code: 'TOO_MANY_REQUESTS',
    message: expect.stringContaining('Close one'),
  });

  test('a sign-in has at most ten and an account fifty, and one that ends makes room', async () => {
    const { userId } = await makeAccount(database, 0);
    const claims = await Promise.all(Array.from({ length: 6 }, () => signedIn(database, { userId })));
    const [first, second, third, fourth, fifth, sixth] = claims;
    if (!first || !second || !third || !fourth || !fifth || !sixth) throw new Error('six were made');
    const close: (() => Promise<void>)[] = [];
    for (let i = 0; i < 10; i++) close.push(await open(first));
    await expect(open(first)).rejects.toEqual(tooMany);
    await close.pop()?.();
    close.push(await open(first));
    for (const signIn of [second, third, fourth, fifth])
      for (let i = 0; i < 10; i++) close.push(await open(signIn));
    await expect(open(sixth)).rejects.toEqual(tooMany);
    await close.pop()?.();
    close.push(await open(sixth));
    // Streams of another account do not count here.
    const other = await makeAccount(database, 0);
    close.push(await open(await signedIn(database, other)));
    for (const end of close) await end();
  });
});

describe('an open stream of changes ends within a second', () => {
  test.each<[string, StreamEndReason, (who: Somebody) => Promise<unknown>]>([
    ['of signing that browser out', 'signed_out', (who) => endSignIn({ database, ...who, actor: CLI }, who)],
    [
      'of signing out everywhere',
      'signed_out',
      ({ userId }) => endAllSignIns({ database, userId, actor: CLI }),
    ],
    [
      'of changing the password elsewhere',
      'signed_out',
      async ({ userId }) =>
        changePassword(
          { database, userId, address: null },
          {
            ...(await signedIn(database, { userId })),
            current: PASSWORD,
            password: 'granite otter under willow',
          },
        ),
    ],
    [
      'of disabling its user',
      'signed_out',
      ({ email }) => setUserDisabled({ database, actor: CLI }, { email, disabled: true }),
    ],
    [
      'of leaving the account',
      'left_account',
      ({ userId }) => database.sql`delete from memberships where user_id = ${userId}`,
    ],
    [
      'of deleting the account, and its people with it',
      'account_deleted',
      ({ accountId }) => deleteAccount({ database, accountId, actor: CLI }, { accountName: null }),
    ],
    [
      'of looking at another account',
      'view_began',
      async ({ userId, signInId }) => {
        await database.sql`update users set admin = true where id = ${userId}`;
        const { accountId } = await makeAccount(database, 0);
        await beginView({ database, accountId, actor: CLI }, { signInId });
      },
    ],
  ])('%s', async (_, reason, action) => {
    const { userId, email, accountId } = await makeAccount(database, 0);
    const signIn = await signedIn(database, { userId });
    const user = await sessionUser({ database }, signIn);
    const context = { database, user, accountChoice: null, address: null, device: null };
    const { signal } = new AbortController();
    const stream = (await createCaller(appRouter)(context, { signal }).live.changes())[
      Symbol.asyncIterator
    ]();
    expect((await stream.next()).value).toMatchObject({ all: true });
    const ended = lastOf(stream).then((last) => ({ last, at: performance.now() }));
    await action({ userId, email, accountId, ...signIn });
    const done = performance.now();
    const { last, at } = await ended;
    expect(last).toEqual({ ended: reason });
    expect(at - done).toBeLessThan(1000);
  });
});
