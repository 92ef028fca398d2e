import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LIMITS } from '#server/core/limits.ts';
import type { MessageContent } from '#server/core/message.ts';
import { personOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Rule } from '#server/sandbox/rule.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { outgoing, text } from '#worker/testing/engine-message.ts';
import { ENGINE_TIMES } from './times.ts';

const ME = '491700000001';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;
const SEND_MS = 1_500;
const NOWHERE = { name: undefined, address: undefined };
const SAMPLES = path.join(import.meta.dirname, '../sandbox/samples');

// Private chats are addressed by phone number in older accounts and by LID in migrated ones.
describe.each([{ lidChats: false }, { lidChats: true }])('an account with lidChats $lidChats', (config) => {
  let engine: TemporaryEngine;
  let me: Opened;
  beforeAll(async () => {
    engine = await temporaryEngine(config);
    me = await engine.link('num_sending', ME, { sendMs: SEND_MS, callMs: 1_000 });
    await me.session.lookUp(BOB);
  });
  afterAll(() => engine[Symbol.asyncDispose]());
  afterEach(async () => {
    await engine.control.clearRules({ phone: ME });
  });

  const inbox = async (id: string) => {
    const entries = await engine.control.inbox({ phone: ME });
    return entries.find((entry) => entry.id === id);
  };
  const rule = (stage: Rule['stage'], action: Rule['action'], ms?: number) =>
    engine.control.addRule({ phone: ME, rule: { stage, action, ...(ms && { ms }) } });
  const failureOf = async (work: Promise<unknown>): Promise<SendError> => {
    const failure = await work.then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(SendError);
    return failure as SendError;
  };
  const file = async (name: string, mimeType: string) => {
    const bytes = await fs.readFile(path.join(SAMPLES, name));
    return { mimeType, bytes, sha256: sha256(bytes) };
  };

  describe('a message arrives as it was dispatched:', () => {
    const TEXTS = [
      'hello',
      'two\nlines, an emoji 👩‍👩‍👧 and שלום',
      'BEGIN:VCARD\nVERSION:3.0\nFN:Not a card\nEND:VCARD',
      'https://example.org/no-preview-is-made',
      '  spaces around, and lines after\n\n',
      '\u200bzero\u200dwidth\u2060, \u202eright to left\u202c',
      '🐦'.repeat(LIMITS.bodyChars),
    ];
    test.each(TEXTS.map((body) => [body.slice(0, 60), body] as const))('text %j', async (_, body) => {
      const message = text(TO_BOB, body);
      await me.session.send(message);
      await me.events.untilAck(message.waMessageId);
      const entry = await inbox(message.waMessageId);
      expect(entry).toMatchObject({ to: TO_BOB, type: 'text', body });
      expect(entry?.linkPreview).toBeUndefined();
    });

    test('an image, byte for byte, with and without a caption', async () => {
      const photo = await file('photo.jpg', 'image/jpeg');
      for (const caption of ['the bird 🐦', undefined]) {
        const message = outgoing(TO_BOB, { type: 'image', url: 'https://x.test/', caption }, photo);
        await me.session.send(message);
        await me.events.untilAck(message.waMessageId);
        const entry = await inbox(message.waMessageId);
        const expected = {
          type: 'image',
          mimetype: 'image/jpeg',
          sha256: photo.sha256,
          bytes: photo.bytes.length,
        };
        expect(entry).toMatchObject(expected);
        expect(entry?.caption).toBe(caption);
      }
    });

    test('a document, as a document under its name, whatever its content', async () => {
      for (const [name, mimeType] of [
        ['offer.pdf', 'application/pdf'],
        ['card.png', 'image/png'],
      ] as const) {
        const pdf = await file(name, mimeType);
        const content = {
          type: 'document',
          url: 'https://x.test/',
          filename: `für Dich ${name}`,
          caption: 'c',
        } as const;
        const message = outgoing(TO_BOB, content, pdf);
        await me.session.send(message);
        await me.events.untilAck(message.waMessageId);
        expect(await inbox(message.waMessageId)).toMatchObject({
          type: 'document',
          filename: `für Dich ${name}`,
          caption: 'c',
          mimetype: mimeType,
          sha256: pdf.sha256,
        });
      }
    });

    test('audio, as audio and not as a voice note', async () => {
      for (const [name, mimeType] of [
        ['birdsong.mp3', 'audio/mpeg'],
        ['birdsong.ogg', 'audio/ogg; codecs=opus'],
      ] as const) {
        const song = await file(name, mimeType);
        const message = outgoing(TO_BOB, { type: 'audio', url: 'https://x.test/' }, song);
        await me.session.send(message);
        await me.events.untilAck(message.waMessageId);
        expect(await inbox(message.waMessageId)).toMatchObject({ type: 'audio', sha256: song.sha256 });
      }
    });

    test('a location, with name and address, one of them, or neither', async () => {
      const places = [
        { name: 'Berlin', address: 'Alexanderplatz 1' },
        { name: 'Berlin' },
        { address: 'Platz 2' },
        {},
      ];
      for (const place of places) {
        const content: MessageContent = { type: 'location', latitude: -90, longitude: 13.405, ...place };
        const message = outgoing(TO_BOB, content);
        await me.session.send(message);
        await me.events.untilAck(message.waMessageId);
        const entry = await inbox(message.waMessageId);
        expect(entry).toMatchObject({ type: 'location', latitude: -90, longitude: 13.405 });
        expect({ name: entry?.name, address: entry?.address }).toEqual({ ...NOWHERE, ...place });
      }
    });

    test('a contact, as a card that names the number', async () => {
      const contactName = 'Doe, Jane; "JD" 🐦';
      const message = outgoing(TO_BOB, { type: 'contact', contactName, contactPhone: '491701112222' });
      await me.session.send(message);
      await me.events.untilAck(message.waMessageId);
      const entry = await inbox(message.waMessageId);
      expect(entry?.type).toBe('contact');
      expect(entry?.vcard).toContain('FN:Doe\\, Jane\\; "JD" 🐦');
      expect(entry?.vcard).toContain('waid=491701112222:+491701112222');
    });

    test('a message to a group', async () => {
      const [group] = await me.session.listGroups();
      expect(group).toMatchObject({ id: expect.stringMatching(/@g\.us$/), participants: expect.any(Number) });
      const message = text(group?.id ?? '', 'hello all');
      await me.session.send(message);
      expect(await me.events.untilAck(message.waMessageId)).toBe(1);
      expect(await inbox(message.waMessageId)).toMatchObject({ to: group?.id, body: 'hello all' });
      expect(await me.session.reconcile(message)).toBeGreaterThanOrEqual(1);
    });
  });

  test('a message is sent under the chosen id, and its acknowledgements arrive for that id, in order', async () => {
    const message = text(TO_BOB, 'chosen');
    await me.session.send(message);
    const acks = await me.events.until((events) => {
      const reported = events.acks.get(message.waMessageId);
      return reported?.includes(3) ? reported : undefined;
    });
    expect([...new Set(acks)]).toEqual([1, 2, 3]);
    expect(await inbox(message.waMessageId)).toMatchObject({ body: 'chosen' });
    const isRemembered = (id: string) =>
      (window as unknown as { wirebirdPassed: Set<string> }).wirebirdPassed.has(id);
    await expect.poll(() => me.client().pupPage?.evaluate(isRemembered, message.waMessageId)).toBe(false);
  });

  test('acknowledgements arrive even if the library cannot copy the message out of the page', async () => {
    await me.client().pupPage?.evaluate(() => {
      const library = (window as unknown as { WWebJS: Record<string, unknown> }).WWebJS;
      Object.assign(library, { copied: library.getMessageModel });
      library.getMessageModel = () => {
        throw new Error('a build whose messages have no serialize()');
      };
    });
    const message = text(TO_BOB, 'copied by nobody');
    await me.session.send(message).catch(() => {});
    await me.events.until(({ acks }) => acks.get(message.waMessageId)?.includes(3) || undefined);
    await me.client().pupPage?.evaluate(() => {
      const library = (window as unknown as { WWebJS: Record<string, unknown> }).WWebJS;
      library.getMessageModel = library.copied;
    });
    expect(me.events.acks.get(message.waMessageId)).toEqual([1, 2, 3]);
  });

  test('the fence is checked before anything is sent, and its refusal is final', async () => {
    me.fence.open = false;
    const message = text(TO_BOB, 'fenced');
    const failure = await failureOf(me.session.send(message));
    me.fence.open = true;
    expect(failure).toMatchObject({ certain: true, reason: 'fenced' });
    expect(me.fence.asked.at(-1)).toBe(message.waMessageId);
    expect(await me.session.reconcile(message)).toBeNull();
    expect(await inbox(message.waMessageId)).toBeUndefined();
  });

  test('a message that the server refuses is reported as acknowledgement -1 after a successful dispatch', async () => {
    await rule('wire', 'refuse');
    const message = text(TO_BOB, 'refused');
    await me.session.send(message).catch((error: SendError) => {
      expect(error).toMatchObject({ certain: true, reason: 'refused' });
    });
    expect(await me.events.untilAck(message.waMessageId)).toBe(-1);
    expect(await inbox(message.waMessageId)).toBeUndefined();
  });

  test('a message that the page stores under another key is still dispatched and acknowledged', async () => {
    await rule('add', 'rekey');
    const message = text(TO_BOB, 'rekeyed');
    await me.session.send(message);
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(await me.session.reconcile(message)).toBeGreaterThanOrEqual(1);
  });

  test('a page that hangs between the gate and its job sends nothing; after that the outcome is unknown', async () => {
    await rule('add', 'hang');
    const hung = text(TO_BOB, 'hangs');
    expect(await failureOf(me.session.send(hung))).toMatchObject({ certain: true, reason: 'timeout' });
    expect(await me.session.reconcile(hung)).toBeNull();

    await rule('after', 'hang');
    const unacknowledged = text(TO_BOB, 'arrives, and nobody says so');
    await me.session.send(unacknowledged);
    await expect.poll(() => inbox(unacknowledged.waMessageId)).toBeDefined();
    expect(me.events.acks.get(unacknowledged.waMessageId)).toBeUndefined();
    expect(await me.session.reconcile(unacknowledged)).toBe(0);
  });

  test('a message abandoned before the gate is never sent, and does not take the next one’s id', async () => {
    me.times.sendMediaMs = 300;
    await rule('prep', 'late', 900);
    const late = outgoing(
      TO_BOB,
      { type: 'image', url: 'https://x.test/' },
      await file('photo.jpg', 'image/jpeg'),
    );
    expect(await failureOf(me.session.send(late))).toMatchObject({ certain: true, reason: 'timeout' });
    me.times.sendMediaMs = ENGINE_TIMES.sendMediaMs;
    const asked = me.fence.asked.length;
    const next = text(TO_BOB, 'next');
    await rule('call', 'late', 1_000); // still in progress when `late` continues
    // On a busy machine, the second of the rule leaves too little of the test's limit.
    me.times.sendMs = ENGINE_TIMES.sendMs;
    await me.session.send(next);
    me.times.sendMs = SEND_MS;
    expect(await me.events.untilAck(next.waMessageId)).toBe(1);
    expect(await inbox(next.waMessageId)).toMatchObject({ type: 'text', body: 'next' });
    expect(await inbox(late.waMessageId)).toBeUndefined();
    expect([...new Set(me.fence.asked.slice(asked))]).toEqual([next.waMessageId]);
  });

  test('a person not on WhatsApp is absent; a person never looked up and an unknown group cannot be sent to', async () => {
    await engine.control.addUnregistered({ numbers: ['491709999999'] });
    expect(await me.session.lookUp('491709999999')).toBeNull();
    const unknown = { certain: true, reason: 'recipient_unknown' };
    expect(await failureOf(me.session.send(text('491709999999@c.us', 'x')))).toMatchObject(unknown);
    if (config.lidChats)
      expect(await failureOf(me.session.send(text('491705550000@c.us', 'x')))).toMatchObject(unknown);
    expect(await failureOf(me.session.send(text('120363999999999999@g.us', 'x')))).toMatchObject(unknown);
    expect(await me.session.lookUp('491705550000')).toBe('491705550000@c.us');
    await me.session.send(text('491705550000@c.us', 'x'));
  });

  test('a person whom WhatsApp knows by another form of the number gets the message there', async () => {
    const address = await me.session.lookUp('5531987654321');
    expect(address).toBe('553187654321@c.us');
    const message = text('553187654321@c.us', 'without the ninth digit');
    await me.session.send(message);
    await me.events.until(({ acks }) => acks.get(message.waMessageId)?.includes(2) || undefined);
    expect(await inbox(message.waMessageId)).toMatchObject({ to: '553187654321@c.us' });
    expect(await me.session.reconcile(message)).toBeGreaterThanOrEqual(1);
  });

  test('a person whose number is hidden gets the message at their hidden id, and it is found there again', async () => {
    const digits = '491705550077';
    await rule('exists', 'hidden');
    const address = await me.session.lookUp(digits);
    expect(address).toMatch(/^\d+@lid$/);
    const message = { ...text(`${digits}@c.us`, 'to a hidden number'), address: address ?? personOf(digits) };
    await me.session.send(message);
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(await inbox(message.waMessageId)).toMatchObject({ to: `${digits}@c.us` });
    expect(await me.session.canAddress(message.address)).toBe(true);
    expect(await me.session.reconcile(message)).toBeGreaterThanOrEqual(1);
  });

  test('a look-up that hangs is abandoned', async () => {
    await rule('exists', 'hang');
    expect(await failureOf(me.session.lookUp('491705550001'))).toMatchObject({
      certain: true,
      reason: 'timeout',
    });
  });

  // Only for one kind of address, because the address does not affect the bytes.
  if (config.lidChats)
    test('a message of 16 MB arrives byte for byte', async () => {
      const bytes = randomBytes(16 * 1024 * 1024);
      const message = outgoing(
        TO_BOB,
        { type: 'document', url: 'https://x.test/', filename: 'big.bin' },
        { mimeType: 'application/octet-stream', bytes },
      );
      await me.session.send(message);
      await me.events.untilAck(message.waMessageId);
      expect(await inbox(message.waMessageId)).toMatchObject({ sha256: sha256(bytes), bytes: bytes.length });
    });
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
