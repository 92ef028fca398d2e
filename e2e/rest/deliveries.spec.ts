import { KINDS } from '#server/core/kinds/index.ts';
import { MEDIA_RULES, type MediaKind } from '#server/core/message.ts';
import { expect, test } from '../test.ts';

/** What arrives on the virtual phone equals what was posted. */

const TO = '4915228817386';
const CHAT = `${TO}@c.us`;
const MIB_16 = 16 * 1024 * 1024;
const ID = /^msg_[0-9a-z]{26}$/;

const TEXTS = {
  emoji: '👩‍👩‍👧‍👦 and 🏳️‍🌈 and e\u0301',
  lines: 'First\nSecond\n\nFourth\twith a tab',
  'right-to-left script': 'שלום עולם — مرحبا بالعالم',
  'a text that looks like a card': 'BEGIN:VCARD\nVERSION:3.0\nFN:Nobody\nEND:VCARD',
  'a link': 'See https://example.com/?a=1&b=2#c',
  'the longest text': '😀'.repeat(8000),
};

for (const [what, body] of Object.entries(TEXTS)) {
  test(`a text arrives unchanged: ${what}`, async ({ api }) => {
    const answer = await api.send('text', { to: TO, body });
    expect(answer.body).toEqual({
      success: true,
      data: { id: expect.stringMatching(ID), to: CHAT, type: 'text', status: 'sent' },
    });
    expect(answer.status).toBe(200);
    expect(await api.lastDelivered()).toEqual({ to: CHAT, type: 'text', body });
  });
}

for (const kind of Object.keys(MEDIA_RULES) as MediaKind[]) {
  for (const bytes of [0, MIB_16]) {
    const size = bytes === 0 ? 'of its usual size' : 'of 16 MiB';
    test(`${kind} ${size} arrives byte for byte`, async ({ api, media }) => {
      const { fields } = KINDS[kind];
      const extra = {
        ...('caption' in fields && { caption: 'A caption, with 😀' }),
        ...('filename' in fields && { filename: 'Angebot (1) “neu”.pdf' }),
      };
      const answer = await api.send(kind, { to: TO, url: media.file(kind, bytes), ...extra });
      expect(answer.body).toEqual({
        success: true,
        data: { id: expect.stringMatching(ID), to: CHAT, type: kind, status: 'sent' },
      });
      const delivered = await api.lastDelivered();
      expect(delivered).toMatchObject({ to: CHAT, type: kind, ...extra });
      expect(delivered.sha256).toBe(await media.sha256(kind, bytes));
    });
  }

  test(`${kind} of 16 MiB plus one byte is 413, and nothing arrives`, async ({ api, media }) => {
    const before = await api.delivered();
    const extra = 'filename' in KINDS[kind].fields ? { filename: 'big.pdf' } : {};
    const answer = await api.send(kind, { to: TO, url: media.file(kind, MIB_16 + 1), ...extra });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({ success: false, error: expect.stringContaining('larger than 16 MB') });
    expect(answer.headers['x-send-outcome']).toBe('not_sent');
    expect(await api.delivered()).toBe(before);
  });
}

test('an image sent as a document arrives as a document', async ({ api, media }) => {
  const body = { to: TO, url: media.file('image'), filename: 'photo.jpg' };
  expect((await api.send('document', body)).status).toBe(200);
  expect(await api.lastDelivered()).toMatchObject({ type: 'document', filename: 'photo.jpg' });
});

for (const place of [
  {},
  { name: 'Town hall' },
  { address: 'Rathausmarkt 1' },
  { name: 'Town hall', address: 'Rathausmarkt 1' },
]) {
  test(`a location arrives with ${Object.keys(place).join(' and ') || 'neither name nor address'}`, async ({
    api,
  }) => {
    const point = { latitude: -53.550341, longitude: 179.999999 };
    const answer = await api.send('location', { to: TO, ...point, ...place });
    expect(answer.status).toBe(200);
    expect(await api.lastDelivered()).toEqual({ to: CHAT, type: 'location', ...point, ...place });
  });
}

for (const contactName of ['Jonas', 'Müller, Söhne; & Co.', 'The "Boss" \\ 😀', 'משה']) {
  test(`a contact card is readable: ${contactName}`, async ({ api }) => {
    const answer = await api.send('contact', { to: TO, contactName, contactPhone: '4915112345678' });
    expect(answer.status).toBe(200);
    const delivered = await api.lastDelivered();
    expect(delivered).toMatchObject({ to: CHAT, type: 'contact' });
    const card = cardOf(delivered.vcard ?? '');
    expect(card.get('FN')).toBe(contactName);
    expect(delivered.vcard).toMatch(/^TEL;.*waid=4915112345678:\+4915112345678$/m);
    expect([card.get('BEGIN'), card.get('VERSION'), card.get('END')]).toEqual(['VCARD', '3.0', 'VCARD']);
  });
}

/** The properties of a vCard, unescaped as RFC 2426 says. */
function cardOf(vcard: string): Map<string, string> {
  const lines = vcard.split(/\r?\n/).map((line) => /^([A-Z]+)[^:]*:(.*)$/.exec(line) ?? []);
  return new Map(
    lines.map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char)),
    ]),
  );
}
