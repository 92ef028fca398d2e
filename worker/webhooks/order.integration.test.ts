import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTEMPTS_IN_ORDER } from '#server/core/webhooks/backoff.ts';
import type { AccountContext } from '#server/platform/db/context.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { changeEndpoint, createEndpoint, replay } from '#server/webhooks/endpoints.ts';
import { type Claimed, claimDeliveries, recordAttempts } from '#server/webhooks/queries/deliveries.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const MESSAGES = 3;
const STATUSES = ['sending', 'sent', 'delivered', 'read'];
/** What happens to a claimed delivery: its process is killed before or after the request, or it is recorded. */
const Fate = fc.constantFrom('killed before', 'killed after', 'refused', 'accepted');

/** What happens before a replay. */
const Step = fc.constantFrom('change', 'change', 'deliver', 'refuse', 'switch off', 'switch on');

interface Endpoint {
  context: AccountContext;
  endpointId: string;
  messageIds: string[];
}

async function newEndpoint(): Promise<Endpoint> {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const context = { database, accountId, actor: CLI };
  const { id: endpointId } = await createEndpoint(context, { numberId, url: 'https://example.com/' });
  const messageIds = await Promise.all(
    Array.from({ length: MESSAGES }, () => queueMessage(database, { accountId, numberId })),
  );
  return { context, endpointId, messageIds };
}

const record = ({ deliveryId, eventId, endpointId }: Claimed, error: string | null) =>
  recordAttempts(database, [
    {
      ...{ deliveryId, eventId, endpointId, error },
      ...{ durationMs: 1, requestHeaders: {}, answer: '' },
      ...{ status: error === null ? 200 : 500, retryInMs: error === null ? null : 0, restMs: null },
    },
  ]);

/** With a lease that has already ended: 0 may be rounded up to the next millisecond. */
const claim = (endpointId: string, most: number) =>
  claimDeliveries(database, { endpointId, most, leaseMs: -1 });

test('whatever processes are killed, each event arrives, and those of a message in order unless they fail', async () => {
  const run = fc.asyncProperty(fc.array(Fate, { minLength: 5, maxLength: 60 }), async (fates) => {
    const { endpointId, messageIds } = await newEndpoint();
    const arrived = new Map<string, number[]>(messageIds.map((id) => [id, []]));
    const failed = new Map<string, number>();
    const arrive = ({ data }: Claimed) => {
      const seen = arrived.get(String(data.id)) ?? [];
      if (!seen.includes(Number(data.sequence))) seen.push(Number(data.sequence));
    };
    const changes = STATUSES.flatMap((status) => messageIds.map((id) => ({ id, status })));
    for (const fate of fates) {
      const change = changes.shift();
      if (change) await database.sql`update messages set status = ${change.status} where id = ${change.id}`;
      for (const claimed of await claim(endpointId, 2)) {
        if (fate !== 'killed before') arrive(claimed);
        if (fate === 'accepted') await record(claimed, null);
        if (fate === 'refused') {
          failed.set(String(claimed.data.id), (failed.get(String(claimed.data.id)) ?? 0) + 1);
          await record(claimed, 'refused');
        }
      }
    }
    for (const { id, status } of changes)
      await database.sql`update messages set status = ${status} where id = ${id}`;
    for (let left = await claim(endpointId, 8); left.length > 0; left = await claim(endpointId, 8))
      for (const claimed of left) {
        arrive(claimed);
        await record(claimed, null);
      }
    for (const [id, seen] of arrived) {
      expect(seen.toSorted()).toEqual([1, 2, 3]);
      if ((failed.get(id) ?? 0) < ATTEMPTS_IN_ORDER) expect(seen).toEqual([1, 2, 3]);
    }
  });
  await fc.assert(run, { numRuns: 25 });
}, 60_000);

test('whatever an endpoint missed or refused, a replay sends the events of each message in order', async () => {
  const run = fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 60 }), async (steps) => {
    const { context, endpointId, messageIds } = await newEndpoint();
    // One message after the other, so that an endpoint often misses some of a message's events.
    const changes = messageIds.flatMap((id) => STATUSES.map((status) => ({ id, status })));
    const change = async ({ id, status }: { id: string; status: string }) => {
      await database.sql`update messages set status = ${status} where id = ${id}`;
    };
    for (const step of steps) {
      const next = step === 'change' ? changes.shift() : undefined;
      if (next) await change(next);
      if (step === 'deliver') for (const claimed of await claim(endpointId, 2)) await record(claimed, null);
      if (step === 'refuse')
        for (const claimed of await claim(endpointId, 2)) await record(claimed, 'refused');
      if (step === 'switch off') await changeEndpoint(context, { endpointId }, { active: false });
      if (step === 'switch on') await changeEndpoint(context, { endpointId }, { active: true });
    }
    for (const one of changes) await change(one);
    await changeEndpoint(context, { endpointId }, { active: true });
    await replay(context, { endpointId }, { since: new Date(0) });
    const arrived = new Map<unknown, unknown[]>(messageIds.map((id) => [id, []]));
    for (let left = await claim(endpointId, 2); left.length > 0; left = await claim(endpointId, 2))
      for (const claimed of left) {
        arrived.get(claimed.data.id)?.push(claimed.data.sequence);
        await record(claimed, null);
      }
    expect([...arrived.values()]).toEqual(messageIds.map(() => [1, 2, 3]));
  });
  await fc.assert(run, { numRuns: 25 });
}, 60_000);
