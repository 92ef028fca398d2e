import { beforeAll, expect, test, vi } from 'vitest';
import { setDatabase } from '#server/platform/db/client.ts';
import { LISTENER_NAME } from '#server/platform/db/listener.ts';
import { testDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { metrics } from '../metrics/metrics.ts';
import { onAccountChange, onMessageChange, onNumberChange } from './changes.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));

const EVENTUALLY = { timeout: 10_000, interval: 20 };
const flush = () => database.sql`select pg_notify('wirebird_number', 'the last one')`;

/** An account with a number that a worker leases. */
async function makeLinked() {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  const { workerId } = await linkAsWorker(database, { numberId });
  return { ...account, numberId, workerId };
}

/** What each subscription got until the notification of {@link flush}, as `<kind> <what>`. */
async function listen(
  subscriptions: Record<string, (hear: (change: object) => void) => Promise<() => void>>,
) {
  const heard: Record<string, string[]> = {};
  const stops: (() => void)[] = [];
  for (const [name, subscribe] of Object.entries(subscriptions)) {
    const list: string[] = [];
    heard[name] = list;
    stops.push(await subscribe((change) => list.push(Object.values(change).join(' '))));
  }
  let flushed = false;
  stops.push(
    await onNumberChange((change) => {
      flushed ||= change.kind === 'number' && change.numberId === 'the last one';
    }),
  );
  return async () => {
    await flush();
    await vi.waitFor(() => expect(flushed).toBe(true), EVENTUALLY);
    for (const stop of stops) stop();
    return heard;
  };
}

test('a message is announced to its worker, its caller’s web process and its account, and to nobody else', async () => {
  const mine = await makeLinked();
  const other = await makeLinked();
  const heard = await listen({
    worker: (hear) => onMessageChange(mine.workerId, hear),
    otherWorker: (hear) => onMessageChange(other.workerId, hear),
    web: (hear) => onMessageChange('web_a', hear),
    otherWeb: (hear) => onMessageChange('web_b', hear),
    account: (hear) => onAccountChange(mine.accountId, hear),
    otherAccount: (hear) => onAccountChange(other.accountId, hear),
  });
  const { numberId } = mine;
  const id = await queueMessage(database, mine);
  await database.sql`update messages set web_id = 'web_a' where id = ${id}`;
  await database.sql`update messages set status = 'sending', fence = 1 where id = ${id}`;
  await database.sql`update messages set status = 'sent' where id = ${id}`;
  await database.sql`update messages set answered = true where id = ${id}`;
  await database.sql`update messages set status = 'read' where id = ${id}`;
  const status = (name: string) => `message ${id} ${numberId} ${name} false`;
  const inAccount = `message ${id} ${numberId}`;
  expect(await heard()).toEqual({
    worker: ['queued', 'sending', 'sent', 'read'].map(status),
    otherWorker: [],
    web: [status('sent')],
    otherWeb: [],
    account: [inAccount, inAccount, inAccount, inAccount],
    otherAccount: [],
  });
});

test('what happens to a number without a worker is announced to its account', async () => {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, account);
  const heard = await listen({ account: (hear) => onAccountChange(account.accountId, hear) });
  const id = await queueMessage(database, { ...account, numberId });
  expect(await heard()).toEqual({ account: [`message ${id} ${numberId}`] });
});

test('a subscriber that comes while the last one leaves is not lost', async () => {
  const { accountId } = await makeAccount(database);
  let heard = 0;
  let stop = await onAccountChange(accountId, () => {});
  for (let turn = 1; turn <= 50; turn++) {
    stop();
    stop = await onAccountChange(accountId, () => {
      heard += 1;
    });
    await database.sql`select pg_notify(${`wirebird_account_${accountId}`}, 'account')`;
    await vi.waitFor(() => expect(heard).toBe(turn), EVENTUALLY);
  }
  stop();
});

test('after a lost connection, each subscriber is asked to look at everything again', async () => {
  const { accountId } = await makeAccount(database);
  let resyncs = 0;
  const heard = await listen({
    process: (hear) => onMessageChange('web_c', hear),
    account: (hear) => onAccountChange(accountId, hear),
    numbers: (hear) =>
      onNumberChange((change) => {
        if (change.kind !== 'resync') return;
        resyncs += 1;
        hear(change);
      }),
  });
  await database.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${LISTENER_NAME}`;
  await vi.waitFor(() => expect(resyncs).toBe(1), EVENTUALLY);
  expect(await heard()).toEqual({ process: ['resync'], account: ['resync'], numbers: ['resync'] });
});

test('a process counts the announcements that it gets', async () => {
  const count = async () =>
    (await metrics().notifications.get()).values.reduce((sum, { value }) => sum + value, 0);
  const mine = await makeLinked();
  const heard = await listen({ mine: (hear) => onMessageChange(mine.workerId, hear) });
  const before = await count();
  await queueMessage(database, mine);
  await heard();
  expect((await count()) - before).toBe(2);
});
