import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { makeCaller, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';
import { RIGHT, TO } from '#server/testing/send-bodies.ts';

/** Endpoints refuse and store fields as `send-fields.test.ts` says. Also tests the headers of a send. */
let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world, { numbersIncluded: 500 });
});
afterAll(() => world[Symbol.asyncDispose]());

/** Posts a body; `undefined` leaves a field out. */
async function post(kind: string, body: object | string) {
  const answer = await world.call(`/messages/${kind}`, {
    key: caller.key,
    headers: { prefer: 'respond-async' },
    body,
  });
  return { ...answer, error: (answer.body as { error?: string }).error };
}

/** What was stored of the last accepted message. */
async function stored(): Promise<unknown> {
  const [row] = await world.database.sql`select content from messages order by seq desc limit 1`;
  return row?.content;
}

test.each(MESSAGE_TYPES)(
  '%s: each field must be there with its type, and nothing is coerced',
  async (kind) => {
    for (const [field, right] of Object.entries(RIGHT[kind] ?? {})) {
      const missing = await post(kind, { ...RIGHT[kind], [field]: undefined });
      expect([missing.status, missing.error]).toEqual([400, expect.stringContaining(`${field} is missing`)]);
      const coercible = typeof right === 'number' ? String(right) : 5;
      const wrong = await post(kind, { ...RIGHT[kind], [field]: coercible });
      expect([wrong.status, wrong.error]).toEqual([400, expect.stringContaining(`${field} must be a`)]);
      expect(wrong.headers['x-message-id']).toBeUndefined();
    }
  },
);

test.each(MESSAGE_TYPES)('%s: unknown fields are ignored, and the others are stored', async (kind) => {
  const { to: _, ...content } = RIGHT[kind] ?? {};
  const strange = JSON.parse('{"__proto__":{"to":1},"constructor":1,"id":"msg_x","type":"none"}');
  expect((await post(kind, { ...RIGHT[kind], ...strange })).status).toBe(202);
  expect(await stored()).toEqual({ type: kind, ...content });
});

test('8000 emoji pass even if each is written as two escapes', async () => {
  const escaped = `{"to":"${TO}","body":"${'\\ud83d\\ude00'.repeat(8000)}"}`;
  expect((await post('text', escaped)).status).toBe(202);
  expect(await stored()).toEqual({ type: 'text', body: '😀'.repeat(8000) });
});

test('a number too large for JSON parsers is refused', async () => {
  const answer = await post('location', `{"to":"${TO}","latitude":1e999,"longitude":0}`);
  expect([answer.status, answer.body]).toEqual([
    400,
    { success: false, error: 'latitude must be a number from -90 to 90. The one sent is too large.' },
  ]);
});

test.each([
  'Two\nlines\r\nand a tab\t.',
  'שלום — مرحبا — 你好',
  '👩‍👩‍👧‍👦 and e\u0301',
  'BEGIN:VCARD\nFN:Not a card\nEND:VCARD',
  '<script>alert(1)</script> \\ " \u2028',
  '  kept as it is  ',
])('%j is stored as it was sent', async (body) => {
  expect((await post('text', { to: TO, body })).status).toBe(202);
  expect(await stored()).toEqual({ type: 'text', body });
});

test.each(['a\0b', 'half \ud83d'])(
  '%j, which no database keeps, is refused and not a fault',
  async (body) => {
    const { status, error } = await post('text', { to: TO, body });
    expect([status, error]).toEqual([400, expect.stringContaining('body contains U+0000')]);
  },
);

test('a url is stored in plain ASCII, and one that is refused makes no message', async () => {
  await post('image', { to: TO, url: ' https://bücher.example/ä b?q=😀#x ' });
  expect(await stored()).toEqual({
    type: 'image',
    url: 'https://xn--bcher-kva.example/%C3%A4%20b?q=%F0%9F%98%80#x',
  });
  const refused = await post('image', { to: TO, url: 'file:///etc/passwd' });
  expect(refused.status).toBe(400);
  expect(refused.headers['x-message-id']).toBeUndefined();
});

describe('headers of a send', () => {
  test.each(['', 'ä', 'x'.repeat(256), 'a\tb'])('the Idempotency-Key %j is refused', async (key) => {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { 'idempotency-key': Buffer.from(key).toString('latin1') },
      body: RIGHT.text,
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/^Idempotency-Key must/) });
  });

  test('a header given twice is refused', async () => {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { 'idempotency-key': ['a', 'a'] },
      body: RIGHT.text,
    });
    expect(answer.status).toBe(400);
  });

  test.each(['0', '-1', '1.5', '86401', 'soon', '1e3', '٥'])('X-Expires-In %j is refused', async (value) => {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { 'x-expires-in': Buffer.from(value).toString('latin1'), prefer: 'respond-async' },
      body: RIGHT.text,
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      error: 'X-Expires-In must be a whole number of seconds from 1 to 86400.',
    });
  });

  test('X-Expires-In limits how long a sync message may wait for its turn', async () => {
    const [own, headers] = [await makeCaller(world), { 'x-expires-in': '1' }];
    const answer = await world.call('/messages/text', { key: own.key, headers, body: RIGHT.text });
    expect([answer.status, answer.headers['x-limit'], answer.headers['x-send-outcome']]).toEqual([
      ...[429, 'deadline', 'not_sent'],
    ]);
    expect(answer.body).toMatchObject({
      error: 'The number had no free slot within 1 s, so the message was not sent. Retry the request.',
    });
    const [row] = await world.database.sql`
      select status from messages where id = ${String(answer.headers['x-message-id'])}`;
    expect(row).toEqual({ status: 'expired' });
  });

  test('a sync message whose turn comes after X-Expires-In is refused at once', async () => {
    const own = await makeCaller(world);
    const { sql } = world.database;
    await sql`update leases set next_send_at = clock_timestamp() + interval '5 seconds' where number_id = ${own.numberId}`;
    const answer = await world.call('/messages/text', {
      key: own.key,
      headers: { 'x-expires-in': '2' },
      body: RIGHT.text,
    });
    expect([answer.status, answer.headers['x-limit']]).toEqual([429, 'queue']);
    expect(answer.body).toMatchObject({
      error: expect.stringContaining('This message may wait for 2 s at most. Nothing was sent.'),
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(2);
  });

  test('X-Expires-In does not prolong the time that a sync message may wait', async () => {
    const own = await makeCaller(world);
    const leaving = new AbortController();
    const call = { key: own.key, headers: { 'x-expires-in': '90' }, body: RIGHT.text };
    const left = expect(world.call('/messages/text', { ...call, signal: leaving.signal })).rejects.toThrow();
    const row = await vi.waitFor(async () => {
      const [found] = await world.database.sql`
        select extract(epoch from deadline_at - created_at)::float8 as seconds from messages
        where number_id = ${own.numberId}`;
      return found ?? Promise.reject(new Error('not accepted yet'));
    });
    leaving.abort();
    await left;
    expect(row.seconds).toBeLessThan(41);
  });

  test('X-Expires-In limits how long an async message may wait', async () => {
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { 'x-expires-in': '90', prefer: 'respond-async' },
      body: RIGHT.text,
    });
    expect(answer.status).toBe(202);
    const [row] = await world.database.sql`
      select extract(epoch from deadline_at - created_at)::float8 as seconds from messages
      where id = ${String(answer.headers['x-message-id'])}`;
    expect(row?.seconds).toBeGreaterThan(89);
    expect(row?.seconds).toBeLessThan(91);
  });
});
