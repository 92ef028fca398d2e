import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '#server/core/access.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { numberWords, refusalOf } from '#server/core/number-words.ts';
import { recipientOf } from '#server/core/recipient.ts';
import { admitMessage, newMessageId } from '#server/services/admission.ts';
import { getNumber } from '#server/services/get-number.ts';
import { makeCaller, type RestWorld, startRest } from './testing.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());

const TEXT = { to: '4915228817386', body: 'Good morning' };
const ACCESS: readonly Access[] = ['ok', 'none', 'expired', 'ended', 'suspended', 'excess'];

/** An account of two numbers, and a way to bring the second into a combination. */
async function makeStage() {
  const { database } = world;
  const { sql } = database;
  const caller = await makeCaller(world, { numbersIncluded: 2 });
  const { accountId, numberId, key } = caller;
  const other = await makeCaller(world);
  await sql`
    update numbers set account_id = ${accountId}, kept = true where id = ${other.numberId}`;
  const setAccess = async (access: Access) => {
    await sql`delete from subscriptions where account_id = ${accountId}`;
    if (access !== 'none')
      await sql`
        insert into subscriptions (account_id, numbers_included, paid_until, updated_at, ended_at)
        values (${accountId}, ${access === 'excess' ? 1 : 2}, ${access === 'expired' ? '2020-01-01' : '2099-12-31'}, clock_timestamp(),
          ${access === 'ended' ? sql`clock_timestamp()` : null})`;
    await sql`
      update accounts set suspended_at = ${access === 'suspended' ? sql`clock_timestamp()` : null} where id = ${accountId}`;
  };
  const setState = async (status: string, held: boolean) => {
    await sql`
      update numbers set status = ${status}, held_at = ${held ? sql`clock_timestamp()` : null},
        suspended_at = ${status === 'SUSPENDED' ? sql`clock_timestamp()` : null} where id = ${numberId}`;
    await sql`delete from messages where number_id = ${numberId}`;
    await sql`delete from rate_buckets`;
  };
  return { accountId, numberId, key, setAccess, setState };
}

test('in every combination of state, hold and plan the API answers what the number’s page says', async () => {
  const { accountId, numberId, key, setAccess, setState } = await makeStage();
  const { database } = world;
  const send = (headers = {}) => world.call('/messages/text', { key, body: TEXT, headers });
  const messageOf = ({ body }: { body: unknown }) => (body as { error: string }).error;
  for (const access of ACCESS) {
    await setAccess(access);
    for (const status of NUMBER_STATUSES) {
      for (const held of [false, true]) {
        await setState(status, held);
        const number = await getNumber(database.db, { accountId, numberId });
        expect(number).toMatchObject({ status, held, access });
        const words = numberWords(number, { since: '1 h', emptyIn: '8 s' });
        const plain = refusalOf(number, 'plain');
        if (plain) {
          const answer = await send();
          expect(messageOf(answer)).toBe(plain.message);
          expect(words.requests).toContain(String(answer.status));
          expect(answer.headers['retry-after'] !== undefined).toBe(words.requests.includes('Retry-After'));
        } else {
          const recipient = recipientOf('4915228817386@c.us');
          await admitMessage(database, newMessageId(), {
            ...{ accountId, numberId, recipient, keyId: null, mode: { kind: 'plain' } },
            content: { type: 'text', body: 'Good morning' },
            arrivedAtMs: performance.now(),
            ...{ idempotencyKey: null, requestId: null, requestHash: null },
          });
        }
        const waits = refusalOf(number, 'async');
        const answer = await send({ prefer: 'respond-async' });
        if (waits) expect(messageOf(answer)).toBe(waits.message);
        else expect(answer.status).toBe(202);
        const shown = await world.call('/status', { key });
        if (access === 'ok')
          expect(shown.body).toMatchObject({ data: { status, connected: status === 'CONNECTED' } });
        else expect(shown.status).toBe(402);
      }
    }
  }
});
