import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#server/core/id.ts';
import { canBecome, MESSAGE_STATUSES, type MessageStatus } from '#server/core/message-state.ts';
import { storedLane } from '#server/schema/lane.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';

/** Random sequences of a message's states, checked in the core and in the database. */

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let accountId: string;
let numberId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  ({ accountId } = await makeAccount(database));
  numberId = await makeNumber(database, { accountId });
  // Tries all steps of a message, so that one query covers a thousand sequences. A refused step changes nothing.
  await database.sql.unsafe(`
    create function take_steps(message text, steps text[]) returns text[] language plpgsql as $$
    declare taken text[] := '{}'; step text; now_is text;
    begin
      foreach step in array steps loop
        begin
          update messages set status = step where id = message returning status into now_is;
        exception when check_violation then
          select status into now_is from messages where id = message;
        end;
        taken := taken || now_is;
      end loop;
      return taken;
    end $$`);
});
afterAll(() => database.drop());

const sequences = fc.array(fc.array(fc.constantFrom(...MESSAGE_STATUSES), { minLength: 1, maxLength: 10 }), {
  minLength: 1000,
  maxLength: 1000,
});

function inCore(steps: readonly MessageStatus[]): MessageStatus[] {
  let status: MessageStatus = 'queued';
  return steps.map((step) => {
    if (canBecome(status, step)) status = step;
    return status;
  });
}

async function inDatabase(all: readonly MessageStatus[][]): Promise<MessageStatus[][]> {
  const ids = all.map(() => newId('message'));
  await database.sql`
    insert into messages (id, account_id, number_id, type, recipient, lane, deadline_at, media_status)
    select id, ${accountId}, ${numberId}, 'text', '491700000001@c.us', ${storedLane('sync')}, clock_timestamp(), 'none'
    from unnest(${ids}::text[]) id`;
  const rows = await database.sql<{ taken: MessageStatus[] }[]>`
    select take_steps(id, string_to_array(steps, ' ')) as taken
    from unnest(${ids}::text[], ${all.map((steps) => steps.join(' '))}::text[]) with ordinality as s (id, steps, n) order by n`;
  return rows.map(({ taken }) => taken);
}

test('10,000 random sequences of states have the same result in the core and the database', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, async (all) => {
      expect(await inDatabase(all)).toEqual(all.map(inCore));
    }),
    { numRuns: 10 },
  );
}, 120_000);

test('nothing returns to the queue, and a definite end stays', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...MESSAGE_STATUSES), { minLength: 1, maxLength: 20 }), (steps) => {
      const taken = inCore(steps);
      for (const [i, status] of taken.entries()) {
        const before = taken[i - 1] ?? 'queued';
        if (before !== 'queued') expect(status).not.toBe('queued');
        if (['failed', 'expired', 'cancelled', 'read'].includes(before)) expect(status).toBe(before);
      }
    }),
    { numRuns: 10_000 },
  );
});
