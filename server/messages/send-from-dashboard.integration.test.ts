import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { overview } from '#server/accounts/overview.ts';
import { removeNumber } from '#server/numbers/unlink-number.ts';
import { deactivatePlan } from '#server/plans/activate-plan.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  queueMessage,
} from '#server/testing/domain.ts';
import { getMessageDetail } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import { cancelWaiting } from './queries/cancel-waiting.ts';
import { sendAgain } from './send-from-dashboard.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));
afterAll(stopClientBoss);

async function withEnded(end: 'cancelled' | 'waiting' = 'cancelled') {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const messageId = await queueMessage(database, {
    accountId,
    numberId,
    recipient: '120363025246125486@g.us',
  });
  if (end === 'cancelled') await cancelWaiting(database.db, { accountId, errorCode: 'cancelled_by_person' });
  return { accountId, numberId, messageId };
}

test('resending creates a new message without a key, and leaves the first unchanged', async () => {
  const { accountId, messageId } = await withEnded();
  await database.sql`update messages set idempotency_key = 'hash' where id = ${messageId}`;
  const again = await sendAgain({ database, accountId }, { messageId });
  expect(again.messageId).not.toBe(messageId);
  const [first, second] = await Promise.all(
    [messageId, again.messageId].map((id) => getMessageDetail({ database, accountId }, { messageId: id })),
  );
  expect(second).toMatchObject({
    to: first?.to,
    content: first?.content,
    status: 'queued',
    lane: 'async',
    keyId: null,
  });
  expect(first?.status).toBe('cancelled');
  expect([first?.withIdempotencyKey, second?.withIdempotencyKey]).toEqual([true, false]);
  // A person who sends again twice wants two messages.
  expect((await sendAgain({ database, accountId }, { messageId })).messageId).not.toBe(again.messageId);
});

test('a message and those that it was sent again as name each other, until they are deleted', async () => {
  const { accountId, messageId } = await withEnded();
  const context = { database, accountId };
  const look = (id: string) => getMessageDetail(context, { messageId: id });
  const first = await sendAgain(context, { messageId });
  const second = await sendAgain(context, { messageId });
  expect(await look(messageId)).toMatchObject({
    repeats: null,
    sentAgainAs: [second.messageId, first.messageId],
  });
  expect(await look(first.messageId)).toMatchObject({ repeats: messageId, sentAgainAs: [] });
  await database.sql`delete from messages where id in (${messageId}, ${first.messageId})`;
  expect(await look(second.messageId)).toMatchObject({ repeats: null, sentAgainAs: [] });
});

test('of two pages that know the same of a message, one sends it again, and the other gets that message', async () => {
  const { accountId, messageId } = await withEnded();
  const again = (sentAgainAs: string | null) =>
    sendAgain({ database, accountId }, { messageId, sentAgainAs });
  const [one, other] = await Promise.all([again(null), again(null)]);
  expect(other.messageId).toBe(one.messageId);
  expect([one.already, other.already].sort()).toEqual([false, true]);
  expect(await getMessageDetail({ database, accountId }, one)).toMatchObject({ withIdempotencyKey: false });
  // A page that knows of the repeat wants another one.
  const next = await again(one.messageId);
  expect(next).toMatchObject({ already: false });
  // So does one that knows that the repeat was not sent.
  await database.sql`
    update messages set status = 'cancelled', error_code = 'cancelled_by_person' where id = ${one.messageId}`;
  expect((await again(null)).already).toBe(false);
});

test('a page that does not know of repeats sends a message again once in one attempt', async () => {
  const { accountId, messageId } = await withEnded();
  const again = (attempt: string) => sendAgain({ database, accountId }, { messageId, attempt });
  const first = await again('one');
  expect(await again('one')).toEqual({ messageId: first.messageId, already: true });
  expect(await again('two')).toMatchObject({ already: false });
});

test('the list ties a message that was not sent to the message that repeats it', async () => {
  const { accountId, messageId } = await withEnded();
  const context = { database, accountId };
  const listed = async () =>
    (await listMessages(context, { limit: 10 })).rows.map(({ id, sentAgainAs }) => [id, sentAgainAs]);
  const first = await sendAgain(context, { messageId });
  const second = await sendAgain(context, { messageId });
  expect(await listed()).toEqual([
    [second.messageId, null],
    [first.messageId, null],
    [messageId, second.messageId],
  ]);
  // A repeat that was not sent either is not one.
  await database.sql`
    update messages set status = 'cancelled', error_code = 'cancelled_by_person' where id = ${second.messageId}`;
  expect((await listed()).at(-1)).toEqual([messageId, first.messageId]);
});

test('a message that is sent again, with its reference, no longer needs attention', async () => {
  const { accountId, messageId } = await withEnded('waiting');
  await database.sql`update messages set reference = 'order-1', status = 'sending' where id = ${messageId}`;
  await database.sql`update messages set status = 'unknown' where id = ${messageId}`;
  const listed = async () => {
    const { troubles, handled } = await overview({ database, accountId });
    return { ids: troubles.map(({ id }) => id), handled };
  };
  expect(await listed()).toEqual({ ids: [messageId], handled: false });
  await sendAgain({ database, accountId }, { messageId });
  expect(await listed()).toEqual({ ids: [], handled: true });
});

test('an unfinished, erased or foreign message is not resent', async () => {
  const waiting = await withEnded('waiting');
  await expect(sendAgain({ database, ...waiting }, waiting)).rejects.toMatchObject({
    code: 'already_exists',
  });
  const ended = await withEnded();
  await expect(sendAgain({ database, accountId: waiting.accountId }, ended)).rejects.toMatchObject({
    code: 'not_found',
  });
  await database.sql`update messages set content = null where id = ${ended.messageId}`;
  await expect(sendAgain({ database, ...ended }, ended)).rejects.toMatchObject({
    code: 'invalid_parameters',
  });
  expect((await messageState(database, ended.messageId)).events).toEqual(['accepted', 'cancelled']);
});

test('sending from the dashboard needs what a key needs: a plan, a number, a connection', async () => {
  const ended = await withEnded();
  await database.sql`update numbers set status = 'LOGGED_OUT' where id = ${ended.numberId}`;
  await expect(sendAgain({ database, ...ended }, ended)).rejects.toMatchObject({
    code: 'not_connected',
    details: { numberStatus: 'LOGGED_OUT' },
  });
  await deactivatePlan({ database, accountId: ended.accountId, actor: CLI });
  await expect(sendAgain({ database, ...ended }, ended)).rejects.toMatchObject({ code: 'plan_inactive' });
  const removed = await withEnded();
  await removeNumber({ database, ...removed, actor: CLI }, removed);
  await expect(sendAgain({ database, ...removed }, removed)).rejects.toMatchObject({ code: 'not_found' });
});

test('whether its time has passed is decided by the database’s clock', async () => {
  const { accountId, messageId } = await withEnded();
  const again = () => sendAgain({ database, accountId }, { messageId, atItsTime: true });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 });
  try {
    await database.sql`update messages set send_at = clock_timestamp() + interval '1 hour' where id = ${messageId}`;
    expect((await again()).already).toBe(false);
    vi.setSystemTime(Date.now() - 14_400_000);
    await database.sql`update messages set send_at = clock_timestamp() - interval '30 seconds' where id = ${messageId}`;
    await expect(again()).rejects.toMatchObject({ message: expect.stringContaining('has passed') });
  } finally {
    vi.useRealTimers();
  }
});

test('a scheduled message is scheduled again at its time, and once that has passed only sent', async () => {
  const { accountId, messageId } = await withEnded();
  const again = () => sendAgain({ database, accountId }, { messageId, atItsTime: true });
  await expect(again()).rejects.toMatchObject({ code: 'invalid_parameters' });
  await database.sql`update messages set send_at = date_trunc('milliseconds', clock_timestamp()) + interval '1 hour' where id = ${messageId}`;
  const { messageId: later } = await again();
  const [first, second] = await Promise.all(
    [messageId, later].map((id) => getMessageDetail({ database, accountId }, { messageId: id })),
  );
  expect(second?.sendAt).toEqual(first?.sendAt);
  const { messageId: now } = await sendAgain({ database, accountId }, { messageId });
  expect((await getMessageDetail({ database, accountId }, { messageId: now })).sendAt).toBeNull();
  await database.sql`update messages set send_at = clock_timestamp() - interval '1 hour' where id = ${messageId}`;
  await expect(again()).rejects.toMatchObject({ message: expect.stringContaining('has passed') });
});
