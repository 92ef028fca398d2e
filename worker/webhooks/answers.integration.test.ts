import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { sqlOver } from '#server/testing/sql.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { claimDeliveries, recordAttempts } from '#server/webhooks/queries/deliveries.ts';
import { judge } from './request.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A claimed event of an account of its own. */
async function claimed() {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const context = { database, accountId, actor: CLI };
  const { id: endpointId } = await createEndpoint(context, { numberId, url: 'https://example.com/' });
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`update messages set status = 'cancelled' where id = ${messageId}`;
  const [one] = await claimDeliveries(database, { endpointId, most: 1, leaseMs: 60_000 });
  if (!one) throw new Error('nothing is due');
  return one;
}

test('whatever an endpoint answers, its attempt and those of other accounts are stored', async () => {
  const bodies = ['fine', `${'x'.repeat(4095)}\u{1f426}`, 'a\0b', '\ud83d', `${'x'.repeat(5000)}`];
  const attempts = [];
  for (const body of bodies) {
    const { deliveryId, eventId, endpointId } = await claimed();
    const judged = judge({ answer: { status: 200, body } });
    const rest = { durationMs: 1, requestHeaders: {}, retryInMs: null, restMs: null };
    attempts.push({ deliveryId, eventId, endpointId, ...judged, ...rest });
  }
  await recordAttempts(database, attempts);
  const rows = await database.sql<{ state: string; answer: string }[]>`
    select d.state, a.answer from webhook_attempts a join webhook_deliveries d on d.id = a.delivery_id order by d.id`;
  expect(rows.map(({ state }) => state)).toEqual(bodies.map(() => 'delivered'));
  expect(rows.map(({ answer }) => answer.length)).toEqual([4, 4096, 3, 1, 4096]);
});

test('PostgreSQL plans no statement that stores attempts again', async () => {
  for (let n = 0; n < 3; n += 1) {
    const { deliveryId, eventId, endpointId } = await claimed();
    const judged = judge({ answer: { status: 200, body: '' } });
    const rest = { durationMs: 1, requestHeaders: {}, retryInMs: null, restMs: null };
    await recordAttempts(database, [{ deliveryId, eventId, endpointId, ...judged, ...rest }]);
  }
  const [row] = await sqlOver(database.webhooksPool.db)`
    select sum(generic_plans)::int as kept, sum(custom_plans)::int as planned from pg_prepared_statements
    where statement like '%insert into webhook_attempts%'`;
  expect(row).toEqual({ kept: expect.any(Number), planned: 0 });
});
