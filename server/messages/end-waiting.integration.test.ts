import { afterAll, expect, test } from 'vitest';
import { because } from '#server/core/message-outcome.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, messageState, queueMessage } from '#server/testing/domain.ts';
import { endWaiting } from './queries/outcomes.ts';

const database = testDatabase();
afterAll(stopClientBoss);

test('a message that waited too long ends with its event, or not at all', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const messageId = await queueMessage(database, { accountId, numberId });
  const end = () =>
    endWaiting(database.db, {
      ...{ numberId, messageId, deadlineWithinMs: 3_600_000, status: 'expired' },
      ...because('deadline_passed', 'async'),
    });
  const events = () =>
    database.sql`select event, detail from message_events where message_id = ${messageId} and event <> 'accepted'`;

  await database.sql`create function no_event() returns trigger language plpgsql as
    $$ begin raise exception 'terminating' using errcode = '57P01'; end $$`;
  await database.sql`create trigger no_event before insert on message_events for each row execute function no_event()`;
  await expect(end()).rejects.toThrow();
  expect(await messageState(database, messageId)).toMatchObject({ status: 'queued' });

  await database.sql`drop trigger no_event on message_events`;
  expect(await end()).toEqual({
    ...{ id: messageId, to: '4915228817386@c.us', type: 'text', status: 'expired' },
    ...{ errorCode: 'deadline_passed', error: OUTCOMES.deadline_passed.says.async },
  });
  expect(await events()).toEqual([{ event: 'expired', detail: 'deadline_passed' }]);
  expect(await end()).toBeNull();
  expect(await events()).toHaveLength(1);
});
