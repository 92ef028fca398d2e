import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Access } from '#server/core/access.ts';
import { newId } from '#server/core/id.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { numberStatusErrorOf } from '#server/core/number-status-errors.ts';
import { numberStatusText } from '#server/core/number-status-text.ts';
import { personOf } from '#server/core/recipient.ts';
import { admitMessage } from '#server/messages/admission.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { makeCaller, type RestWorld, startRest } from '#server/testing/rest.ts';

let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());

const TEXT = { to: '4915228817386', body: 'Good morning' };
const ACCESS: readonly Access[] = ['ok', 'none', 'expired', 'ended', 'suspended', 'excess'];

/** An account with two numbers, and a function that brings the second into a combination. */
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
          ${access === 'ended' ? now : null})`;
    await sql`
      update accounts set suspended_at = ${access === 'suspended' ? now : null} where id = ${accountId}`;
  };
  const setState = async (status: string, held: boolean, banned = false) => {
    await sql`
      update numbers set status = ${status}, intent = 'run',
        blocked_until = ${banned ? msFromNow(3_600_000) : null}, held_at = ${held ? now : null},
        suspended_at = ${status === 'SUSPENDED' ? now : null} where id = ${numberId}`;
    await sql`delete from messages where number_id = ${numberId}`;
    await sql`delete from rate_buckets`;
  };
  return { accountId, numberId, key, setAccess, setState };
}

/** Each state; BLOCKED also with an end that is known. */
const STATES = [...NUMBER_STATUSES.map((status) => [status, false] as const), ['BLOCKED', true] as const];

test('for every combination of state, hold and plan the API agrees with the number’s page', async () => {
  const { accountId, numberId, key, setAccess, setState } = await makeStage();
  const { database } = world;
  const send = (headers = {}) => world.call('/messages/text', { key, body: TEXT, headers });
  const messageOf = ({ body }: { body: unknown }) => (body as { error: string }).error;
  for (const access of ACCESS) {
    await setAccess(access);
    for (const [status, banned] of STATES) {
      for (const held of [false, true]) {
        await setState(status, held, banned);
        const number = await getNumber({ database, accountId }, { numberId });
        expect(number).toMatchObject({ status, held, access });
        const words = numberStatusText(number, { since: '1 h', emptyIn: '8 s', keptIn: '5 h' });
        const sync = numberStatusErrorOf(number, 'sync');
        if (sync) {
          const answer = await send();
          expect(messageOf(answer)).toBe(sync.message);
          expect(words.requests).toContain(String(answer.status));
          expect(answer.headers['retry-after'] !== undefined).toBe(words.requests.includes('Retry-After'));
        } else {
          const recipient = personOf('4915228817386');
          await admitMessage({ database, accountId, numberId, keyId: null }, newId('message'), {
            ...{ recipient, mode: { kind: 'sync' } },
            content: { type: 'text', body: 'Good morning' },
            arrivedAtMs: performance.now(),
            ...{ idempotencyKey: null, requestId: null, requestHash: null, reference: null },
          });
        }
        const waits = numberStatusErrorOf(number, 'async');
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

test('a number refused until a known time says when to repeat; without an end, or unlinked, it does not', async () => {
  const { numberId, key, setState } = await makeStage();
  const { sql } = world.database;
  const refusal = () => world.call('/messages/text', { key, body: TEXT });
  const shown = async () => (await world.call('/number', { key })).body;
  const retryAfter = async () => (await refusal()).headers['retry-after'];

  await setState('BLOCKED', false, true);
  const answer = await refusal();
  expect(answer.status).toBe(409);
  expect(answer.headers['x-number-status']).toBe('BLOCKED');
  expect(Math.abs(Number(answer.headers['retry-after']) - 3615)).toBeLessThan(10);
  expect(answer.body).toEqual({
    success: false,
    error:
      'The number is not connected (BLOCKED). Nothing was sent. WhatsApp has blocked it for a limited time. It reconnects automatically after that. Wait for Retry-After, then repeat the request.',
  });
  const [row] = await sql<
    { until: Date }[]
  >`select blocked_until as until from numbers where id = ${numberId}`;
  const blockedUntil = row?.until.toISOString();
  expect(await shown()).toMatchObject({ data: { status: 'BLOCKED', connected: false, blockedUntil } });

  // Although its end is known, a person has to act then.
  await sql`update numbers set intent = 'idle' where id = ${numberId}`;
  expect(await retryAfter()).toBeUndefined();
  expect(await shown()).toMatchObject({ data: { blockedUntil } });

  await setState('BLOCKED', false);
  expect(await retryAfter()).toBeUndefined();
  expect(await shown()).toMatchObject({ data: { status: 'BLOCKED', blockedUntil: null } });
});
