import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/core/id.ts';
import { createTestDatabase } from '#server/db/testing.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/services/testing.ts';
import {
  claimSlot,
  findClaim,
  findOverlooked,
  sweepDispatches,
  takeOverOpen,
  writeOutcome,
} from '#server/store/dispatch.ts';
import { claimLeases, type Holding, renewLeases } from '#server/store/leases.ts';

/** Two workers that take a number's lease from each other at any moment, while both believe to have it. */

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
  'what was being sent under a lease that %s is unknown, though its number never comes back',
  async (_, change) => {
    await database.sql`update leases set worker_id = null, expires_at = null, next_send_at = clock_timestamp() where number_id = ${numberId}`;
    const workerId = newId('worker');
    const [lease] = await claimLeases(database, { workerId, volumeId: 'vol_test', most: 1, free: 1 });
    const holding = { numberId, workerId, fence: lease?.fence ?? 0 };
    await database.sql`update numbers set status = 'CONNECTED' where id = ${numberId}`;
    await queueMessage(database, { accountId, numberId });
    const claim = await claimSlot(database, holding, { waMessageId: newId('message'), intervalMs: 0 });
    await claim?.committed;
    await sweepDispatches(database);
    expect(await statusOf(claim?.message.id ?? '')).toBe('sending');
    await database.sql.unsafe(`update leases set ${change} where number_id = '${numberId}'`);
    await sweepDispatches(database);
    expect(await statusOf(claim?.message.id ?? '')).toBe('unknown');
  },
);

test('a claim whose answer was lost is not made later, when nobody looks for it any more', async () => {
  const line = await database.sql.reserve();
  const [own] = await line<{ pid: number }[]>`select pg_backend_pid() as pid`;
  // Stands for the time until PostgreSQL comes to what the connection has sent.
  const busy = line`select pg_sleep(20)`.catch((error: unknown) => error);
  const found = await findClaim(
    database,
    { numberId, workerId: newId('worker'), fence: 0 },
    { waMessageId: newId('message'), backendPid: own?.pid ?? null },
  );
  expect(found).toBeNull();
  expect(await busy).toMatchObject({ code: '57P01' });
  line.release();
});

test('whoever holds the lease, each message is claimed once, and only its holder writes what became of it', async () => {
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
        await takeOverOpen(database, holdings[by as 0 | 1]);
      };

      await steal(0);
      for (const step of all) {
        if (step.do === 'admit') await queueMessage(database, { accountId, numberId });
        if (step.do === 'steal') await steal(step.by);
        if (step.do === 'claim') {
          const waMessageId = newId('message');
          const holding = holdings[step.by as 0 | 1];
          const claim = await claimSlot(database, holding, { waMessageId, intervalMs: 0 });
          if (!claim) continue;
          await claim.committed;
          expect(step.by).toBe(holder);
          claimed.push({ messageId: claim.message.id, waMessageId, by: step.by, fence: holding.fence });
        }
        if (step.do === 'sweep') await sweepDispatches(database);
        if (step.do === 'outcome') {
          const of = claimed[step.of];
          if (!of) continue;
          const { status } = step;
          const written = await writeOutcome(database, holdings[step.by as 0 | 1], {
            waMessageId: of.waMessageId,
            status,
            intervalMs: 0,
          });
          if (step.by !== holder) expect(written).toBe(false);
        }
      }
      expect(new Set(claimed.map(({ messageId }) => messageId)).size).toBe(claimed.length);
      // The last holder settles what the one before has left open.
      await steal(1 - holder);
      const rows =
        await database.sql`select 1 from messages where number_id = ${numberId} and status = 'sending'`;
      expect(rows).toEqual([]);
      expect(await renewLeases(database, { workerId: holdings[(1 - holder) as 0 | 1].workerId })).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 120_000);

test('of numbers on which something waits, those are overlooked whose files are not on their way', async () => {
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
  // What may not overtake the slow file waits with it.
  await messageFor('491700000001@c.us', 'none');
  expect(await overlooked([slow])).toEqual([]);
  const second = await messageFor('491700000002@c.us', 'pending');
  expect(await overlooked([slow])).toEqual([number.numberId]);
  expect(await overlooked([slow, second])).toEqual([]);
  await messageFor('491700000003@c.us', 'ready');
  expect(await overlooked([slow, second])).toEqual([number.numberId]);
});
