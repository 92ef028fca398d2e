import { expect, test } from 'vitest';
import { audit } from '#server/accounts/audit.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { restoredLately } from './restored-lately.ts';

const database = testDatabase();

async function makeOwn() {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  /** A message that ends now, with the reason in its timeline. */
  const ends = async (status: 'unknown' | 'expired', detail: string, say: string | null = null) => {
    const id = await queueMessage(database, { accountId, numberId });
    if (status === 'unknown')
      await database.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
    await database.sql`update messages set status = ${status}, outcome = ${say && JSON.stringify({ say })}::jsonb, settled_at = clock_timestamp() where id = ${id}`;
    await database.sql`insert into message_events (message_id, event, detail) values (${id}, ${status}, ${detail})`;
    return id;
  };
  return { accountId, numberId, ends, lately: () => restoredLately({ database, accountId }, { numberId }) };
}
const NONE = { count: 0, oldest: null, newest: null };
const NOTHING = { missing: null, unknown: NONE, expired: { ...NONE, moved: 0 } };

test('what a restore left unknown and expired is known for 7 days, until it is settled', async () => {
  const { numberId, ends, lately } = await makeOwn();
  await ends('unknown', 'session_lost');
  await ends('expired', 'deadline_passed');
  expect(await lately()).toEqual(NOTHING);
  const [first] = [await ends('unknown', 'restored'), await ends('unknown', 'restored')];
  await ends('expired', 'restored');
  await ends('expired', 'restored', 'moved');
  const [at] = await database.sql<{ at: Date }[]>`select created_at as at from messages where id = ${first}`;
  expect(await lately()).toEqual({
    missing: null,
    unknown: { count: 2, oldest: at?.at, newest: expect.any(Date) },
    expired: { count: 2, moved: 1, oldest: expect.any(Date), newest: expect.any(Date) },
  });
  await database.sql`update messages set dismissed_at = clock_timestamp() where id = ${first}`;
  expect(await lately()).toMatchObject({ unknown: { count: 1 }, expired: { count: 2 } });
  await database.sql`
    update messages set settled_at = settled_at - interval '7 days' where number_id = ${numberId}`;
  expect(await lately()).toEqual(NOTHING);
});

test('what a restore lost of a number is known for 7 days', async () => {
  const { accountId, numberId, lately } = await makeOwn();
  const entry = {
    actor: { kind: 'cli' },
    action: 'installation.restore',
    accountId,
    target: numberId,
  } as const;
  const missing = { lost: '3 messages (3 sent)', madeAt: '2026-11-25T20:47:00.139Z' };
  await audit(database.db, { ...entry, detail: missing });
  expect(await lately()).toMatchObject({ missing });
  const other = await makeOwn();
  expect(await other.lately()).toMatchObject({ missing: null });
  await database.sql`
    insert into audit_log (account_id, target, action, detail, created_at)
    values (${other.accountId}, ${other.numberId}, 'installation.restore', ${JSON.stringify(missing)}::jsonb, clock_timestamp() - interval '8 days')`;
  expect(await other.lately()).toMatchObject({ missing: null });
});

test('it is asked for by the account of the number only', async () => {
  const { numberId } = await makeOwn();
  const { accountId } = await makeAccount(database);
  await expect(restoredLately({ database, accountId }, { numberId })).rejects.toMatchObject({
    code: 'not_found',
  });
});
