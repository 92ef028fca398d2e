import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { identifyCaller } from '#server/api-keys/caller.ts';
import { listApiKeys } from '#server/api-keys/list-api-keys.ts';
import { AppError } from '#server/core/errors.ts';
import { exampleRequest, PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { newId } from '#server/core/id.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { personOf } from '#server/core/recipient.ts';
import { hangUpsRecorded, trackHangUp } from '#server/messages/hang-ups.ts';
import { takeOverWaiting } from '#server/messages/queries/admission.ts';
import { recordAnswer, sendMessage } from '#server/messages/send-message.ts';
import { sendPath } from '#server/rest/procedures/send-message.ts';
import type { RestRequest } from '#server/rest/request.ts';
import { sendOutcomeHeader } from '#server/rest/send-outcome.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import type { Sql } from '#server/testing/sql.ts';

/**
 * How callers of sync sends are answered once a worker has written an outcome. These tests write the worker's
 * rows; the tests of the whole product check that a worker writes them.
 */
let world: RestWorld;
beforeAll(async () => {
  world = await startRest();
});
afterAll(() => world[Symbol.asyncDispose]());

const ENDPOINTS = MESSAGE_TYPES.map((type) => {
  const { to: _, ...body } = exampleRequest(type, PLACEHOLDER_FILES);
  return { path: sendPath(type), type, body };
});
const TO = '4915228817386';

/** The message that waits on a caller's number. */
async function waiting(caller: TestCaller, besides = ''): Promise<string> {
  return eventually(async () => {
    const [row] = await world.database.sql<{ id: string }[]>`
      select id from messages where number_id = ${caller.numberId} and status = 'queued' and id <> ${besides}`;
    if (!row) throw new Error('nothing waits yet');
    return row.id;
  });
}

const saying = (detail?: string) => (detail === undefined ? null : JSON.stringify({ say: 'detail', detail }));

/** Writes what a worker writes: a certain end directly, or through `sending`. */
async function settle(messageId: string, status: string, error: { code?: string; text?: string } = {}) {
  const { sql } = world.database;
  if (!['expired', 'cancelled', 'failed'].includes(status)) {
    await sql`update messages set status = 'sending' where id = ${messageId}`;
  }
  await sql`update messages set status = ${status}, error_code = ${error.code ?? null}, outcome = ${saying(error.text)}::jsonb
    where id = ${messageId}`;
}

/** Waits for `look` not to throw, also on a busy machine. */
const eventually = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 40_000, interval: 10 });

/** Posts, writes the outcome as a worker would, and returns the answer. */
async function answeredWith(
  caller: TestCaller,
  { path, body }: { path: string; body: object },
  ...outcome: [status: string, error?: { code?: string; text?: string }]
) {
  const answering = world.call(path, { key: caller.key, body: { to: TO, ...body } });
  const id = await waiting(caller);
  await settle(id, ...outcome);
  return { id, ...(await answering) };
}

// One function answers for all of them: this test checks that each uses it, the tests below what it says.
test.each(ENDPOINTS)('POST $path answers with the outcome', async ({ path, type, body }) => {
  const caller = await makeCaller(world);
  const sent = await answeredWith(caller, { path, body }, 'sent');
  expect(sent.status).toBe(200);
  const data = { id: sent.id, to: `${TO}@c.us`, type, status: 'sent' };
  expect(sent.body).toEqual({ success: true, data });
  expect(sent.headers['x-message-id']).toBe(sent.id);
  const error = { code: 'send_failed', text: 'What happened, in a sentence.' };
  const failed = await answeredWith(caller, { path, body }, 'failed', error);
  expect(failed.status).toBe(502);
  expect(failed.body).toEqual({ success: false, error: error.text });
  expect(failed.headers).toMatchObject({ 'x-message-id': failed.id, 'x-send-outcome': 'not_sent' });
});

describe('an outcome', () => {
  const [TEXT] = ENDPOINTS as [(typeof ENDPOINTS)[number]];
  const { path, type, body } = TEXT;
  let caller: TestCaller;
  beforeAll(async () => {
    caller = await makeCaller(world);
  });

  test.each(['sent', 'delivered', 'read'])(
    'is 200 when WhatsApp’s server has accepted it, and says sent whatever came after: %s',
    async (status) => {
      const answer = await answeredWith(caller, TEXT, status);
      expect(answer.status).toBe(200);
      const data = { id: answer.id, to: `${TO}@c.us`, type, status: 'sent' };
      expect(answer.body).toEqual({ success: true, data });
      expect(answer.headers['x-message-id']).toBe(answer.id);
    },
  );

  test.each([
    { status: 'failed', code: 'media_too_large', http: 413 },
    { status: 'failed', code: 'media_unusable', http: 400 },
    { status: 'failed', code: 'media_unavailable', http: 400, retry: '60' },
    { status: 'failed', code: 'media_share_full', http: 429, retry: '60', limit: 'media' },
    { status: 'failed', code: 'no_room', http: 503, retry: '60' },
    { status: 'failed', code: 'recipient_unknown', http: 400 },
    { status: 'failed', code: 'new_contacts', http: 429, retry: '600', limit: 'new-contacts' },
    { status: 'failed', code: 'send_failed', http: 502 },
    { status: 'cancelled', code: 'key_revoked', http: 401 },
    { status: 'cancelled', code: 'plan_ended', http: 402 },
    { status: 'cancelled', code: 'removed', http: 404 },
    { status: 'cancelled', code: 'unlinked', http: 409 },
    { status: 'cancelled', code: 'cancelled_by_person', http: 409 },
    { status: 'cancelled', code: 'stopping', http: 503, retry: '5' },
  ])('is $http when it ended as $status, $code: nothing was sent', async (ended) => {
    const { status, code, http, retry, limit } = ended as typeof ended & { limit?: string };
    const error = { code, text: 'What happened, in a sentence.' };
    const { id, ...answer } = await answeredWith(caller, TEXT, status, error);
    expect(answer.status).toBe(http);
    expect(answer.body).toEqual({ success: false, error: 'What happened, in a sentence.' });
    expect(answer.headers['x-message-id']).toBe(id);
    expect(answer.headers['x-send-outcome']).toBe('not_sent');
    expect(answer.headers['retry-after']).toBe(retry);
    expect(answer.headers['x-limit']).toBe(limit);
    expect(answer.headers['x-number-status']).toBe(http === 409 ? 'CONNECTED' : undefined);
  });

  test('is 502 unknown when it is uncertain whether the message was sent', async () => {
    const { id, ...answer } = await answeredWith(caller, TEXT, 'unknown');
    expect(answer.status).toBe(502);
    expect(answer.body).toEqual({
      success: false,
      error: `WhatsApp has not confirmed this message, so it may have arrived. GET /v1/messages/${id} shows its outcome if WhatsApp confirms it later. If it is still unknown after 2 minutes, or 2 minutes after a disconnected number reconnects, look at the chat on the phone that sends for this number, not the recipient’s. Only if the message is not there, send it with a new Idempotency-Key, or press Send again in the dashboard. For 24 hours, repeating the request with the same Idempotency-Key is safe, but sends nothing while its outcome is unknown. After 24 hours, the same key sends a new message.`,
    });
    expect(answer.headers['x-message-id']).toBe(id);
    expect(answer.headers['x-send-outcome']).toBe('unknown');
  });

  test('is 502 unknown within seconds when the message is deleted or lost while its caller waits', async () => {
    const began = performance.now();
    const answering = world.call(path, { key: caller.key, body: { to: TO, ...body } });
    const id = await waiting(caller);
    await world.database.sql`delete from messages where id = ${id}`;
    const answer = await answering;
    expect([answer.status, answer.headers['x-send-outcome']]).toEqual([502, 'unknown']);
    expect(answer.body).toEqual({
      success: false,
      error:
        'This message is no longer stored: it was deleted, or the database lost it when it moved to another server. WhatsApp has not confirmed it, so it may have arrived. A repeat of the request sends a new message, also with the same Idempotency-Key. Look at the chat on the phone that sends for this number, not the recipient’s, before you send it again.',
    });
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  test('is 202 after wait=N seconds, and the message continues', async () => {
    const answer = await world.call(path, {
      key: caller.key,
      headers: { prefer: 'wait=1' },
      body: { to: TO, ...body },
    });
    expect(answer.status).toBe(202);
    const id = await waiting(caller);
    expect(answer.body).toEqual({ success: true, data: { id, to: `${TO}@c.us`, type, status: 'queued' } });
    await settle(id, 'sent');
    const later = await world.call(`/messages/${id}`, { key: caller.key });
    expect(later.body).toMatchObject({
      success: true,
      data: { id, to: `${TO}@c.us`, type, status: 'sent', error: null },
    });
  });

  test('after wait=N seconds is the outcome of a message that ends just then, not 202', async () => {
    const { sql } = world.database;
    await sql.unsafe(`
      create function end_meanwhile() returns trigger language plpgsql as
        $$ begin new.status := 'failed'; new.error_code := 'send_failed'; new.outcome := '{"say": "detail", "detail": "No."}'; return new; end $$;
      create trigger end_meanwhile before update of lane on messages for each row execute function end_meanwhile()`);
    try {
      const caller = await makeCaller(world);
      const headers = { prefer: 'wait=1' };
      const answer = await world.call(path, { key: caller.key, headers, body: { to: TO, ...body } });
      expect([answer.status, answer.headers['x-send-outcome']]).toEqual([502, 'not_sent']);
    } finally {
      await sql.unsafe('drop function end_meanwhile cascade');
    }
  });
});

describe('repeating', () => {
  const RIGHT = { to: TO, body: 'Good morning' };
  const send = (caller: TestCaller, headers: Record<string, string> = {}, body: object = RIGHT) =>
    world.call('/messages/text', { key: caller.key, headers, body });

  test('50 identical requests with one Idempotency-Key at once are one message and 50 equal answers', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': newId('message') };
    const answering = Array.from({ length: 50 }, () => send(caller, headers));
    await settle(await waiting(caller), 'sent');
    const answers = await Promise.all(answering);
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    const rows = await world.database.sql`select id from messages where number_id = ${caller.numberId}`;
    expect(rows).toHaveLength(1);
  });

  test('a response about an earlier request’s message is marked, errors included; a new attempt is not', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'marked', prefer: 'respond-async' };
    const mark = async (body: object = RIGHT) => {
      const answer = await send(caller, headers, body);
      return [answer.status, answer.headers['idempotency-replayed']];
    };
    expect(await mark()).toEqual([202, undefined]);
    expect(await mark()).toEqual([202, 'true']);
    expect(await mark({ ...RIGHT, body: 'Other' })).toEqual([400, undefined]);
    const id = await waiting(caller);
    await settle(id, 'unknown');
    expect(await mark()).toEqual([502, 'true']);
    await world.database.sql`update messages set status = 'failed' where id = ${id}`;
    expect(await mark()).toEqual([202, undefined]);
  });

  test('each repeat is in the message’s timeline, up to a limit', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'k', prefer: 'respond-async' };
    const { id } = ((await send(caller, headers)).body as { data: { id: string } }).data;
    const events = async () => {
      const answer = await world.call(`/messages/${id}`, { key: caller.key });
      const { data } = answer.body as { data: { events: { event: string }[] } };
      return data.events.map(({ event }) => event);
    };
    await send(caller, headers);
    expect(await events()).toEqual(['accepted', 'repeated']);
    for (let n = 0; n < 20; n++) await send(caller, headers);
    expect(await events()).toEqual(['accepted', ...Array(20).fill('repeated')]);
  });

  test('a body counts as the same in any JSON form, wherever the key stands', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'same', prefer: 'respond-async' };
    const first = await send(caller, headers);
    const again = await world.call('/messages/text', {
      headers,
      body: `{ "unknown": 1,\n "body": "Good\\u0020morning", "token": "${caller.key}", "to": "${TO}" }`,
    });
    expect(again.body).toEqual(first.body);
  });

  test('an async request whose message became unknown is repeated with 502 unknown, not with 202', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'async', prefer: 'respond-async' };
    expect((await send(caller, headers)).status).toBe(202);
    await settle(await waiting(caller), 'unknown');
    const again = await send(caller, headers);
    expect([again.status, again.headers['x-send-outcome']]).toEqual([502, 'unknown']);
  });

  test('an async request whose message was sent is repeated with 200 sent, not with 202', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'async', prefer: 'respond-async' };
    const id = String((await send(caller, headers)).headers['x-message-id']);
    expect((await send(caller, headers)).status).toBe(202);
    await settle(id, 'sent');
    const again = await send(caller, headers);
    expect(again).toMatchObject({ status: 200, body: { data: { id, status: 'sent' } } });
    expect(again.headers['idempotency-replayed']).toBe('true');
  });

  test('the same key on another endpoint is another request', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'same', prefer: 'respond-async' };
    await send(caller, headers);
    const answer = await world.call('/messages/image', {
      key: caller.key,
      headers,
      body: { to: TO, url: 'https://example.com/a.jpg' },
    });
    expect(answer.status).toBe(400);
  });

  test.each([
    { status: 'queued' },
    { status: 'sending' },
    { status: 'unknown' },
    { status: 'sent' },
    { status: 'delivered' },
  ])(
    'another body under a key is 400 that names the first message, $status, and what a repeat of it needs',
    async ({ status }) => {
      const caller = await makeCaller(world);
      const headers = { 'idempotency-key': 'order-1042' };
      const first = send(caller, { ...headers, prefer: 'respond-async' }, { ...RIGHT, body: 'At 10:00:01' });
      const id = await waiting(caller);
      await first;
      if (status !== 'queued') await settle(id, status);
      const answer = await send(caller, headers, { ...RIGHT, body: 'At 10:00:09' });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        success: false,
        error: `Nothing was sent for this request. Its Idempotency-Key was already used for an earlier, different message (${id}, status ${status}). X-Message-Id and X-Message-Status are about that earlier message. For a new message, use a new key. To retry the earlier one, repeat its request unchanged: same endpoint, body, reference and X-Send-At. Keep values that change between retries, such as a timestamp, out of the body.`,
      });
      expect(answer.headers).toMatchObject({ 'x-message-id': id, 'x-message-status': status });
      expect(answer.headers['x-send-outcome']).toBeUndefined();
      expect(await messagesOf(caller)).toEqual([{ id }]);
    },
  );

  test.each([
    { why: 'its key was revoked', http: 401, key: 'revoked_at' },
    { why: 'its plan ended', http: 402, account: 'ended_at' },
    { why: 'its number was removed', http: 404, number: 'removed_at' },
    { why: 'its body is wrong', http: 400, body: { to: TO, body: '' } },
    { why: 'the rate limit is reached', http: 429, rate: true },
  ])('a repeat that is refused because $why is not_sent only if its first message is not', async (given) => {
    const { sql } = world.database;
    const caller = await makeCaller(world, { numbersIncluded: 1 });
    const first = send(caller, { 'idempotency-key': 'order-7' });
    await settle(await waiting(caller), 'sent');
    expect((await first).status).toBe(200);
    const failed = send(caller, { 'idempotency-key': 'order-8' }, { ...RIGHT, body: 'Another' });
    await settle(await waiting(caller), 'failed', { code: 'send_failed', text: 'No.' });
    expect((await failed).status).toBe(502);
    const { http, body, rate } = given;
    if (given.key)
      await sql`update api_keys set revoked_at = clock_timestamp() where number_id = ${caller.numberId}`;
    if (given.account)
      await sql`update subscriptions set ended_at = clock_timestamp() where account_id = ${caller.accountId}`;
    if (given.number)
      await sql`update numbers set removed_at = clock_timestamp() where id = ${caller.numberId}`;
    if (rate) await exhaust(caller);
    const outcome = async (headers: Record<string, string>) => {
      const answer = await send(caller, headers, body);
      expect(answer.status).toBe(http);
      expect(answer.headers['x-message-id']).toBeUndefined();
      return answer.headers['x-send-outcome'];
    };
    expect(await outcome({ 'idempotency-key': 'order-7' })).toBeUndefined();
    expect(await outcome({ 'idempotency-key': 'order-8' })).toBe('not_sent');
    expect(await outcome({ 'idempotency-key': 'order-9' })).toBe('not_sent');
    expect(await outcome({})).toBe('not_sent');
    expect(
      await outcome({ 'idempotency-key': 'order-7', accept: 'application/problem+json' }),
    ).toBeUndefined();
  });

  test('a repeat whose API key is wrong or missing does not say that the first message was not sent', async () => {
    const caller = await makeCaller(world);
    const first = send(caller, { 'idempotency-key': 'order-7' });
    await settle(await waiting(caller), 'sent');
    expect((await first).status).toBe(200);
    const wrong: Record<string, string>[] = [
      { 'x-api-key': `${caller.key.slice(0, -1)}?` },
      { 'x-api-key': '' },
      { 'x-api-key': 'another', authorization: `Bearer ${caller.key}` },
    ];
    for (const headers of wrong) {
      const outcome = async (more: Record<string, string>) => {
        const answer = await world.call('/messages/text', { headers: { ...headers, ...more }, body: RIGHT });
        expect(answer.status).toBe(401);
        return answer.headers['x-send-outcome'];
      };
      expect(await outcome({ 'idempotency-key': 'order-7' })).toBeUndefined();
      expect(await outcome({})).toBe('not_sent');
    }
  });

  test('after an outcome that sent nothing, the key creates a new message, also with another body', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'again' };
    const failing = send(caller, headers);
    await settle(await waiting(caller), 'failed', { code: 'media_too_large', text: 'No.' });
    expect((await failing).status).toBe(413);
    const corrected = send(caller, headers, { ...RIGHT, body: 'Corrected' });
    await settle(await waiting(caller), 'sent');
    expect((await corrected).status).toBe(200);
  });

  test('after an outcome that sent nothing, the key creates a new message', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'again' };
    const failing = send(caller, headers);
    await settle(await waiting(caller), 'failed', { code: 'send_failed', text: 'No.' });
    expect((await failing).status).toBe(502);
    const repeated = send(caller, headers);
    await settle(await waiting(caller), 'sent');
    expect((await repeated).status).toBe(200);
  });

  test('after unknown, the key returns the outcome as known by then', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'unclear' };
    const unclear = send(caller, headers);
    const id = await waiting(caller);
    await settle(id, 'unknown');
    expect((await unclear).status).toBe(502);
    expect((await send(caller, headers)).status).toBe(502);
    await world.database.sql`update messages set status = 'delivered' where id = ${id}`;
    const answer = await send(caller, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-message-id']).toBe(id);
  });

  const messagesOf = (caller: TestCaller) =>
    world.database.sql<{ id: string }[]>`select id from messages where number_id = ${caller.numberId}`;

  /** Posts, and hangs up once the message waits and `before` is done. */
  async function hangUp(
    caller: TestCaller,
    before?: (id: string) => Promise<unknown>,
    body: object = RIGHT,
  ): Promise<string> {
    const leaving = new AbortController();
    const left = world.call('/messages/text', { key: caller.key, body, signal: leaving.signal });
    const refused = expect(left).rejects.toThrow('aborted');
    const id = await waiting(caller);
    await before?.(id);
    leaving.abort();
    await refused;
    return id;
  }

  /** Holds the lock that `take` takes, until the returned function is called. */
  async function hold(take: (sql: Sql) => PromiseLike<unknown>) {
    const locked = Promise.withResolvers<void>();
    const unlocked = Promise.withResolvers<void>();
    const over = world.database.sql.begin(async (sql) => {
      await take(sql);
      locked.resolve();
      await unlocked.promise;
    });
    await locked.promise;
    return async () => {
      unlocked.resolve();
      await over;
    };
  }

  const lock = (table: 'messages' | 'numbers', id: string) =>
    hold((sql) =>
      table === 'messages'
        ? sql`select 1 from messages where id = ${id} for update`
        : sql`select 1 from numbers where id = ${id} for update`,
    );

  /** Waits until `wanted` statements wait for a lock. */
  const locksWaitedFor = (wanted: number) =>
    eventually(async () => {
      const [row] = await world.database.sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      expect(row?.waiting).toBe(wanted);
    });

  test('a caller that hung up and posts the same again joins the first message', async () => {
    const caller = await makeCaller(world);
    const id = await hangUp(caller);
    const again = send(caller);
    await settle(id, 'sent');
    const answer = await again;
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'x-message-id': id, 'idempotency-replayed': 'true' });
    expect(await messagesOf(caller)).toHaveLength(1);
  });

  const KEYED: Record<string, string> = { 'idempotency-key': 'order-3' };
  test.each([
    { prefer: 'respond-async', how: {} },
    { prefer: 'wait=1', how: {} },
    { prefer: 'respond-async', how: KEYED },
  ])(
    'the message of a sync request waits on when a repeat with $prefer, $how is answered 202',
    async (given) => {
      const caller = await makeCaller(world);
      const leaving = new AbortController();
      const call = { key: caller.key, headers: given.how, body: RIGHT, signal: leaving.signal };
      const refused = expect(world.call('/messages/text', call)).rejects.toThrow('aborted');
      const id = await waiting(caller);
      leaving.abort();
      await refused;
      const again = await send(caller, { ...given.how, prefer: given.prefer });
      expect([again.status, again.headers['x-message-id']]).toEqual([202, id]);
      const [row] = await world.database.sql`
      select lane, extract(epoch from deadline_at - created_at)::int / 3600 as hours from messages where id = ${id}`;
      expect(row).toEqual({ lane: 'async', hours: 24 });
    },
  );

  test('a repeat without X-Expires-In does not prolong an async message that has one', async () => {
    const caller = await makeCaller(world);
    const headers = { 'idempotency-key': 'code 1234', prefer: 'respond-async' };
    await send(caller, { ...headers, 'x-expires-in': '60' });
    expect((await send(caller, headers)).headers['idempotency-replayed']).toBe('true');
    const [row] = await world.database.sql`
      select extract(epoch from deadline_at - created_at)::int as seconds from messages where number_id = ${caller.numberId}`;
    expect(row).toEqual({ seconds: 60 });
  });

  test('a repeat whose message waited for its turn says for how many seconds', async () => {
    const caller = await makeCaller(world);
    const { sql } = world.database;
    const id = await hangUp(caller);
    const again = send(caller);
    await sql`
      update messages set created_at = created_at - interval '16.8 seconds', dispatched_at = created_at where id = ${id}`;
    await settle(id, 'sent');
    expect((await again).headers).toMatchObject({ 'idempotency-replayed': 'true', 'x-waited': '17' });
    const first = await answeredWith(
      caller,
      { path: '/messages/text', body: { body: 'Another one' } },
      'sent',
    );
    expect(first.headers).not.toHaveProperty('x-waited');
  });

  test('a caller joins the first message even before its hang-up is recorded', async () => {
    const caller = await makeCaller(world);
    let unlock: (() => Promise<void>) | undefined;
    const id = await hangUp(caller, async (waits) => {
      unlock = await lock('messages', waits);
    });
    const again = send(caller);
    await locksWaitedFor(1);
    // After these requests, the process has certainly read the repeat.
    for (let n = 0; n < 10; n++) await world.call('/status', { key: caller.key });
    await unlock?.();
    await eventually(async () => expect(await messagesOf(caller)).toEqual([{ id }]));
    await settle(id, 'sent');
    expect((await again).headers['x-message-id']).toBe(id);
    expect(await messagesOf(caller)).toEqual([{ id }]);
  });

  test('a hang-up that is recorded late, after the caller came back at another web process, changes nothing', async () => {
    const caller = await makeCaller(world);
    let unlock: (() => Promise<void>) | undefined;
    const id = await hangUp(caller, async (waits) => {
      unlock = await hold((sql) => takeOverWaiting(sql.db, { messageId: waits, webId: 'web_elsewhere' }));
    });
    await locksWaitedFor(1);
    await unlock?.();
    expect(await hangUpsRecorded(caller.numberId, 60_000)).toBe(true);
    const [row] = await world.database.sql`select caller_left_at as "leftAt" from messages where id = ${id}`;
    expect(row).toEqual({ leftAt: null });
  });

  test('a repeat whose commit fails still waits for its first message, and no other repeat joins that one', async () => {
    const { sql } = world.database;
    const caller = await makeCaller(world);
    const id = await hangUp(caller);
    await eventually(async () => {
      const [row] = await sql`select 1 from messages where id = ${id} and caller_left_at is not null`;
      expect(row).toBeDefined();
    });
    await sql.unsafe(`
      create function fail() returns trigger language plpgsql as
        'begin raise exception ''no'' using errcode = ''57P01''; end';
      create constraint trigger fail after insert on message_events deferrable initially deferred
        for each row when (new.event = 'repeated') execute function fail()`);
    const again = send(caller);
    await eventually(async () => {
      const [row] = await sql`select caller_left_at as "leftAt" from messages where id = ${id}`;
      expect(row).toEqual({ leftAt: null });
    });
    await sql`drop function fail cascade`;
    await settle(id, 'sent');
    expect((await again).headers['x-message-id']).toBe(id);
  });

  test('a caller that hung up before its rate limit was checked blocks no later request', async () => {
    const caller = await makeCaller(world);
    const unlock = await hold((sql) => sql`lock table rate_buckets in access exclusive mode`);
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = world.call('/messages/text', { key: caller.key, body: RIGHT, signal });
    const refused = expect(left).rejects.toThrow('aborted');
    await locksWaitedFor(1);
    leaving.abort();
    await refused;
    // After these requests, the process has certainly noticed the closed connection.
    for (let n = 0; n < 10; n++) await world.call('/openapi.json');
    await unlock();
    const id = await waiting(caller);
    const again = send(caller);
    await settle(id, 'sent');
    expect((await again).headers).toMatchObject({ 'x-message-id': id, 'idempotency-replayed': 'true' });
    expect(await messagesOf(caller)).toEqual([{ id }]);
  });

  /** Uses up the account's rate limit. */
  const exhaust = ({ accountId }: TestCaller) => world.database.sql`
    insert into rate_buckets values (${`sends:${accountId}`}, -100, clock_timestamp())
    on conflict (key) do update set tokens = excluded.tokens, updated_at = excluded.updated_at`;

  test('a repeat that is refused is not called not_sent while its first request may still be accepted', async () => {
    const caller = await makeCaller(world, { numbersIncluded: 1 });
    const headers = { 'idempotency-key': 'order-7' };
    const unlock = await lock('numbers', caller.numberId);
    const leaving = new AbortController();
    const { signal } = leaving;
    const left = world.call('/messages/text', { key: caller.key, headers, body: RIGHT, signal });
    const refused = expect(left).rejects.toThrow('aborted');
    await locksWaitedFor(1);
    leaving.abort();
    await refused;
    await exhaust(caller);
    const again = await send(caller, headers);
    expect([again.status, again.headers['x-send-outcome']]).toEqual([429, undefined]);
    const other = await send(caller, { 'idempotency-key': 'order-8' });
    expect([other.status, other.headers['x-send-outcome']]).toEqual([429, 'not_sent']);
    await unlock();
    await settle(await waiting(caller), 'sent');
  });

  test('nor while another web process may have it: until that one has recorded all hang-ups', async () => {
    const { sql } = world.database;
    const caller = await makeCaller(world, { numbersIncluded: 1 });
    await exhaust(caller);
    const webId = newId('web');
    await sql`insert into processes (id, kind, host, pid) values (${webId}, 'web', 'elsewhere', 1)`;
    const outcomeIfSeen = async (seconds: number) => {
      await sql`update processes set seen_at = clock_timestamp() + ${seconds} * interval '1 second' where id = ${webId}`;
      const { status, headers } = await send(caller, { 'idempotency-key': 'order-7' });
      return [status, headers['x-send-outcome']];
    };
    expect(await outcomeIfSeen(-1)).toEqual([429, undefined]);
    expect(await outcomeIfSeen(60)).toEqual([429, 'not_sent']);
    expect(await outcomeIfSeen(-120)).toEqual([429, 'not_sent']);
    await sql`delete from processes where id = ${webId}`;
  });

  test('a process that is being stopped says not_sent only if no other one may have the first request', async () => {
    const { sql } = world.database;
    const caller = await identifyCaller(world, (await makeCaller(world)).key);
    const webId = newId('web');
    await sql`insert into processes (id, kind, host, pid) values (${webId}, 'web', 'elsewhere', 1)`;
    const headerIfSeen = async (seconds: number) => {
      await sql`update processes set seen_at = clock_timestamp() + ${seconds} * interval '1 second' where id = ${webId}`;
      const request: RestRequest = {
        ...{ method: 'POST', target: '/v1/messages/text', headers: { 'idempotency-key': ['order-7'] } },
        ...{ peerAddress: null, encrypted: false, signal: () => new AbortController().signal },
        read: async () => new Uint8Array(),
      };
      const answer = { headers: {}, queued: false, messageId: null, failure: null };
      return sendOutcomeHeader(
        {
          ...{ database: world.database, request, path: '/messages/text', caller, answer },
          arrivedAtMs: performance.now(),
        },
        new AppError('stopping', OUTCOMES.stopping.says, { sendOutcome: 'not_sent' }),
      );
    };
    expect(await headerIfSeen(-1)).toEqual({});
    expect(await headerIfSeen(60)).toEqual({ 'X-Send-Outcome': 'not_sent' });
    await sql`delete from processes where id = ${webId}`;
  });

  const requestOf =
    (caller: TestCaller) =>
    (signal: AbortSignal, arrivedAtMs = performance.now()) =>
      sendMessage(
        { database: world.database, ...caller },
        {
          ...{ recipient: personOf(TO), content: { type: 'text', body: 'Order 1' } },
          ...{ mode: { kind: 'sync' }, arrivedAtMs, signal, requestHash: 'order 1' },
          ...{ idempotencyKey: null, requestId: null, reference: null },
        },
      );

  test('a request that waits long for a hang-up to be recorded is refused in time, and sends nothing', async () => {
    const caller = await makeCaller(world);
    const recorded = Promise.withResolvers<void>();
    trackHangUp(caller.numberId, recorded.promise);
    const late = requestOf(caller)(new AbortController().signal, performance.now() - 39_500);
    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    recorded.resolve();
    expect(await messagesOf(caller)).toEqual([]);
  });

  test('a request whose caller hung up sends nothing if the caller’s retry has overtaken it', async () => {
    const caller = await makeCaller(world);
    const request = requestOf(caller);
    const arrivedAtMs = performance.now();
    const retry = request(new AbortController().signal);
    const id = await waiting(caller);
    const hungUp = { code: 'hung_up' };
    await expect(request(AbortSignal.abort(), arrivedAtMs)).rejects.toMatchObject(hungUp);
    await settle(id, 'sent');
    await retry;
    await recordAnswer({ database: world.database }, id);
    await expect(request(AbortSignal.abort(), arrivedAtMs)).rejects.toMatchObject(hungUp);
    expect(await messagesOf(caller)).toEqual([{ id }]);
    // However long it waits for the number's row.
    const locked = Promise.withResolvers<void>();
    const holding = world.database.sql.begin(async (sql) => {
      await sql`select from numbers where id = ${caller.numberId} for no key update`;
      locked.resolve();
      await delay(300);
    });
    await locked.promise;
    await expect(request(AbortSignal.abort(), arrivedAtMs)).rejects.toMatchObject(hungUp);
    await holding;
    expect(await messagesOf(caller)).toEqual([{ id }]);
    // Or for the database.
    const { sql } = world.database;
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`;
    for (const { pid } of backends) process.kill(pid, 'SIGSTOP');
    const judged = expect(request(AbortSignal.abort(), arrivedAtMs)).rejects.toMatchObject(hungUp);
    await delay(performance.now() - arrivedAtMs);
    for (const { pid } of backends) process.kill(pid, 'SIGCONT');
    await judged;
    expect(await messagesOf(caller)).toEqual([{ id }]);
    // A request that arrived after the answer is a new message, and its caller may still repeat it.
    await expect(request(AbortSignal.abort())).rejects.toMatchObject(hungUp);
    expect(await messagesOf(caller)).toHaveLength(2);
  });

  test('a key whose program keeps hanging up shows how often, and after how long', async () => {
    const caller = await makeCaller(world);
    const { sql, db } = world.database;
    const hangUps = async () => (await listApiKeys({ database: { db }, ...caller }))[0]?.hangUps;
    for (let time = 1; time <= 3; time++) {
      expect(await hangUps()).toBeNull();
      const began = performance.now();
      const id = await hangUp(caller, undefined, { ...RIGHT, body: `Order ${time}` });
      await eventually(async () => {
        const [row] = await sql<{ ms: number | null }[]>`
          select hung_up_after_ms as ms from messages where id = ${id}`;
        expect(row?.ms).toBeGreaterThanOrEqual(0);
        expect(row?.ms).toBeLessThanOrEqual(performance.now() - began);
      });
      await settle(id, 'sent');
    }
    // Neither a caller who was answered nor one who comes back counts as another hang-up.
    const answered = send(caller, {}, { ...RIGHT, body: 'Order 4' });
    await settle(await waiting(caller), 'sent');
    expect((await answered).status).toBe(200);
    expect((await send(caller, {}, { ...RIGHT, body: 'Order 3' })).status).toBe(200);
    await sql`update messages set hung_up_after_ms = 10000 where hung_up_after_ms is not null`;
    expect(await hangUps()).toEqual({ count: 3, seconds: 10, lastAt: expect.any(Date) });
    // Hang-ups older than a week do not count.
    await sql`update messages set created_at = created_at - interval '8 days' where number_id = ${caller.numberId}`;
    expect(await hangUps()).toBeNull();
  });

  /** A message that another web process has accepted, whose last sign of life was `silentSeconds` ago. */
  async function sentElsewhere(caller: TestCaller, silentSeconds: number, besides = '') {
    const { sql } = world.database;
    const first = send(caller);
    const id = await waiting(caller, besides);
    const webId = newId('web');
    await sql`insert into processes (id, kind, host, pid, seen_at)
      values (${webId}, 'web', 'elsewhere', 1, clock_timestamp() - ${silentSeconds} * interval '1 second')`;
    await sql`update messages set web_id = ${webId} where id = ${id}`;
    return { first, id, webId };
  }

  /** Repeats such a request here; its own process records the hang-up after the first look at the repeat. */
  async function repeatsHere(
    caller: TestCaller,
    { first, id, webId }: Awaited<ReturnType<typeof sentElsewhere>>,
    { busyMs = 0 } = {},
  ): Promise<void> {
    const { sql } = world.database;
    const unlock = await lock('numbers', caller.numberId);
    const again = send(caller);
    await locksWaitedFor(1);
    // Takes its turn behind the first look at the repeat.
    const noted = sql.begin(async (transaction) => {
      await transaction`select 1 from numbers where id = ${caller.numberId} for update`;
      await transaction`update messages set caller_left_at = clock_timestamp() where id = ${id}`;
    });
    await locksWaitedFor(2);
    await unlock();
    for (const until = performance.now() + busyMs; performance.now() < until; );
    await noted;
    await eventually(async () => {
      const [row] = await sql<{ webId: string }[]>`select web_id as "webId" from messages where id = ${id}`;
      expect(row?.webId).not.toBe(webId);
    });
    await settle(id, 'sent');
    expect((await again).headers['x-message-id']).toBe(id);
    expect((await first).headers['x-message-id']).toBe(id);
  }

  test('a caller joins at another web process, before the first one has seen it hang up', async () => {
    const caller = await makeCaller(world);
    const elsewhere = await sentElsewhere(caller, 0);
    await repeatsHere(caller, elsewhere);
    expect(await messagesOf(caller)).toEqual([{ id: elsewhere.id }]);
  });

  test('the same holds while this process is too busy to read what the database answers', async () => {
    const caller = await makeCaller(world);
    const elsewhere = await sentElsewhere(caller, 0);
    await repeatsHere(caller, elsewhere, { busyMs: 1_000 });
    expect(await messagesOf(caller)).toEqual([{ id: elsewhere.id }]);
  });

  test('the same holds while the caller of an earlier equal request waits at this process', async () => {
    const caller = await makeCaller(world);
    const here = send(caller);
    const own = await waiting(caller);
    await repeatsHere(caller, await sentElsewhere(caller, 0, own));
    expect(await messagesOf(caller)).toHaveLength(2);
    await settle(own, 'sent');
    expect((await here).headers['x-message-id']).toBe(own);
  });

  test('a caller joins at another web process, right after the first was killed', async () => {
    const caller = await makeCaller(world);
    const { first, id } = await sentElsewhere(caller, 8);
    const again = send(caller);
    await eventually(async () => {
      const [row] = await world.database.sql`select from processes p join messages m on m.web_id = p.id
        where m.id = ${id} and p.host = 'elsewhere'`;
      expect(row).toBeUndefined();
    });
    await settle(id, 'sent');
    expect((await again).headers['x-message-id']).toBe(id);
    expect((await first).headers['x-message-id']).toBe(id);
    expect(await messagesOf(caller)).toEqual([{ id }]);
  });

  test.each([
    ['', 1],
    [', whose hang-ups take long to record', 30],
  ])(
    'while another web process still holds its caller%s, an equal request is a separate message',
    async (_, silentSeconds) => {
      const caller = await makeCaller(world);
      const { first, id, webId } = await sentElsewhere(caller, silentSeconds);
      await world.database.sql`update processes set alive_at = clock_timestamp() where id = ${webId}`;
      const unlock = await lock('numbers', caller.numberId);
      const again = send(caller);
      await locksWaitedFor(1);
      // Granted after the first look at the second request.
      const looked = lock('numbers', caller.numberId);
      await locksWaitedFor(2);
      await unlock();
      await (await looked)();
      await eventually(async () => {
        await world.database.sql`update processes set seen_at = clock_timestamp() where id = ${webId}`;
        expect(await messagesOf(caller)).toHaveLength(2);
      });
      for (const message of await messagesOf(caller)) await settle(message.id, 'sent');
      expect((await again).headers['x-message-id']).not.toBe(id);
      expect((await first).headers['x-message-id']).toBe(id);
    },
  );

  test('a caller that hung up before admission sends nothing besides its repeat at another process', async () => {
    const caller = await makeCaller(world);
    const { first, id, webId } = await sentElsewhere(caller, 0);
    const leaving = new AbortController();
    const { signal } = leaving;
    const unlock = await lock('numbers', caller.numberId);
    const left = world.call('/messages/text', { key: caller.key, body: RIGHT, signal });
    const refused = expect(left).rejects.toThrow('aborted');
    await locksWaitedFor(1);
    leaving.abort();
    await refused;
    const isNoted = () => Promise.race([hangUpsRecorded(caller.numberId, 60_000), setImmediate(false)]);
    await eventually(async () => expect(await isNoted()).toBe(false));
    await unlock();
    await eventually(async () => {
      await world.database.sql`update processes set seen_at = clock_timestamp() where id = ${webId}`;
      expect(await isNoted()).toBe(true);
    });
    expect(await messagesOf(caller)).toEqual([{ id }]);
    await settle(id, 'sent');
    await first;
  });

  test('while the caller of an equal request waits, a second one is a separate message', async () => {
    const caller = await makeCaller(world);
    const answers = [send(caller), send(caller)];
    await eventually(async () => expect(await messagesOf(caller)).toHaveLength(2));
    for (const { id } of await messagesOf(caller)) await settle(id, 'sent');
    for (const answer of answers) expect((await answer).status).toBe(200);
  });

  test('the same holds while this process is too busy to report that it lives', async () => {
    const { sql } = world.database;
    const caller = await makeCaller(world);
    await sql.unsafe(`
      create function late() returns trigger language plpgsql as
        'begin new.seen_at := clock_timestamp() - interval ''20 seconds''; return new; end';
      create trigger late before insert or update on processes for each row execute function late();
      update processes set seen_at = seen_at`);
    const answers = [send(caller)];
    await waiting(caller);
    answers.push(send(caller));
    await eventually(async () => expect(await messagesOf(caller)).toHaveLength(2));
    await sql`drop function late cascade`;
    for (const { id } of await messagesOf(caller)) await settle(id, 'sent');
    for (const answer of answers) expect((await answer).status).toBe(200);
  });

  test('an answer is noted once the database can write again, so that the same request is a new message', async () => {
    const { sql } = world.database;
    const caller = await makeCaller(world);
    const first = send(caller);
    const id = await waiting(caller);
    await sql.unsafe(`
      create function fail() returns trigger language plpgsql as
        'begin raise exception ''no'' using errcode = ''57P01''; end';
      create trigger fail before update of answered on messages for each row execute function fail()`);
    await settle(id, 'sent');
    expect((await first).status).toBe(200);
    await sql`drop function fail cascade`;
    await eventually(async () => {
      const [row] = await sql`select answered from messages where id = ${id}`;
      expect(row?.answered).toBe(true);
    });
  });

  test('after an answer was written, the same request is a new message', async () => {
    const caller = await makeCaller(world);
    const first = send(caller);
    const id = await waiting(caller);
    await settle(id, 'sent');
    await first;
    await eventually(async () => {
      const [row] = await world.database.sql`select answered from messages where id = ${id}`;
      expect(row?.answered).toBe(true);
    });
    const second = send(caller);
    const another = await waiting(caller);
    expect(another).not.toBe(id);
    await settle(another, 'sent');
    expect((await second).status).toBe(200);
  });
});

test('a flood on one number leaves database connections for the others', async () => {
  const crowded = await makeCaller(world);
  const other = await makeCaller(world);
  const post = ({ key }: TestCaller, n = 0) =>
    world.call('/messages/text', {
      key,
      headers: { prefer: 'respond-async' },
      body: { to: TO, body: `Message ${n}` },
    });
  // Another transaction, for example a worker's, holds the number's row.
  const busy = Promise.withResolvers<void>();
  const hasRow = Promise.withResolvers<void>();
  const holding = world.database.sql.begin(async (sql) => {
    await sql`select 1 from numbers where id = ${crowded.numberId} for update`;
    hasRow.resolve();
    await busy.promise;
  });
  await hasRow.promise;
  const crowd = Array.from({ length: 40 }, (_, n) => post(crowded, n));
  const waitForRow = async () => {
    const [row] = await world.database.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return row?.waiting ?? 0;
  };
  await eventually(async () => expect(await waitForRow()).toBeGreaterThan(0));
  expect((await post(other)).status).toBe(202);
  expect(await waitForRow()).toBeLessThan(5);
  busy.resolve();
  await holding;
  expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(Array(40).fill(202));
});
