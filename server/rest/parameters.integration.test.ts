import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCaller, misfit, type RestWorld, startRest, type TestCaller } from '#server/testing/rest.ts';

let world: RestWorld;
let caller: TestCaller;
beforeAll(async () => {
  world = await startRest();
  caller = await makeCaller(world, { numbersIncluded: 500 });
});
afterAll(() => world[Symbol.asyncDispose]());

const TO = '4915228817386';
const RIGHT: Record<string, Record<string, unknown>> = {
  text: { to: TO, body: 'Good morning' },
  image: { to: TO, url: 'https://example.com/a.jpg' },
  document: { to: TO, url: 'https://example.com/a.pdf', filename: 'a.pdf' },
  location: { to: TO, latitude: 53.55, longitude: 9.99 },
  contact: { to: TO, contactName: 'Jonas', contactPhone: '4915112345678' },
  audio: { to: TO, url: 'https://example.com/a.mp3' },
};
const KINDS = Object.keys(RIGHT);

/** Posts a request whose fields are changed; `undefined` leaves one out. */
async function post(kind: string, change: Record<string, unknown>) {
  // Nothing waits on the number, so that none of these is refused for the queue.
  await world.database.sql`update messages set status = 'cancelled' where status = 'queued'`;
  const body = { ...RIGHT[kind], ...change };
  const answer = await world.call(`/messages/${kind}`, {
    key: caller.key,
    headers: { prefer: 'respond-async' },
    body,
  });
  return { ...answer, error: (answer.body as { error?: string }).error, sent: body };
}

/** What was stored of the last accepted message. */
async function stored(): Promise<unknown> {
  const [row] = await world.database.sql`select content from messages order by seq desc limit 1`;
  return row?.content;
}

const GROUP_OR_NUMBER =
  'a number in international format (digits only, country code first, no +) or a group id ending in @g.us';

describe('to', () => {
  test.each([
    '1234567', // 7 digits, the fewest
    '123456789012345', // 15, the most
    '12345@g.us',
    '1234567890123456789012345@g.us',
    '4915228817386-1612345678@g.us',
  ])('%s is a recipient', async (to) => {
    const answer = await post('text', { to });
    expect(answer.status).toBe(202);
    const shown = to.endsWith('@g.us') ? to : `${to}@c.us`;
    expect(answer.body).toMatchObject({ data: { to: shown } });
  });

  test.each([
    ['+4915228817386', 'Send 4915228817386 instead.'],
    ['00 49 152 288 173 86', 'Send 4915228817386 instead.'],
    ['4915228817386@c.us', 'Send 4915228817386 instead.'],
    ['4915228817386@s.whatsapp.net', 'Send 4915228817386 instead.'],
    ['015228817386', 'It begins with 0: put the country code in front instead.'],
    ['123456', ''],
    ['1234567890123456', ''],
    ['1234@g.us', ''],
    ['12345678901234567890123456@g.us', ''],
    ['4915228817386@lid', ''],
    ['Jonas', ''],
    ['4915228817386\n', 'Send 4915228817386 instead.'],
    ['٤٩١٥٢٢٨٨١٧٣٨٦', ''],
  ])('%s is no recipient, and the sentence says what to send', async (to, advice) => {
    const answer = await post('text', { to });
    expect(answer.status).toBe(400);
    expect(answer.error).toBe(`to must be ${GROUP_OR_NUMBER}.${advice && ` ${advice}`}`);
    expect(misfit(BODY_OF('text'), answer.sent)).not.toBeNull();
  });
});

const BODY_OF = (kind: string) => [
  'paths',
  `/messages/${kind}`,
  'post',
  'requestBody',
  'content',
  'application/json',
  'schema',
];

describe.each(KINDS)('%s', (kind) => {
  test('matches its own schema in the document', () => {
    expect(misfit(BODY_OF(kind), RIGHT[kind])).toBeNull();
  });

  test('unknown fields are ignored', async () => {
    const strange = JSON.parse('{"__proto__":{"to":1},"constructor":1,"id":"msg_x","type":"audio"}');
    const answer = await post(kind, strange);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ data: { type: kind } });
  });

  describe.each(Object.keys(RIGHT[kind] ?? {}))('%s', (field) => {
    const isNumber = field === 'latitude' || field === 'longitude';

    test('is required', async () => {
      const answer = await post(kind, { [field]: undefined });
      expect(answer.status).toBe(400);
      expect(answer.error).toMatch(new RegExp(`^${field} is missing\\. Send .+\\.$`));
      expect(misfit(BODY_OF(kind), JSON.parse(JSON.stringify(answer.sent)))).not.toBeNull();
    });

    const wrong = isNumber
      ? [null, '', '53.55', true, false, [], [53], {}]
      : [null, 5, 0, true, [], ['x'], {}, { toString: 'x' }];
    test.each(wrong)('%j is not coerced', async (value) => {
      const answer = await post(kind, { [field]: value });
      expect(answer.status).toBe(400);
      expect(answer.error).toMatch(new RegExp(`^${field} must be a (string|number)`));
      expect(misfit(BODY_OF(kind), answer.sent)).not.toBeNull();
    });

    if (isNumber) return;
    test.each(['', ' ', '\t\n\u00a0\u2003'])('only white space is missing: %j', async (empty) => {
      const answer = await post(kind, { [field]: empty });
      expect(answer.status).toBe(400);
      expect(answer.error).toContain(`${field} is missing`);
    });
  });
});

describe('limits in Unicode characters', () => {
  test.each([
    { kind: 'text', field: 'body', max: 8000 },
    { kind: 'image', field: 'caption', max: 8000 },
    { kind: 'document', field: 'caption', max: 8000 },
    { kind: 'document', field: 'filename', max: 255 },
    { kind: 'location', field: 'name', max: 1000 },
    { kind: 'location', field: 'address', max: 1000 },
    { kind: 'contact', field: 'contactName', max: 255 },
  ])('$field of $kind: $max pass, and one more does not', async ({ kind, field, max }) => {
    for (const char of ['x', '😀']) {
      const most = char.repeat(max);
      const accepted = await post(kind, { [field]: most });
      expect(accepted.status).toBe(202);
      expect(await stored()).toMatchObject({ [field]: most });
      expect(misfit(BODY_OF(kind), accepted.sent)).toBeNull();
      const refused = await post(kind, { [field]: `${most}${char}` });
      expect(refused.status).toBe(400);
      expect(refused.error).toBe(
        `${field} must be at most ${max} characters; it has ${max + 1}. Shorten it.`,
      );
      expect(misfit(BODY_OF(kind), refused.sent)).not.toBeNull();
    }
  });

  test('8000 emoji pass even if each is written as two escapes', async () => {
    const escaped = `{"to":"${TO}","body":"${'\\ud83d\\ude00'.repeat(8000)}"}`;
    const answer = await world.call('/messages/text', {
      key: caller.key,
      headers: { prefer: 'respond-async' },
      body: escaped,
    });
    expect(answer.status).toBe(202);
    expect(await stored()).toEqual({ type: 'text', body: '😀'.repeat(8000) });
  });
});

describe('latitude and longitude', () => {
  test.each([
    ['latitude', 90],
    ['latitude', -90],
    ['latitude', 0],
    ['longitude', 180],
    ['longitude', -180],
    ['longitude', 0.000001],
  ])('%s %d is on the map', async (field, value) => {
    expect((await post('location', { [field]: value })).status).toBe(202);
    expect(await stored()).toMatchObject({ [field]: value });
  });

  test.each([
    ['latitude', 90.000001, 90],
    ['latitude', -90.000001, 90],
    ['longitude', 180.000001, 180],
    ['longitude', -181, 180],
  ])('%s %d is not', async (field, value, bound) => {
    const answer = await post('location', { [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.error).toBe(`${field} must be a number from -${bound} to ${bound}.`);
    expect(misfit(BODY_OF('location'), answer.sent)).not.toBeNull();
  });

  test('a number too large for JSON parsers is refused', async () => {
    const answer = await world.call('/messages/location', {
      key: caller.key,
      body: `{"to":"${TO}","latitude":1e999,"longitude":0}`,
    });
    expect(answer.status).toBe(400);
  });
});

describe('optional fields', () => {
  test('are omitted when sent empty', async () => {
    await post('location', { name: '', address: ' \n' });
    expect(await stored()).toEqual({ type: 'location', latitude: 53.55, longitude: 9.99 });
    await post('image', { caption: '' });
    expect(await stored()).toEqual({ type: 'image', url: 'https://example.com/a.jpg' });
  });

  test('their type is still checked', async () => {
    const answer = await post('image', { caption: null });
    expect(answer.status).toBe(400);
    expect(answer.error).toBe('caption must be a string, not null.');
  });
});

describe('texts', () => {
  test.each([
    'Two\nlines\r\nand a tab\t.',
    'שלום — مرحبا — 你好',
    '👩‍👩‍👧‍👦 and e\u0301',
    'BEGIN:VCARD\nFN:Not a card\nEND:VCARD',
    '<script>alert(1)</script> \\ " \u2028',
    '  kept as it is  ',
  ])('%j is stored as it was sent', async (body) => {
    expect((await post('text', { body })).status).toBe(202);
    expect(await stored()).toEqual({ type: 'text', body });
  });

  test.each(['a\0b', 'half \ud83d', '\ude00 other half'])(
    '%j, which no database keeps, is refused and not a fault',
    async (body) => {
      for (const [kind, field] of [
        ['text', 'body'],
        ['image', 'caption'],
        ['document', 'filename'],
        ['location', 'name'],
        ['contact', 'contactName'],
      ] as const) {
        const answer = await post(kind, { [field]: body });
        expect(answer.status).toBe(400);
        expect(answer.error).toContain(`${field} holds U+0000 or half of a surrogate pair`);
      }
    },
  );
});

describe('url', () => {
  test.each([
    ['ftp://example.com/a', 'url must begin with http:// or https://.'],
    ['file:///etc/passwd', 'url must begin with http:// or https://.'],
    ['data:image/png;base64,AAAA', 'url must begin with http:// or https://.'],
    ['//example.com/a.jpg', 'url is not a complete URL; it must look like https://example.com/file.jpg.'],
    ['example.com/a.jpg', 'url is not a complete URL; it must look like https://example.com/file.jpg.'],
    ['http://', 'url is not a complete URL; it must look like https://example.com/file.jpg.'],
    ['https://user:pass@example.com/a', expect.stringContaining('user name or password')],
    [`https://example.com/${'x'.repeat(2048)}`, 'url is longer than 2048 characters.'],
    [`https://example.com/${'ü'.repeat(700)}`, 'url is longer than 2048 characters.'],
  ])('%s is refused before anything is accepted', async (url, error) => {
    for (const kind of ['image', 'document', 'audio']) {
      const answer = await post(kind, { url });
      expect(answer.status).toBe(400);
      expect(answer.error).toEqual(error);
      expect(answer.headers['x-message-id']).toBeUndefined();
    }
  });

  test('is stored in plain ASCII', async () => {
    await post('image', { url: ' https://bücher.example/ä b?q=😀#x ' });
    expect(await stored()).toEqual({
      type: 'image',
      url: 'https://xn--bcher-kva.example/%C3%A4%20b?q=%F0%9F%98%80#x',
    });
  });
});

describe('filename', () => {
  test.each([
    ['../../etc/passwd', '....etcpasswd'],
    ['a\\b/c.pdf', 'abc.pdf'],
    ['fdp.\u202eexe', 'fdp.exe'],
    ['Ångström 😀.pdf', 'Ångström 😀.pdf'],
  ])('%j reaches the recipient as %j', async (filename, shown) => {
    expect((await post('document', { filename })).status).toBe(202);
    expect(await stored()).toMatchObject({ filename: shown });
  });

  test.each(['..', '/', '\u202e\u200f', '///'])('%j leaves nothing and is refused', async (filename) => {
    const answer = await post('document', { filename });
    expect(answer.status).toBe(400);
    expect(answer.error).toContain('filename holds no character');
  });
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
