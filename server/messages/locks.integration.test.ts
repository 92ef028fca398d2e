import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Holding } from '#server/core/lease.ts';
import { because } from '#server/core/message-outcome.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { lockNumber } from '#server/numbers/queries/numbers.ts';
import { writeLinked } from '#server/numbers/queries/sessions.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { lockForAdmission, takeOverWaiting } from './queries/admission.ts';
import { cancelWaiting } from './queries/cancel-waiting.ts';
import { claimSlot } from './queries/claim.ts';
import { writeOutcome } from './queries/dispatch.ts';
import { endWaiting } from './queries/outcomes.ts';
import { sweepDispatches, sweepWaiting } from './queries/sweeps.ts';

/** A number's lock keeps out admissions and changes. Whatever holds a message's lock must never wait for it. */

const RECIPIENT = '4915228817386@c.us' as Recipient;
const WITHIN_MS = 15_000;

const database = testDatabase();
let accountId: string;
let numberId: string;
let holding: Holding;

beforeAll(async () => {
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  holding = await linkAsWorker(database, { numberId });
  await createEndpoint({ database, accountId, actor: CLI }, { numberId, url: 'https://example.com/' });
});

const message = () => queueMessage(database, { accountId, numberId, recipient: RECIPIENT });
const soon = <T>(work: Promise<T>) => Promise.race([work, delay(WITHIN_MS, 'it waits')]);

test('an outcome is written while a request of the number is admitted, which then joins that message', async () => {
  const messageId = await message();
  const claim = await claimSlot(database, holding, { intervalMs: 0 });
  await claim?.committed;
  const { waMessageId = '' } = claim?.message ?? {};
  await database.sql.begin(async (sql) => {
    await lockForAdmission(sql.db, {
      kind: 'text',
      ...{ accountId, numberId, keyId: null, recipient: RECIPIENT, requestHash: null },
      ...{ webId: 'web_1', leftAgeMs: null },
    });
    expect(await soon(writeOutcome(database, holding, { status: 'sent', waMessageId, intervalMs: 0 }))).toBe(
      true,
    );
    await takeOverWaiting(sql.db, { messageId, webId: 'web_1' });
  });
});

test('a message ends at its deadline while the queue of its number is cancelled', async () => {
  const messageId = await message();
  await database.db.transaction(async (tx) => {
    await lockNumber(tx, { accountId, numberId });
    const ended = endWaiting(database.db, {
      ...{
        numberId,
        messageId,
        deadlineWithinMs: 3_600_000,
        status: 'expired',
        errorCode: 'deadline_passed',
      },
    });
    expect(await soon(ended)).toMatchObject({ status: 'expired' });
    await cancelWaiting(tx, { accountId, numberId, ...because('unlinked', 'unlinked') });
  });
});

test('the sweeps pass over a message that is being changed, and end the others', async () => {
  const statuses = (ids: string[]) =>
    database.sql<{ id: string; status: string }[]>`
      select status from messages where id = any(${ids}) order by seq`.then((rows) =>
      rows.map((row) => row.status),
    );
  const waiting = [await message(), await message()];
  const sending = [await message(), await message()];
  await database.sql`update messages set deadline_at = created_at where id = any(${waiting})`;
  await database.sql`
    update messages set status = 'sending', fence = ${holding.fence - 1}, wa_message_id = id where id = any(${sending})`;
  await database.sql.begin(async (sql) => {
    await sql`update messages set answered = true where id = any(${[waiting[0] ?? '', sending[0] ?? '']})`;
    await database.sql`select pg_sleep(1)`;
    expect(await soon(sweepWaiting(database))).toBeUndefined();
    expect(await soon(sweepDispatches(database))).toBeUndefined();
    expect(await statuses([...waiting, ...sending])).toEqual(['queued', 'expired', 'sending', 'unknown']);
  });
  await sweepWaiting(database);
  await sweepDispatches(database);
  expect(await statuses([...waiting, ...sending])).toEqual(['expired', 'expired', 'unknown', 'unknown']);
});

test('a number is linked again while its waiting messages are cancelled', async () => {
  const messageId = await message();
  await database.sql`update numbers set intent = 'link' where id = ${numberId}`;
  let linked: Promise<void> | undefined;
  await database.db.transaction(async (tx) => {
    await lockNumber(tx, { accountId, numberId });
    linked = writeLinked(database, holding, { phone: '4915228817387' });
    await vi.waitFor(async () => {
      const waiters = await database.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(waiters).toHaveLength(1);
    }, WITHIN_MS);
    expect(await cancelWaiting(tx, { accountId, numberId, ...because('unlinked', 'unlinked') })).toBe(1);
  });
  await linked;
  const [row] = await database.sql`
    select m.status, n.intent, n.held_at as held from messages m join numbers n on n.id = m.number_id where m.id = ${messageId}`;
  expect(row).toEqual({ status: 'cancelled', intent: 'run', held: null });
});
