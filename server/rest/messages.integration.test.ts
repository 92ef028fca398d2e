import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { checkRecipients } from '#server/numbers/check-recipients.ts';
import { eraseHashes } from '#server/operations/queries/retention.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
});
beforeEach(async () => {
  caller = await makeCaller(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const TO = '4915228817386';
interface Message {
  id: string;
  reference: string | null;
  status: string;
  [field: string]: unknown;
}

const accept = (body: object = {}, headers: Record<string, string> = {}, key = caller.key) =>
  world.call('/messages/text', {
    key,
    body: { to: TO, body: 'Hello', ...body },
    headers: { prefer: 'respond-async', ...headers },
  });
async function accepted(body: object = {}, headers: Record<string, string> = {}): Promise<string> {
  const answer = await accept(body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return (answer.body as { data: { id: string } }).data.id;
}
async function get(id: string): Promise<Message> {
  const answer = await world.call(`/messages/${id}`, { key: caller.key });
  expect(answer.status).toBe(200);
  return (answer.body as { data: Message }).data;
}
async function list(query = ''): Promise<{ messages: Message[]; next: string | null }> {
  const answer = await world.call(`/messages${query}`, { key: caller.key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { data: { messages: Message[]; next: string | null } }).data;
}
const become = async (id: string, ...statuses: string[]) => {
  for (const status of statuses)
    await world.database.sql`
      with changed as (update messages set status = ${status}, sent_at = coalesce(sent_at, clock_timestamp()) where id = ${id} returning id)
      insert into message_events (message_id, event) select id, ${status} from changed where ${status} <> 'sending'`;
};
const wrong = { status: 400, body: { success: false } };

describe('a reference', () => {
  test('comes from the header or the body, and is returned with the message', async () => {
    expect((await get(await accepted({}, { 'x-reference': 'order 7' }))).reference).toBe('order 7');
    expect((await get(await accepted({ reference: 'Ordén 8' }))).reference).toBe('Ordén 8');
    // As bytes: with a text, Node would write the header in the encoding of the body.
    const body = Buffer.from(JSON.stringify({ to: TO, body: 'Hello', reference: 'Ordén 8' }));
    const headers = { prefer: 'respond-async', 'x-reference': Buffer.from('Ordén 8').toString('latin1') };
    expect((await world.call('/messages/text', { key: caller.key, body, headers })).status).toBe(202);
    // Some clients send a header as Latin-1.
    const latin1 = await world.call('/messages/text', {
      key: caller.key,
      body: { to: TO, body: 'Hello' },
      headers: { prefer: 'respond-async', 'x-reference': 'Größe 9' },
    });
    expect((await get(String(latin1.headers['x-message-id']))).reference).toBe('Größe 9');
    expect((await get(await accepted({ reference: '' }))).reference).toBeNull();
  });

  test.each([
    [{ reference: 7 }, {}, 'reference must be a string, not a number. Put it in quotes.'],
    [{ reference: 'x'.repeat(129) }, {}, 'reference must be at most 128 characters; it has 129. Shorten it.'],
    [
      { reference: 'a\nb' },
      {},
      'reference must contain printable characters only. Remove line breaks and control characters.',
    ],
    [
      {},
      { 'x-reference': 'x'.repeat(129) },
      'X-Reference must be at most 128 characters; it has 129. Shorten it.',
    ],
    [
      { reference: 'a' },
      { 'x-reference': 'b' },
      'X-Reference and the field "reference" differ. Send one of them, or the same text in both.',
    ],
  ])('that is not valid is refused: %j %j', async (body, headers, error) => {
    expect(await accept(body, headers as Record<string, string>)).toMatchObject({
      ...wrong,
      body: { error },
      headers: { 'x-error-code': 'invalid_parameters' },
    });
  });

  test('makes two orders with the same text two messages, and is part of what an Idempotency-Key stands for', async () => {
    const first = await accepted({ reference: 'a' });
    expect(await accepted({ reference: 'b' })).not.toBe(first);
    const keyed = { 'idempotency-key': 'k' };
    const once = await accepted({ reference: 'c' }, keyed);
    expect(await accepted({}, { ...keyed, 'x-reference': 'c' })).toBe(once);
    expect(await accept({ reference: 'd' }, keyed)).toMatchObject({
      ...wrong,
      headers: { 'x-error-code': 'idempotency_key_reused', 'x-message-id': once },
    });
  });
});

describe('a message', () => {
  test('has its times and events', async () => {
    const id = await accepted();
    expect(await get(id)).toMatchObject({
      ...{ id, to: `${TO}@c.us`, type: 'text', status: 'queued', error: null, errorCode: null },
      ...{ sendAt: null, sentAt: null, deliveredAt: null, readAt: null },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      events: [{ event: 'accepted', at: expect.any(String) }],
    });
    await become(id, 'sending', 'sent', 'delivered', 'read');
    const read = await get(id);
    const time = expect.stringMatching(/Z$/);
    expect(read).toMatchObject({ status: 'read', sentAt: time, deliveredAt: time, readAt: time });
    expect((read.events as { event: string }[]).map(({ event }) => event)).toEqual([
      'accepted',
      'sent',
      'delivered',
      'read',
    ]);
  });

  test('that was read without a report of its delivery was delivered by then', async () => {
    const id = await accepted();
    await become(id, 'sending', 'sent', 'read');
    const { deliveredAt, readAt } = await get(id);
    expect(deliveredAt).toBe(readAt);
    expect(readAt).not.toBeNull();
  });
});

describe('the list', () => {
  test('pages through all messages, newest first, and nobody else’s', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await accepted({ reference: `${n}` }));
    const stranger = await makeCaller(world);
    await accept({}, {}, stranger.key);
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { messages, next } = await list(query);
      seen.push(...messages.map(({ id }) => id));
      expect(messages.length).toBeLessThanOrEqual(2);
      if (next === null) break;
      query = `?limit=2&cursor=${next}`;
    }
    expect(seen).toEqual(ids.toReversed());
  });

  test('filters by each field and by several together', async () => {
    const one = await accepted({ reference: 'ä/1' });
    const other = await accepted({ to: '491700000009', reference: '2' });
    await become(other, 'cancelled');
    const ids = async (query: string) => (await list(query)).messages.map(({ id }) => id);
    expect(await ids(`?reference=${encodeURIComponent('ä/1')}`)).toEqual([one]);
    expect(await ids('?reference=none')).toEqual([]);
    expect(await ids('?status=cancelled')).toEqual([other]);
    expect(await ids('?to=491700000009')).toEqual([other]);
    expect(await ids('?to=491700000009&status=queued')).toEqual([]);
    const { createdAt } = await get(other);
    expect(await ids(`?since=${createdAt}`)).toEqual([other]);
    expect(await ids(`?until=${createdAt}`)).toEqual([one]);
  });

  test.each([
    ['?limit=0', 'limit must be a whole number from 1 to 100.'],
    ['?limit=101', 'limit must be a whole number from 1 to 100.'],
    ['?limit=1&limit=2', 'Send limit only once.'],
    ['?status=sent&status=failed', 'Send status only once.'],
    [`?to=${TO}&to=${TO}`, 'Send to only once.'],
    [
      '?since=2026-03-01T08:00:00+01:00',
      'since must be a time with a UTC offset, such as 2026-03-01T08:00:00Z. A + in a URL means a space: write it as %2B.',
    ],
    ['?reference=', 'reference is empty. Send your ID of a message, or omit the filter.'],
    [
      '?stauts=failed',
      'There is no filter "stauts". The filters are: reference, status, to, since, until, limit, cursor.',
    ],
    ['?__proto__=2', /^There is no filter "__proto__"/],
    [
      '?status=gone',
      'status must be one of queued, sending, sent, delivered, read, failed, unknown, expired, cancelled.',
    ],
    ['?since=yesterday', 'since must be a time with a UTC offset, such as 2026-03-01T08:00:00Z.'],
    ['?until=0000-12-31T23:59:59Z', 'until must be a time with a UTC offset, such as 2026-03-01T08:00:00Z.'],
    ['?until=9999-12-31T23:59:59-01:00', /^until must be a time/],
    ['?cursor=abc', 'cursor is not valid. Use "next" of the page before.'],
    ['?to=0049', /^to must be a number in international format/],
  ])('%s is refused', async (query, error) => {
    const answer = await world.call(`/messages${query}`, { key: caller.key });
    expect(answer.status).toBe(400);
    const given = (answer.body as { error: string }).error;
    if (typeof error === 'string') expect(given).toBe(error);
    else expect(given).toMatch(error);
  });
});

describe('cancel', () => {
  const cancel = (id: string, key = caller.key) =>
    world.call(`/messages/${id}/cancel`, { method: 'POST', key });

  test('takes a waiting message out of the queue, with or without a body', async () => {
    const id = await accepted();
    expect(await cancel(id)).toMatchObject({
      status: 200,
      headers: { 'x-message-id': id },
      body: { data: { id, status: 'cancelled', errorCode: 'cancelled_by_caller' } },
    });
    const other = await accepted();
    const withBody = await world.call(`/messages/${other}/cancel`, { key: caller.key, body: {} });
    expect(withBody).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
  });

  test('is never answered with an error after the message was cancelled', async () => {
    const { sql } = world.database;
    const id = await accepted();
    await sql`create or replace function no_events() returns trigger language plpgsql as
      $$ begin alter table message_events rename to message_events_gone; return new; end $$`;
    // The table can be renamed only once, and other processes change messages meanwhile, this one too.
    await sql.unsafe(`create constraint trigger no_events after update on messages
      deferrable initially deferred for each row when (new.id = '${id}' and new.status = 'cancelled') execute function no_events()`);
    try {
      expect(await cancel(id)).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
    } finally {
      await sql`drop trigger no_events on messages`;
      await sql`alter table message_events_gone rename to message_events`;
    }
  });

  test('changes nothing once the message was handed over', async () => {
    const id = await accepted();
    await become(id, 'sending');
    expect(await cancel(id)).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'not_cancellable', 'x-message-id': id, 'x-message-status': 'sending' },
      body: {
        error:
          'Only a message that still waits can be cancelled. This one is sending, and nothing was changed.',
      },
    });
    expect((await get(id)).status).toBe('sending');
  });

  test('another number’s message is as one that does not exist', async () => {
    const stranger = await makeCaller(world);
    const id = await accepted();
    const foreign = await cancel(id, stranger.key);
    expect(foreign).toMatchObject({ status: 404, headers: { 'x-error-code': 'not_found' } });
    expect(foreign.body).toEqual((await cancel('msg_none', stranger.key)).body);
    expect((await get(id)).status).toBe('queued');
  });

  test('answers a caller who waits for that message at once', async () => {
    const waiting = world.call('/messages/text', { key: caller.key, body: { to: TO, body: 'Hello' } });
    const [message] = await expect
      .poll(async () => (await list('?status=queued')).messages, { timeout: 10_000 })
      .toHaveLength(1)
      .then(() => list().then(({ messages }) => messages));
    await cancel(message?.id ?? '');
    expect(await waiting).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'cancelled_by_caller', 'x-send-outcome': 'not_sent' },
      body: { error: 'Cancelled through the API while it waited. It was not sent.' },
    });
  });
});

describe('an error as a problem', () => {
  const problem = (accept: string) =>
    world.call('/messages/msg_none', { key: caller.key, headers: { accept } });

  test('is what Accept asks for', async () => {
    const answer = await problem('application/json;q=0.5, application/problem+json');
    expect(answer).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/problem+json', 'x-error-code': 'not_found' },
      body: {
        type: expect.stringMatching(/\/docs#error-not_found$/),
        ...{ title: 'not found', status: 404, code: 'not_found' },
        detail: 'No message with this ID exists on the number of this API key.',
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
      },
    });
  });

  test.each(['*/*', 'application/json', 'application/problem+json;q=0'])(
    'is not for Accept: %s',
    async (accept) => {
      expect((await problem(accept)).body).toMatchObject({ success: false });
    },
  );
});

describe('a scheduled message', () => {
  const HOUR_MS = 3_600_000;
  const at = (inMs: number) => new Date(Date.now() + inMs).toISOString();
  const schedule = (inMs: number, body: object = {}, headers: Record<string, string> = {}) =>
    accept(body, { 'x-send-at': at(inMs), prefer: '', ...headers });

  test('is accepted with 202, when it will probably leave, and counts its expiry from its time', async () => {
    const sendAt = at(HOUR_MS);
    const answer = await accept({}, { 'x-send-at': sendAt, prefer: '', 'x-expires-in': '60' });
    expect(answer).toMatchObject({
      status: 202,
      headers: { 'x-estimated-send-at': sendAt },
      body: { data: { status: 'queued' } },
    });
    const { id } = (answer.body as { data: { id: string } }).data;
    expect(await get(id)).toMatchObject({ sendAt, status: 'queued' });
    const [row] = await world.database.sql<{ seconds: number }[]>`
      select extract(epoch from deadline_at - send_at)::float8 as seconds from messages where id = ${id}`;
    // Exactly: it does not depend on the clock of this machine.
    expect(row?.seconds).toBe(60);
  });

  test('sees those that are due before it in its estimate', async () => {
    const sendAt = at(HOUR_MS);
    const [{ seconds } = { seconds: 0 }] = await world.database.sql<{ seconds: number }[]>`
      select send_interval_seconds as seconds from numbers where id = ${caller.numberId}`;
    for (let n = 0; n < 3; n++) await accept({ to: `49170000000${n}` }, { 'x-send-at': sendAt });
    const { headers } = await accept({ to: '491700000007' }, { 'x-send-at': sendAt });
    const late = new Date(String(headers['x-estimated-send-at'])).getTime() - new Date(sendAt).getTime();
    expect(late).toBeGreaterThan(3 * seconds * 1000 - 1);
    expect(late).toBeLessThan(3 * (seconds + 1) * 1000);
  });

  test('is accepted with 202 without an estimate if the estimate fails', async () => {
    const { sql } = world.database;
    // The estimate reads the leases; acceptance reads them before it stores the message.
    await sql`create function no_leases() returns trigger language plpgsql as
      $$ begin alter table leases rename to leases_gone; return new; end $$`;
    await sql`create trigger no_leases after insert on messages for each row execute function no_leases()`;
    try {
      const answer = await schedule(HOUR_MS);
      expect(answer).toMatchObject({ status: 202, body: { data: { status: 'queued' } } });
      expect(answer.headers).not.toHaveProperty('x-estimated-send-at');
    } finally {
      await sql`drop trigger no_leases on messages`;
      await sql`alter table leases_gone rename to leases`;
    }
  });

  test('does not use up the room of the queue, and can be cancelled', async () => {
    const answer = await schedule(HOUR_MS);
    const { id } = (answer.body as { data: { id: string } }).data;
    await accepted();
    const [row] = await world.database.sql<{ later: number }[]>`
      select count(*)::int as later from messages where number_id = ${caller.numberId} and send_at > clock_timestamp()`;
    expect(row?.later).toBe(1);
    const cancelled = await world.call(`/messages/${id}/cancel`, { method: 'POST', key: caller.key });
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: 'cancelled' } } });
  });

  test('is found again by its Idempotency-Key until 24 hours after its time', async () => {
    const { sql } = world.database;
    const headers = { 'idempotency-key': 'in two days', 'x-send-at': at(48 * HOUR_MS) };
    const idOf = async () => (await accept({}, headers)).headers['x-message-id'];
    const id = await idOf();
    await sql`update messages set created_at = created_at - interval '25 hours' where id = ${String(id)}`;
    await eraseHashes(world.database, { limit: 10 });
    expect(await idOf()).toBe(id);
    await become(String(id), 'sending', 'sent');
    await sql`update messages set send_at = clock_timestamp() - interval '23 hours' where id = ${String(id)}`;
    await eraseHashes(world.database, { limit: 10 });
    expect(await idOf()).toBe(id);
    await sql`update messages set send_at = clock_timestamp() - interval '25 hours' where id = ${String(id)}`;
    expect(await idOf()).not.toBe(id);
  });

  test('is repeated after its time with its first answer', async () => {
    const time = at(-59_500);
    const headers = { 'idempotency-key': 'k', 'x-send-at': time };
    const first = await accept({}, headers);
    await expect.poll(() => Date.now() - Date.parse(time)).toBeGreaterThan(60_000);
    expect(await accept({}, { ...headers, 'idempotency-key': 'new' })).toMatchObject({ status: 400 });
    expect(await accept({}, headers)).toMatchObject({ status: first.status, body: first.body });
  });

  test('is another message at another time', async () => {
    const keyed = { 'idempotency-key': 'k' };
    const time = at(HOUR_MS);
    const first = await accept({}, { ...keyed, 'x-send-at': time });
    expect((await accept({}, { ...keyed, 'x-send-at': time })).body).toEqual(first.body);
    expect(await accept({}, { ...keyed, 'x-send-at': at(2 * HOUR_MS) })).toMatchObject(wrong);
  });

  test.each([
    ['2026-03-01 08:00', 'X-Send-At must be a time with a UTC offset, such as 2026-03-01T08:00:00+01:00.'],
    ['2026-03-01T08:00:00', 'X-Send-At must be a time with a UTC offset, such as 2026-03-01T08:00:00+01:00.'],
    ['2020-03-01T08:00:00Z', 'X-Send-At is in the past. Send a time in the next 30 days.'],
    ['2126-03-01T08:00:00Z', 'X-Send-At is more than 30 days ahead. Send a time in the next 30 days.'],
  ])('at %s is refused', async (sendAt, error) => {
    expect(await accept({}, { 'x-send-at': sendAt })).toMatchObject({ ...wrong, body: { error } });
  });
});

describe('a dry run', () => {
  const dry = { 'x-dry-run': 'true' };
  const rows = async () => {
    const [row] = await world.database.sql<{ messages: number; contacts: number }[]>`
      select (select count(*)::int from messages where number_id = ${caller.numberId}) as messages,
        (select count(*)::int from recipients where number_id = ${caller.numberId} and recipient = ${`${TO}@c.us`}) as contacts`;
    return row;
  };
  const nothing = { messages: 0, contacts: 0 };

  test.each(['', 'respond-async', 'wait=5'])(
    'is valid, and stores and sends nothing: Prefer: %s',
    async (prefer) => {
      const answer = await accept({ reference: '7' }, { ...dry, prefer, 'idempotency-key': 'k' });
      expect(answer).toMatchObject({ status: 200, headers: { 'x-estimated-wait': '0' } });
      expect(answer.headers).not.toHaveProperty('x-message-id');
      expect(answer.body).toEqual({
        success: true,
        data: { id: '', to: `${TO}@c.us`, type: 'text', status: 'valid' },
      });
      expect(await rows()).toEqual(nothing);
    },
  );

  test('estimates the wait in the queue, and until the time that it is scheduled for', async () => {
    for (let n = 0; n < 3; n++) await accepted({ to: `49170000000${n}` });
    const { headers } = await accept({}, { ...dry });
    expect(Number(headers['x-estimated-wait'])).toBeGreaterThanOrEqual(24);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = await accept({}, { ...dry, 'x-send-at': sendAt });
    expect(Number(later.headers['x-estimated-wait'])).toBeGreaterThan(3590);
  });

  test('is refused as the real request is', async () => {
    const first = await accepted({}, { 'idempotency-key': 'k' });
    expect(await accept({ body: 'Other' }, { ...dry, 'idempotency-key': 'k' })).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'idempotency_key_reused', 'x-message-id': first },
    });
    await world.database.sql`update numbers set status = 'LOGGED_OUT' where id = ${caller.numberId}`;
    expect(await accept({}, { ...dry, prefer: '' })).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'not_connected', 'x-number-status': 'LOGGED_OUT' },
    });
    expect(await accept({ to: '1' }, dry)).toMatchObject(wrong);
  });

  test.each(['respond-async', ''])(
    'says which message its real request would repeat: Prefer: %s',
    async (prefer) => {
      const first = await accept({}, { 'idempotency-key': 'k' });
      const headers = { ...dry, prefer, 'idempotency-key': 'k' };
      // The real request would wait for its first message, and look for no place in the queue.
      await world.database.sql`update leases set next_send_at = clock_timestamp() + interval '10 minutes'
      where number_id = ${caller.numberId}`;
      await world.database.sql`update numbers set status = 'LOGGED_OUT' where id = ${caller.numberId}`;
      const answer = await accept({}, headers);
      expect(answer).toMatchObject({
        status: 200,
        headers: { 'idempotency-replayed': 'true', 'x-message-id': first.headers['x-message-id'] },
        body: { data: { id: '', status: 'valid' } },
      });
      expect(answer.headers).not.toHaveProperty('x-estimated-wait');
    },
  );

  test('fetches the file, and keeps nothing of it', async () => {
    const image = (url: string) =>
      world.call('/messages/image', { key: caller.key, headers: dry, body: { to: TO, url } });
    expect(await image('https://files.invalid/a.png')).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'media_unavailable' },
    });
    expect(await image('http://127.0.0.1/a.png')).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'media_unusable' },
    });
    expect(await rows()).toEqual(nothing);
  });

  test('is asked for with true or false', async () => {
    expect(await accept({}, { 'x-dry-run': 'yes' })).toMatchObject({
      ...wrong,
      body: { error: 'X-Dry-Run must be true or false.' },
    });
    expect(await accept({}, { 'x-dry-run': '' })).toMatchObject(wrong);
    expect(await accept({}, { 'x-send-at': '' })).toMatchObject(wrong);
    expect((await accept({}, { 'x-dry-run': 'false' })).status).toBe(202);
  });
});

describe('checking recipients', () => {
  const check = (to: unknown, key = caller.key) => world.call('/recipients/check', { key, body: { to } });
  const remember = (digits: string, found: boolean) =>
    world.database
      .sql`insert into look_ups (number_id, digits, found) values (${caller.numberId}, ${digits}, ${found})`;

  test('answers from memory, each number once and in order', async () => {
    await remember('491700000001', true);
    await remember('491700000002', false);
    const answer = await check(['491700000002', '491700000001', '491700000002']);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        recipients: [
          { to: '491700000002', status: 'not_on_whatsapp', checkedAt: expect.any(String) },
          { to: '491700000001', status: 'on_whatsapp', checkedAt: expect.any(String) },
        ],
      },
    });
    expect((await check('491700000001')).body).toMatchObject({
      data: { recipients: [{ status: 'on_whatsapp' }] },
    });
  });

  test('does not show what another number has looked up', async () => {
    await remember('491700000001', true);
    const stranger = await makeCaller(world, { linked: false });
    expect(await check('491700000001', stranger.key)).toMatchObject({
      status: 409,
      headers: { 'x-error-code': 'not_connected', 'x-number-status': 'UNLINKED' },
    });
  });

  test('has a limit of its own, and asks nothing beyond it', async () => {
    await world.database.sql`
      insert into recipient_checks (number_id, digits, asked_at, settled_at)
      select ${caller.numberId}, '4917' || n, clock_timestamp() - interval '23 hours', clock_timestamp()
      from generate_series(1, 99) n`;
    // The time to wait is by the database's clock, whatever this process's is.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const refused = await check(['491700000001', '491700000002']).finally(() => vi.useRealTimers());
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'x-error-code': 'check_limit', 'x-limit': 'checks' },
    });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(3500);
    expect(seconds).toBeLessThanOrEqual(3600);
    const [row] = await world.database.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from recipient_checks where number_id = ${caller.numberId} and settled_at is null`;
    expect(row?.waiting).toBe(0);
  });

  test('asking about a phone again counts too, unless it still waits', async () => {
    const { accountId, numberId } = await makeCaller(world);
    const scope = { database: world.database, accountId, numberId };
    // A caller that has hung up: it waits for no answer.
    const ask = (...digits: string[]) => checkRecipients(scope, { digits, signal: AbortSignal.abort() });
    const tooMany = { code: 'check_limit' };
    await world.database.sql`
      insert into recipient_checks (number_id, digits, asks, settled_at) values
        (${numberId}, '491700000001', 98, clock_timestamp()), (${numberId}, '491700000002', 1, null)`;
    await expect(ask('491700000001', '491700000003')).rejects.toMatchObject(tooMany);
    await ask('491700000001', '491700000002');
    await ask('491700000001', '491700000002');
    await expect(ask('491700000003')).rejects.toMatchObject(tooMany);
    await world.database
      .sql`update recipient_checks set settled_at = clock_timestamp() where number_id = ${numberId}`;
    await expect(ask('491700000001')).rejects.toMatchObject(tooMany);
  });

  test('of requests at the same moment, those within the limit are accepted', async () => {
    const { accountId, numberId } = await makeCaller(world);
    const scope = { database: world.database, accountId, numberId };
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) =>
        checkRecipients(scope, {
          digits: Array.from({ length: 10 }, (_, i) => `49170000${1000 + 10 * n + i}`),
          signal: AbortSignal.abort(),
        }),
      ),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  test.each([
    ['an empty list', []],
    ['part of a number', '+49 170'],
    ['a JSON number', 7],
    ['a list with a word', ['491700000001', 'x']],
    ['a list of 51', Array(51).fill('491700000001')],
  ])('%s is refused', async (_what, to) => {
    expect(await check(to)).toMatchObject({ ...wrong, headers: { 'x-error-code': 'invalid_parameters' } });
  });
});
