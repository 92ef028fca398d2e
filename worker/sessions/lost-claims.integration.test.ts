import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, until, type World } from '../testing/world.ts';

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

/** The message as it was before its claim, as on a replica that lacks the last commits. */
async function loseClaim(messageId: string): Promise<void> {
  await world.database.sql.begin(async (sql) => {
    // The triggers allow no way back.
    await sql`set local session_replication_role = replica`;
    await sql`
      update messages set status = 'queued', wa_message_id = null, fence = null, dispatched_at = null, sent_at = null,
        settled_at = null, deadline_at = clock_timestamp() + interval '1 hour'
      where id = ${messageId}`;
  });
}

test('a message whose claim the database has lost is not sent again, and has its first dispatch’s outcome', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const { message } = await world.text(key, '491700000001', 'once');
  const first = await stored(message.id);
  expect(first?.status).toBe('sent');
  await loseClaim(message.id);
  // Wakes the dispatcher, and leaves after the first message.
  await world.text(key, '491700000001', 'next');
  await until(async () => (await stored(message.id))?.status === 'sent');
  expect(await stored(message.id)).toEqual(first);
  expect(deliveredOf(numberId)).toHaveLength(2);
});
