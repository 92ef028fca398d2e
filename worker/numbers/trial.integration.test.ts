import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNumberAlerts } from '#server/alerts/kinds/families/stopped-number.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { personOf } from '#server/core/recipient.ts';
import { TRIAL, TRIAL_REFUSALS } from '#server/core/trial.ts';
import { sendFromDashboard } from '#server/messages/send-from-dashboard.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { startTrial } from '#server/numbers/start-trial.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** Accounts that try the product without a plan. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

let visitors = 0;
async function newAccount() {
  const { database, actor } = world;
  const { accountId } = await signUp(
    { database },
    {
      email: `visitor-${visitors++}@example.com`,
      password: 'a kingfisher dives at dusk',
      operator: actor,
    },
  );
  const scope = { database, accountId, actor };
  const add = async (network: 'sandbox' | 'whatsapp' = 'sandbox') => (await addNumber(scope, { network })).id;
  const number = (numberId: string) => getNumber(scope, { numberId });
  const link = async (numberId: string) => {
    await openLinking(scope, { numberId });
    await until(() => world.network.isOpen(numberId));
    world.network.scan(numberId, (await number(numberId)).sandboxPhone ?? '');
    await world.untilStatus(numberId, 'CONNECTED');
    await database.sql`update numbers set send_interval_seconds = 0 where id = ${numberId}`;
  };
  const send = (numberId: string, body: string) =>
    sendFromDashboard(scope, {
      numberId,
      read: () => ({ recipient: personOf('491700000001'), content: { type: 'text', body } }),
      mode: { kind: 'sync' },
    });
  const idle = (numberId: string) => database.sql`
    update numbers set trial_active_at = clock_timestamp() - ${TRIAL.idleMinutes} * interval '1 minute' - interval '1 second'
    where id = ${numberId}`;
  return { scope, accountId, add, number, link, send, idle };
}

async function onTrial() {
  const account = await newAccount();
  const numberId = await account.add();
  await account.link(numberId);
  return { ...account, numberId };
}

test('an account without a plan links one sandbox number and sends from the dashboard, and the API answers 402', async () => {
  const { scope, accountId, numberId, number, send, add } = await onTrial();
  expect(await number(numberId)).toMatchObject({ onTrial: true, access: 'ok', withinPlan: true });
  expect((await send(numberId, 'a first message')).message.status).toBe('sent');
  expect((await planOf(scope)).trial).toEqual({ messagesLeft: TRIAL.messagesPerDay - 1 });

  const { key } = await createApiKey(scope, { numberId });
  await expect(world.text(key, '491700000001', 'by the API')).rejects.toMatchObject({
    code: 'plan_inactive',
  });

  await expect(openLinking(scope, { numberId: await add() })).rejects.toMatchObject({
    code: 'plan_inactive',
    message: TRIAL_REFUSALS.numbers,
  });
  await removeNumber(scope, { numberId });
  await expect(openLinking(scope, { numberId: await add('whatsapp') })).rejects.toThrow(
    /^Linking a real phone needs a plan/,
  );
  await activatePlan(
    { database: world.database, accountId, actor: world.actor },
    { numbersIncluded: 2, paidUntil: '2999-12-31' },
  );
  expect((await planOf(scope)).trial).toBeNull();
});

test('a plan turns the trial number into an ordinary one', async () => {
  const { scope, numberId, number, idle } = await onTrial();
  const { key } = await createApiKey(scope, { numberId });
  await activatePlan(scope, { numbersIncluded: 1, paidUntil: '2999-12-31' });
  await idle(numberId);
  expect((await world.text(key, '491700000001', 'by the API')).message.status).toBe('sent');
  expect(await number(numberId)).toMatchObject({ onTrial: false, access: 'ok', sessionStop: null });
});

test('20 messages a day are accepted, over all numbers of the account', async () => {
  const { scope, accountId, numberId, send, add, link } = await onTrial();
  await world.database.sql`
    insert into messages (id, account_id, number_id, type, recipient, lane, status, deadline_at, media_status, settled_at)
    select 'msg_trial_' || n, ${accountId}, ${numberId}, 'text', '491700000001@c.us', 'express', 'failed', now(), 'none', now()
    from generate_series(1, ${TRIAL.messagesPerDay - 1}) n`;
  await send(numberId, 'the last one');
  const refused = { code: 'plan_inactive', message: TRIAL_REFUSALS.messages };
  await expect(send(numberId, 'one more')).rejects.toMatchObject(refused);
  expect((await planOf(scope)).trial).toEqual({ messagesLeft: 0 });

  await removeNumber(scope, { numberId });
  const next = await add();
  await link(next);
  await expect(send(next, 'from another number')).rejects.toMatchObject(refused);
  await world.database
    .sql`update messages set created_at = created_at - interval '1 day' where account_id = ${accountId}`;
  expect((await send(next, 'a day later')).message.status).toBe('sent');
});

test('a session that nobody uses for 15 minutes stops without an alert, and starts again without the phone', async () => {
  const { scope, numberId, number, send, idle } = await onTrial();
  const other = await onTrial();
  await idle(numberId);
  await until(async () => (await number(numberId)).sessionStop === 'trial');
  await until(() => !world.network.isOpen(numberId));
  expect(await number(numberId)).toMatchObject({ status: 'RECONNECTING', cause: { code: 'trial_idle' } });
  expect((await other.number(other.numberId)).status).toBe('CONNECTED');

  await world.database.sql`update processes set created_at = created_at - interval '30 days'`;
  await world.database
    .sql`update number_events set at = at - interval '20 days' where number_id = ${numberId}`;
  const alerts = await findNumberAlerts(world.database.db, { disconnectedMs: 60_000 });
  expect(alerts.filter((alert) => alert.numberId === numberId)).toEqual([]);

  await startTrial(scope, { numberId });
  await world.untilStatus(numberId, 'CONNECTED');
  expect((await send(numberId, 'back again')).message.status).toBe('sent');
});

test('a message to a number that rests is refused and starts it', async () => {
  const { numberId, number, send, idle } = await onTrial();
  await idle(numberId);
  await until(() => !world.network.isOpen(numberId));
  await expect(send(numberId, 'wake up')).rejects.toMatchObject({ code: 'not_connected' });
  await world.untilStatus(numberId, 'CONNECTED');
  expect((await number(numberId)).sessionStop).toBeNull();
  expect((await send(numberId, 'wake up')).message.status).toBe('sent');
});

test('ten sessions are in use at most; one that rests makes room', async () => {
  await world.database
    .sql`update numbers set trial_active_at = '-infinity' where trial_active_at is not null`;
  const sessions = await Promise.all(
    Array.from({ length: TRIAL.sessionsMax }, async () => {
      const account = await newAccount();
      const numberId = await account.add();
      await openLinking(account.scope, { numberId });
      return { ...account, numberId };
    }),
  );
  const late = await newAccount();
  const numberId = await late.add();
  const refused = { code: 'plan_inactive', message: TRIAL_REFUSALS.sessions };
  await expect(openLinking(late.scope, { numberId })).rejects.toMatchObject(refused);
  const [first] = sessions;
  await first?.idle(first.numberId);
  await openLinking(late.scope, { numberId });
  await expect(
    startTrial(first?.scope ?? late.scope, { numberId: first?.numberId ?? '' }),
  ).rejects.toMatchObject(refused);
});

test('twelve accounts that begin at once get ten sessions', async () => {
  await world.database
    .sql`update numbers set trial_active_at = '-infinity' where trial_active_at is not null`;
  const accounts = await Promise.all(
    Array.from({ length: TRIAL.sessionsMax + 2 }, async () => {
      const account = await newAccount();
      return { scope: account.scope, numberId: await account.add() };
    }),
  );
  const results = await Promise.allSettled(
    accounts.map(({ scope, numberId }) => openLinking(scope, { numberId })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(TRIAL.sessionsMax);
});
