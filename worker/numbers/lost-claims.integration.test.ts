import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppError } from '#server/core/errors.ts';
import { startWorld, until, type World } from '../testing/world.ts';
import { dispatched, outcomes } from './dispatch/lost-claims.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const stored = async (messageId: string) => {
  const [row] = await world.database.sql<{ status: string; waMessageId: string | null }[]>`
    select status, wa_message_id as "waMessageId" from messages where id = ${messageId}`;
  return row;
};
const deliveredOf = (numberId: string) => world.network.delivered.filter((d) => d.numberId === numberId);

/** The message as on a replica that lacks the last commits: before its claim, or before its outcome. */
async function lose(what: 'claim' | 'outcome', messageId: string): Promise<void> {
  await world.database.sql.begin(async (sql) => {
    // The triggers allow no way back.
    await sql`set local session_replication_role = replica`;
    await sql`
      update messages set status = 'sending', sent_at = null, settled_at = null, error_code = null, outcome = null
      where id = ${messageId}`;
    if (what === 'claim')
      await sql`
        update messages set status = 'queued', wa_message_id = null, fence = null, dispatched_at = null,
          deadline_at = clock_timestamp() + interval '1 hour'
        where id = ${messageId}`;
  });
}

test('a message whose claim the database has lost is not sent again, and has its first dispatch’s outcome', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const { message } = await world.text(key, '491700000001', 'once');
  const first = await stored(message.id);
  expect(first?.status).toBe('sent');
  await lose('claim', message.id);
  // Wakes the dispatcher, and leaves after the first message.
  await world.text(key, '491700000001', 'next');
  await until(async () => (await stored(message.id))?.status === 'sent');
  expect(await stored(message.id)).toEqual(first);
  expect(deliveredOf(numberId)).toHaveLength(2);
});

test('a message that was reported as not sent stays failed when the database loses its claim', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.behave(numberId, 'refuse');
  const refused = await world.text(key, '491700000001', 'refused').catch((error: AppError) => error.details);
  const messageId = 'messageId' in refused ? (refused.messageId ?? '') : '';
  const first = await stored(messageId);
  expect(first?.status).toBe('failed');
  await lose('claim', messageId);
  await world.text(key, '491700000001', 'next');
  await until(async () => (await stored(messageId))?.status === 'failed');
  expect(await stored(messageId)).toEqual(first);
  expect(deliveredOf(numberId)).toHaveLength(1);
});

test('an outcome that the database has lost is written again', async () => {
  const { key } = await world.addLinkedNumber();
  const { message } = await world.text(key, '491700000001', 'once');
  await lose('outcome', message.id);
  await until(async () => (await stored(message.id))?.status === 'sent');
});

test('a worker that starts after the database has lost a claim does not send the message again', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const { message } = await world.text(key, '491700000001', 'once');
  const first = await stored(message.id);
  await world.stopWorker();
  await lose('claim', message.id);
  dispatched.clear();
  outcomes.clear();
  await world.restartWorker();
  await until(async () => (await stored(message.id))?.status === 'sent');
  expect(await stored(message.id)).toEqual(first);
  expect(deliveredOf(numberId)).toHaveLength(1);
  expect(world.network.repeats).toBe(0);
});

describe.each(['the same worker', 'a new one'])(
  'the row of a delivered message is lost, and a repeat goes to %s',
  (worker) => {
    const repeatOn = async (
      number: { key: string; numberId: string },
      body: string,
      idempotencyKey: string | null,
    ) => {
      const send = () => world.text(number.key, '491700000001', body, { idempotencyKey });
      const { message } = await send();
      await world.database.sql`delete from messages where id = ${message.id}`;
      if (worker === 'a new one') {
        dispatched.clear();
        outcomes.clear();
        await world.restartWorker();
        await world.untilStatus(number.numberId, 'CONNECTED');
      }
      return (await send()).message;
    };

    test('with an Idempotency-Key: it is not sent again, and answered as sent', async () => {
      const number = await world.addLinkedNumber();
      expect((await repeatOn(number, 'once', 'order 1')).status).toBe('sent');
      expect(deliveredOf(number.numberId)).toHaveLength(1);
    });

    test('without one it is sent again', async () => {
      const number = await world.addLinkedNumber();
      expect((await repeatOn(number, 'twice', null)).status).toBe('sent');
      expect(deliveredOf(number.numberId)).toHaveLength(2);
    });
  },
);

test('the same key sends another body, and the same body again after a message that was not sent', async () => {
  const number = await world.addLinkedNumber();
  const send = (body: string) => world.text(number.key, '491700000001', body, { idempotencyKey: 'order 2' });
  const { message } = await send('first');
  await world.database.sql`delete from messages where id = ${message.id}`;
  world.network.behave(number.numberId, 'refuse');
  await expect(send('second')).rejects.toMatchObject({ details: { sendOutcome: 'not_sent' } });
  expect((await send('second')).message.status).toBe('sent');
  expect(deliveredOf(number.numberId)).toHaveLength(2);
});

test('a message that waited while no worker ran is sent by the next one', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  await world.stopWorker();
  const { message } = await world.text(key, '491700000001', 'waited', {
    mode: { kind: 'async', expiresInSeconds: null },
  });
  await world.restartWorker();
  await until(async () => (await stored(message.id))?.status === 'sent');
  expect(deliveredOf(numberId)).toHaveLength(1);
});
