import { isTrackedEnvelope, type TRPCError } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { firstAdminLink } from '#server/people/first-admin.ts';
import { findUserByEmail } from '#server/people/queries/users.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase, testDatabase } from '#server/testing/database.ts';
import {
  freshEmail,
  linkAsWorker,
  makeAccount,
  makeNumber,
  PASSWORD,
  queueMessage,
  signedIn,
} from '#server/testing/domain.ts';
import type { DashboardContext } from './context.ts';
import { appRouter, callerOf } from './router.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));
afterAll(stopClientBoss);

/** A request of a signed-in user. */
async function contextOf(userId: string, accountChoice: string | null = null): Promise<DashboardContext> {
  const user = await sessionUser({ database }, await signedIn(database, { userId }));
  return { database, user, accountChoice, address: '192.0.2.7', device: null };
}

const anonymous = (): DashboardContext => ({
  database,
  user: null,
  accountChoice: null,
  address: null,
  device: null,
});

const as = async (userId: string, accountChoice?: string) => callerOf(await contextOf(userId, accountChoice));

const refusal = (promise: Promise<unknown>): Promise<TRPCError> =>
  promise.then(
    () => {
      throw new Error('it was allowed');
    },
    (error: TRPCError) => error,
  );

test('a form that got no response sends the same message again as the same message', async () => {
  const owner = await makeAccount(database);
  const numberId = await makeNumber(database, owner);
  await linkAsWorker(database, { numberId });
  const { messages } = await as(owner.userId);
  const send = async (body: string, attempt?: string) => {
    const to = '120363025246125486@g.us';
    const answer = await messages.tryIt({
      numberId,
      type: 'text',
      request: { to, body },
      async: true,
      attempt,
    });
    return answer.messageId ?? answer.body;
  };
  const first = await send('Ready', 'one');
  expect(await send('Ready', 'one')).toBe(first);
  const others = [
    await send('Closed', 'one'),
    await send('Ready', 'two'),
    await send('Ready'),
    await send('Ready'),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
  expect(await messages.get({ messageId: first })).toMatchObject({ withIdempotencyKey: false });
});

describe('who may do what', () => {
  const OPEN = [
    'account.signUp',
    'account.setUp',
    'account.confirmSignUp',
    'user.openReset',
    'user.resetPassword',
    'user.mailResetLink',
    'people.open',
    'people.signUp',
  ];
  const procedures = Object.keys(appRouter._def.procedures);

  test.each(procedures.filter((path) => !OPEN.includes(path)))(
    '%s returns nothing without a session',
    async (path) => {
      const call = path
        .split('.')
        .reduce((at: never, name) => at[name as never], callerOf(anonymous()) as never);
      const error = await refusal(
        Promise.resolve((call as (input: unknown) => Promise<unknown>)({})).then(firstOf),
      );
      expect(error.code).toBe('UNAUTHORIZED');
      expect(error.message).toBe('You are signed out. Sign in again.');
    },
  );

  test('what cannot be read or stored is refused with a sentence for people', async () => {
    const { userId } = await makeAccount(database);
    const api = await as(userId);
    const sentences = await Promise.all(
      [
        api.account.rename({ name: 'x'.repeat(600) }),
        api.messages.list({ status: 'lost' as 'sent' }),
        api.messages.list({ search: 'a\0b' }),
        api.account.saveView({ list: 'messages', name: 'Mine', query: 'q=\0' }),
        api.webhooks.create({ numberId: null, url: 'https://example.com', events: [] }),
      ].map((call) => refusal(call).then(({ code, message }) => `${code}: ${message}`)),
    );
    expect(sentences).toEqual([
      'BAD_REQUEST: What was entered is too long. Shorten it.',
      'BAD_REQUEST: Check what was entered.',
      'BAD_REQUEST: What was entered contains a character that cannot be stored. Type it again.',
      'BAD_REQUEST: What was entered contains a character that cannot be stored. Type it again.',
      'BAD_REQUEST: Choose at least one event.',
    ]);
  });

  test('a refused URL is explained in a sentence for people, at its field', async () => {
    const { userId } = await makeAccount(database);
    const { webhooks } = await as(userId);
    const refused = await refusal(
      webhooks.create({ numberId: null, url: 'ftp://a', events: ['message.sent'] }),
    );
    expect(refused.message).toBe('The URL must begin with http:// or https://.');
    expect(refused.cause).toMatchObject({ details: { field: 'url' } });
  });

  test('a page changes the account that it shows, whatever another tab has chosen since, and no other', async () => {
    const [own, shared] = [await makeAccount(database), await makeAccount(database)];
    await database.sql`
      insert into memberships (account_id, user_id, role) values (${shared.accountId}, ${own.userId}, 'owner')`;
    const rename = async (name: string) =>
      callerOf({
        ...(await contextOf(own.userId, own.accountId)),
        shownAccount: shared.accountId,
      }).account.rename({ name });
    const names = async () => {
      const rows = await database.sql<{ name: string }[]>`
        select name from accounts where id in (${own.accountId}, ${shared.accountId}) order by id`;
      return rows.map(({ name }) => name);
    };
    await rename('Shared');
    expect(await names()).toEqual([own.email, 'Shared']);
    await database.sql`
      delete from memberships where account_id = ${shared.accountId} and user_id = ${own.userId}`;
    // The page then loads again, as if its person were signed out.
    expect(await refusal(rename('Not this one'))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await names()).toEqual([own.email, 'Shared']);
  });

  test('a page of another user than the one who is signed in reads and changes nothing', async () => {
    const [before, now] = [await makeAccount(database), await makeAccount(database)];
    await database.sql`
      insert into memberships (account_id, user_id, role) values (${before.accountId}, ${now.userId}, 'owner')`;
    const context = await contextOf(now.userId);
    const of = (shownUser: string) => callerOf({ ...context, shownAccount: before.accountId, shownUser });
    const page = of(before.userId);
    const rename = page.account.rename({ name: 'Not this one' });
    for (const { code } of await Promise.all([page.user.signIns(), page.account.me(), rename].map(refusal)))
      expect(code).toBe('UNAUTHORIZED');
    expect((await of(now.userId).account.me()).email).toBe(now.email);
    expect((await of(now.userId).account.me()).account.name).toBe(before.email);
  });

  test('exactly these procedures ask for the password again, for every role', async () => {
    const { userId } = await makeAccount(database);
    const context = await contextOf(userId);
    const user = context.user && { ...context.user, admin: true, confirmed: false };
    const api = callerOf({ ...context, user });
    const asked: string[] = [];
    for (const [path, { _def }] of Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
    )) {
      if (_def.type !== 'mutation') continue;
      const call = path.split('.').reduce<unknown>((at, name) => (at as never)[name], api);
      const outcome = await Promise.resolve((call as (input: unknown) => Promise<unknown>)(undefined)).then(
        () => null,
        (error: TRPCError) => error.cause,
      );
      if (outcome instanceof AppError && outcome.code === 'confirm_password') asked.push(path);
    }
    expect(asked.sort()).toEqual([
      'account.delete',
      'account.prepareExport',
      'admin.activatePlan',
      'admin.beginView',
      'admin.confirmEmail',
      'admin.deactivatePlan',
      'admin.releaseEmail',
      'admin.renew',
      'admin.resetLink',
      'admin.resumeNumber',
      'admin.setHowToPay',
      'admin.suspendAccount',
      'admin.suspendNumber',
      'numbers.remove',
      'numbers.replacePhone',
      'people.changeRole',
      'people.invite',
      'people.remove',
      'user.beginSecondFactor',
      'user.confirmSecondFactor',
      'user.removeSecondFactor',
      'user.renewRecoveryCodes',
    ]);
  });

  test.each(procedures.filter((path) => path.startsWith('admin.')))(
    'nobody but the administrator gets anything from %s',
    async (path) => {
      const { userId, accountId } = await makeAccount(database);
      const call = (await as(userId)).admin[path.slice('admin.'.length) as 'account'];
      expect((await refusal(call({ accountId }))).code).toBe('FORBIDDEN');
    },
  );

  test('another account’s number and message cannot be found or changed', async () => {
    const owner = await makeAccount(database);
    const other = await makeAccount(database);
    const numberId = await makeNumber(database, owner);
    const messageId = await queueMessage(database, { ...owner, numberId });
    const api = await as(other.userId);
    const attempts = [
      () => api.numbers.get({ numberId }),
      () => api.numbers.linking({ numberId }),
      () => api.numbers.history({ numberId }),
      () => api.numbers.setLabel({ numberId, label: 'Mine' }),
      () => api.numbers.openLinking({ numberId }),
      () => api.numbers.unlink({ numberId }),
      () => api.numbers.remove({ numberId }),
      () => api.keys.create({ numberId, name: 'Mine', expiresAt: null }),
      () => api.messages.get({ messageId }),
      () => api.sandbox.phone({ numberId }),
      () => api.sandbox.drive({ numberId, phoneAction: 'scan' }),
    ];
    for (const attempt of attempts) expect((await refusal(attempt())).code).toBe('NOT_FOUND');
    expect(await api.numbers.list()).toEqual([]);
    expect((await api.messages.list({})).rows).toEqual([]);
    expect((await (await as(owner.userId)).numbers.get({ numberId })).label).toBe('');
  });

  test('a page can name only an account of its user', async () => {
    const mine = await makeAccount(database);
    const other = await makeAccount(database);
    await makeNumber(database, { ...other, label: 'Theirs' });
    const api = await as(mine.userId, other.accountId);
    expect((await api.account.me()).account.accountId).toBe(mine.accountId);
    expect(await api.numbers.list()).toEqual([]);
  });

  test('a member can switch between their accounts, but only an owner removes', async () => {
    const owner = await makeAccount(database);
    const member = await makeAccount(database);
    const numberId = await makeNumber(database, { ...owner, label: 'Workshop' });
    await database.sql`
      insert into memberships (account_id, user_id, role) values (${owner.accountId}, ${member.userId}, 'member')`;
    const api = await as(member.userId, owner.accountId);
    expect((await api.numbers.list()).map(({ name }) => name)).toEqual(['Workshop']);
    expect(await refusal(api.numbers.remove({ numberId }))).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Only an owner of this account can do this. Ask an owner.',
    });
    await (await as(owner.userId)).numbers.remove({ numberId });
    expect(await api.numbers.list()).toEqual([]);
  });
});

describe('the message of a failed call', () => {
  test('is the sentence of the error', async () => {
    const { userId, accountId } = await makeAccount(database, 0);
    const numberId = await makeNumber(database, { accountId, network: 'whatsapp' });
    const error = await refusal((await as(userId)).numbers.openLinking({ numberId }));
    expect(error.code).toBe('PAYMENT_REQUIRED');
    expect(error.message).toMatch(/^Linking a real phone needs a plan/);
  });

  test('is one fixed sentence for an internal error', async () => {
    const damaged = await createTestDatabase();
    const { userId, accountId } = await makeAccount(damaged);
    const numberId = await makeNumber(damaged, { accountId });
    const user = await sessionUser({ database: damaged }, await signedIn(damaged, { userId }));
    await damaged.sql`alter table number_events rename to secret_events`;
    const api = callerOf({ ...anonymous(), database: damaged, user });
    const error = await refusal(api.numbers.history({ numberId }));
    await damaged.drop();
    expect(error.code).toBe('INTERNAL_SERVER_ERROR');
    expect(error.message).toBe(OUTCOMES.internal.says.page);
  });
});

describe('the first administrator', () => {
  const countAccounts = async () => {
    const [row] = await database.sql<{ count: number }[]>`select count(*)::int as count from accounts`;
    return row?.count ?? 0;
  };
  const user = (email: string) => ({ email, password: PASSWORD, accountName: 'Nordlicht' });

  test('is created by the link only, and of several simultaneous uses one succeeds', async () => {
    const token = new URL((await firstAdminLink({ database })) ?? 'x:').searchParams.get('token') ?? '';
    const api = callerOf(anonymous());
    const stranger = freshEmail();
    const error = await refusal(api.account.setUp({ ...user(stranger), token: `${token}x` }));
    expect(error.code).toBe('NOT_FOUND');
    expect(await findUserByEmail(database.db, { email: stranger })).toBe(null);

    const accountsBefore = await countAccounts();
    const emails = Array.from({ length: 7 }, freshEmail);
    const tries = await Promise.allSettled(
      emails.map((email) => api.account.setUp({ ...user(email), token })),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const made = await Promise.all(emails.map((email) => findUserByEmail(database.db, { email })));
    expect(made.filter(Boolean)).toEqual([expect.objectContaining({ admin: true })]);
    expect(await countAccounts()).toBe(accountsBefore + 1);
    expect((await refusal(api.account.setUp({ ...user(freshEmail()), token }))).code).toBe('NOT_FOUND');
  });
});

describe('the stream of changes', () => {
  test('ends with the session, and says so', async () => {
    const { userId } = await makeAccount(database);
    const end = new AbortController();
    const stream = await callerOf(await contextOf(userId), end.signal).live.changes();
    const changes = stream[Symbol.asyncIterator]();
    expect(await changes.next()).toMatchObject({ value: { all: true } });
    await database.sql`update users set session_version = 2 where id = ${userId}`;
    let last: unknown;
    for await (const event of stream) last = event;
    expect(last).toEqual({ ended: 'signed_out' });
  });
});

/** A stream refuses when it is first read. */
async function firstOf(answer: unknown): Promise<unknown> {
  if (isTrackedEnvelope(answer) || typeof answer !== 'object' || !answer || !(Symbol.asyncIterator in answer))
    return answer;
  return (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
}
