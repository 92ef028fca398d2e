import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#server/core/id.ts';
import type { Holding } from '#server/core/lease.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { claimSlot, findClaim } from '#server/messages/queries/claim.ts';
import { writeOutcome } from '#server/messages/queries/dispatch.ts';
import { writeMediaFailed, writeMediaPending, writeMediaReady } from '#server/messages/queries/media.ts';
import { cutSlot, delaySlot } from '#server/messages/queries/slots.ts';
import { findOverlooked, sweepDispatches, takeOverUnknown } from '#server/messages/queries/sweeps.ts';
import { canDispatch, claimLeases, releaseLease, renewLeases } from '#server/numbers/queries/leases.ts';
import { beginMove } from '#server/numbers/queries/moves.ts';
import { forgetProfile, takeUpProfile, writeSnapshot } from '#server/numbers/queries/profiles.ts';
import {
  forgetGroups,
  settleIntent,
  writeGroups,
  writeLink,
  writeLinked,
  writeStatus,
} from '#server/numbers/queries/sessions.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { reserve } from '#server/testing/sql.ts';

/** Two workers take a number's lease from each other at any moment, while both believe that they hold it. */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
let numberId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
});
afterAll(() => database.drop());

type Step =
  | { do: 'admit' }
  | { do: 'steal'; by: number }
  | { do: 'claim'; by: number }
  | { do: 'sweep' }
  | { do: 'outcome'; by: number; of: number; status: 'sent' | 'failed' | 'unknown' };

const by = fc.integer({ min: 0, max: 1 });
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('admit' as const) }),
    fc.record({ do: fc.constant('steal' as const), by }),
    fc.record({ do: fc.constant('claim' as const), by }),
    fc.record({ do: fc.constant('sweep' as const) }),
    fc.record({
      do: fc.constant('outcome' as const),
      by,
      of: fc.nat(5),
      status: fc.constantFrom('sent' as const, 'failed' as const, 'unknown' as const),
    }),
  ),
  { minLength: 3, maxLength: 20 },
);

const statusOf = async (messageId: string) => {
  const [row] = await database.sql<{ status: string }[]>`select status from messages where id = ${messageId}`;
  return row?.status;
};

test.each([
  ['has run out', `expires_at = clock_timestamp() - interval '1 second'`],
  ['was given back', 'worker_id = null, expires_at = null'],
  ['is somebody else’s', `worker_id = 'wrk_other', fence = fence + 1`],
])(
  'a message in progress under a lease that %s becomes unknown, even if its number never returns',
  async (_, change) => {
    await database.sql`update leases set worker_id = null, expires_at = null, next_send_at = clock_timestamp() where number_id = ${numberId}`;
    const workerId = newId('worker');
    const [lease] = await claimLeases(database, { workerId, volumeId: 'vol_test', most: 1, free: 1 });
    const holding = { numberId, workerId, fence: lease?.fence ?? 0 };
    await database.sql`update numbers set status = 'CONNECTED' where id = ${numberId}`;
    await queueMessage(database, { accountId, numberId });
    const claim = await claimSlot(database, holding, { intervalMs: 0 });
    await claim?.committed;
    await sweepDispatches(database);
    expect(await statusOf(claim?.message.id ?? '')).toBe('sending');
    await database.sql.unsafe(`update leases set ${change} where number_id = '${numberId}'`);
    await sweepDispatches(database);
    expect(await statusOf(claim?.message.id ?? '')).toBe('unknown');
  },
);

test('a claim whose answer was lost is not made later, and no other session is ended for it', async () => {
  const line = await reserve(database.pool);
  await line`select 1`;
  const { backend } = line.connection;
  if (!backend) throw new Error('the session is not known');
  const holding = { numberId, workerId: newId('worker'), fence: 0 };
  // As on the server after a failover: the process ID belongs to a session that began at another time.
  const another = { ...backend, startedAt: '2020-01-01 00:00:00+00' };
  expect(await findClaim(database, holding, { backend: another })).toBeNull();
  expect(await line`select 1 as one`).toEqual([{ one: 1 }]);
  // Simulates a PostgreSQL that has not processed the connection's last statement yet.
  const busy = line`select pg_sleep(20)`.catch((error: unknown) => error);
  expect(await findClaim(database, holding, { backend })).toBeNull();
  expect(await busy).toMatchObject({ code: '57P01' });
  line.release();
});

test('each message is claimed once, and only the current lease holder writes its outcome', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      await database.sql`delete from messages`;
      const nobody = () => ({ numberId, workerId: newId('worker'), fence: 0 });
      const holdings: [Holding, Holding] = [nobody(), nobody()];
      let holder = 0;
      const claimed: { messageId: string; waMessageId: string; by: number; fence: number }[] = [];

      const steal = async (by: number) => {
        await database.sql`update leases set expires_at = clock_timestamp() - interval '1 second' where number_id = ${numberId}`;
        const { workerId } = holdings[by as 0 | 1];
        const leases = await claimLeases(database, {
          workerId,
          volumeId: 'vol_test',
          most: 1000,
          free: 1000,
        });
        const lease = leases.find((one) => one.numberId === numberId);
        if (!lease) throw new Error('the lease was not taken');
        holdings[by as 0 | 1] = { numberId, workerId, fence: lease.fence };
        holder = by;
        await database.sql`update numbers set status = 'CONNECTED' where id = ${numberId}`;
        await takeOverUnknown(database, holdings[by as 0 | 1]);
      };

      await steal(0);
      for (const step of all) {
        if (step.do === 'admit') await queueMessage(database, { accountId, numberId });
        if (step.do === 'steal') await steal(step.by);
        if (step.do === 'claim') {
          const holding = holdings[step.by as 0 | 1];
          const claim = await claimSlot(database, holding, { intervalMs: 0 });
          if (!claim) continue;
          await claim.committed;
          expect(step.by).toBe(holder);
          const { id: messageId, waMessageId } = claim.message;
          claimed.push({ messageId, waMessageId, by: step.by, fence: holding.fence });
        }
        if (step.do === 'sweep') await sweepDispatches(database);
        if (step.do === 'outcome') {
          const of = claimed[step.of];
          if (!of) continue;
          const { status } = step;
          const written = await writeOutcome(database, holdings[step.by as 0 | 1], {
            ...(status === 'sent' ? { status } : { status, errorCode: 'send_failed' }),
            waMessageId: of.waMessageId,
            intervalMs: 0,
          });
          if (step.by !== holder) expect(written).toBe(false);
        }
      }
      expect(new Set(claimed.map(({ messageId }) => messageId)).size).toBe(claimed.length);
      // The last holder takes over the messages that the previous one was still sending.
      await steal(1 - holder);
      const rows =
        await database.sql`select 1 from messages where number_id = ${numberId} and status = 'sending'`;
      expect(rows).toEqual([]);
      expect(await renewLeases(database, { workerId: holdings[(1 - holder) as 0 | 1].workerId })).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 120_000);

test('the search for waiting files finds only numbers whose files are not being fetched', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const { workerId } = await linkAsWorker(database, number);
  const overlooked = (fetching: string[]) => findOverlooked(database, { workerId, fetching });
  const messageFor = async (recipient: string, mediaStatus: 'none' | 'pending' | 'ready') => {
    const id = await queueMessage(database, { ...number, recipient });
    await database.sql`update messages set media_status = ${mediaStatus} where id = ${id}`;
    return id;
  };
  expect(await overlooked([])).toEqual([]);
  const slow = await messageFor('491700000001@c.us', 'pending');
  expect(await overlooked([])).toEqual([number.numberId]);
  expect(await overlooked([slow])).toEqual([]);
  // A message that may not overtake the slow file waits with it.
  await messageFor('491700000001@c.us', 'none');
  expect(await overlooked([slow])).toEqual([]);
  const second = await messageFor('491700000002@c.us', 'pending');
  expect(await overlooked([slow])).toEqual([number.numberId]);
  expect(await overlooked([slow, second])).toEqual([]);
  await messageFor('491700000003@c.us', 'ready');
  expect(await overlooked([slow, second])).toEqual([number.numberId]);
});

test('a message reported as unknown during a takeover of its number is resolved too', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const old = await linkAsWorker(database, number);
  const id = await queueMessage(database, number);
  const claim = await claimSlot(database, old, { intervalMs: 0 });
  await claim?.committed;
  const waMessageId = claim?.message.waMessageId;
  const holding: Holding = { ...old, workerId: newId('worker'), fence: old.fence + 1 };
  await database.sql`
    update leases set worker_id = ${holding.workerId}, fence = ${holding.fence} where number_id = ${number.numberId}`;
  let taken: Promise<{ waMessageId: string }[]> | undefined;
  await database.sql.begin(async (sweep) => {
    await sweep`update messages set status = 'unknown', settled_at = clock_timestamp() where id = ${id}`;
    // The takeover begins before the sweep is committed, so it must wait.
    taken = takeOverUnknown(database, holding);
    await vi.waitFor(async () => {
      const waiting = await database.sql`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      expect(waiting).toHaveLength(1);
    });
  });
  expect(await taken).toMatchObject([{ waMessageId }]);
});

test('an unknown message that was scheduled weeks before it was dispatched is resolved too', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const old = await linkAsWorker(database, number);
  const id = await queueMessage(database, number);
  await database.sql`update messages set created_at = created_at - interval '20 days' where id = ${id}`;
  const claim = await claimSlot(database, old, { intervalMs: 0 });
  await claim?.committed;
  const waMessageId = claim?.message.waMessageId;
  expect(await takeOverUnknown(database, { ...old, fence: old.fence + 1 })).toMatchObject([{ waMessageId }]);
  await database.sql`update messages set dispatched_at = dispatched_at - interval '4 days' where id = ${id}`;
  expect(await takeOverUnknown(database, { ...old, fence: old.fence + 1 })).toEqual([]);
});

test('a worker that has lost a lease writes nothing more; the lease holder does', async () => {
  const account = await makeAccount(database);
  const number = { ...account, numberId: await makeNumber(database, account) };
  const old = await linkAsWorker(database, number);
  const messageFor = async (mediaStatus: 'none' | 'pending' | 'ready', recipient: string) => {
    const id = await queueMessage(database, { ...number, recipient });
    await database.sql`update messages set media_status = ${mediaStatus} where id = ${id}`;
    return id;
  };
  const pending = await messageFor('pending', '491700000001@c.us');
  const broken = await messageFor('pending', '491700000002@c.us');
  const ready = await messageFor('ready', '491700000003@c.us');
  await messageFor('none', '491700000004@c.us');
  await takeUpProfile(database, old, { volumeId: 'vol_test', host: 'alder', generation: 1 });
  await database.sql`update leases set expires_at = clock_timestamp() - interval '1 second' where number_id = ${number.numberId}`;
  const workerId = newId('worker');
  const leases = await claimLeases(database, { workerId, volumeId: 'vol_test', most: 1000, free: 1000 });
  const lease = leases.find(({ numberId: id }) => id === number.numberId);
  if (!lease) throw new Error('the lease was not taken');
  const holder = { numberId: number.numberId, workerId, fence: lease.fence };
  await writeStatus(database, holder, { status: 'CONNECTED', cause: null });
  await database.sql`insert into number_groups (number_id, asked_at) values (${number.numberId}, clock_timestamp())`;
  await writeLink(database, holder, { qr: '2@shown', qrExpiresAtMs: Date.now() + 60_000 });
  const [row] = await database.sql<{ revision: number }[]>`
    select intent_revision as revision from numbers where id = ${number.numberId}`;
  const revision = row?.revision ?? 0;

  const cancelled = { ...number, errorCode: 'unlinked' } as const;
  const failed = { errorCode: 'media_unusable' } as const;
  const file = { mimeType: 'image/png', bytes: 1, sha256: 'a'.repeat(64) };
  const sealed = Buffer.from('sealed');
  // Ordered so that each write still has something to change.
  const writes: [name: string, write: (holding: Holding) => Promise<unknown>][] = [
    [
      'the state',
      (h) => writeStatus(database, h, { status: 'CONNECTED', cause: { code: 'phone_replaced' } }),
    ],
    ['a code', (h) => writeLink(database, h, { qr: '2@other' })],
    ['groups', (h) => writeGroups(database, h, { error: 'None.' })],
    ['no groups', (h) => forgetGroups(database, h)],
    ['a file', (h) => writeMediaReady(database, h, { messageId: pending, ...file })],
    ['a file to fetch again', (h) => writeMediaPending(database, h, { messageIds: [ready] })],
    ['no file', (h) => writeMediaFailed(database, h, { messageId: broken, ...failed })],
    ['a later slot', (h) => delaySlot(database, h, { intervalMs: 60_000 })],
    ['a sooner slot', (h) => cutSlot(database, h, { intervalMs: 5000 })],
    ['a move', (h) => beginMove(database, h)],
    ['what a stop has left', (h) => writeSnapshot(database, h, { version: 1, sealed })],
    ['a start', (h) => takeUpProfile(database, h, { volumeId: 'vol_other', host: 'elm', generation: 2 })],
    ['no session', (h) => forgetProfile(database, h)],
    ['the link', (h) => writeLinked(database, h, { phone: '491711111111' })],
    ['what waits', (h) => cancelWaiting(database.db, { ...cancelled, holding: h })],
    ['a code once more', (h) => writeLink(database, h, { qr: '2@last' })],
    ['the intent', (h) => settleIntent(database, h, { intent: 'idle', revision })],
    ['the lease', (h) => releaseLease(database, h, { notify: false })],
  ];
  const stored = async () => {
    const { numberId: id } = number;
    return database.sql.unsafe(`
      select 'numbers' as of, to_jsonb(t)::text as row from numbers t where id = '${id}'
      union all select 'number_links', to_jsonb(t)::text from number_links t where number_id = '${id}'
      union all select 'number_groups', to_jsonb(t)::text from number_groups t where number_id = '${id}'
      union all select 'profiles', to_jsonb(t)::text from profiles t where number_id = '${id}'
      union all select 'leases', to_jsonb(t)::text from leases t where number_id = '${id}'
      union all select 'messages', to_jsonb(t)::text from messages t where number_id = '${id}'
      order by 1, 2`);
  };
  expect(await canDispatch(database, old)).toBe(false);
  expect(await canDispatch(database, holder)).toBe(true);
  for (const [name, write] of writes) {
    const before = await stored();
    await write(old);
    expect(await stored(), `${name}, by the old one`).toEqual(before);
    await write(holder);
    expect(await stored(), `${name}, by the holder`).not.toEqual(before);
  }
});
