import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Client, Message, MessageSendOptions } from 'whatsapp-web.js';
import wweb from 'whatsapp-web.js';
import type { InboxEntry } from '#server/sandbox/contract.ts';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import {
  bringUp,
  closeClient,
  createClient,
  inPage,
  next,
  ownMessages,
} from '#worker/testing/sandbox-client.ts';
import { lidOf } from './lid.ts';
import type { Sandbox } from './start-sandbox.ts';

const ME = '491700000001';
const BOB = '491700000002';
const GROUP = '120363000000000001@g.us';
const SAMPLES = path.join(import.meta.dirname, 'samples');
const VCARD = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'N:Doe;Jane;;;',
  'FN:Jane Doe',
  'TEL;type=CELL;waid=491701112222:+491701112222',
  'END:VCARD',
].join('\n');

const sample = (name: string) => {
  const bytes = fs.readFileSync(path.join(SAMPLES, name));
  const hash = crypto.createHash('sha256').update(bytes).digest('hex');
  return {
    bytes,
    hash,
    media: (type: string) => new wweb.MessageMedia(type, bytes.toString('base64'), name, bytes.length),
  };
};

describe.each([{ lidChats: false }, { lidChats: true }])('with lidChats $lidChats', ({ lidChats }) => {
  const profiles = temporaryDirectory();
  const acks = new Map<string, number[]>();
  let sandbox: Sandbox & AsyncDisposable;
  let client: Client;

  const open = async () => {
    client = createClient(sandbox.chromiumArgs, profiles);
    client.on('message_ack', ({ id }, ack) => acks.set(id.id, [...(acks.get(id.id) ?? []), ack]));
    await bringUp(sandbox, client, ME);
  };
  const send = (
    content: Parameters<Client['sendMessage']>[1],
    options: MessageSendOptions = {},
    to = `${BOB}@c.us`,
  ) => client.sendMessage(to, content, { sendSeen: false, linkPreview: false, ...options });
  const arrived = new Set<string>();
  /** The message that `sending` delivered. The library does not return it on a page with renamed keys. */
  const arrivalOf = async (sending: Promise<unknown>): Promise<InboxEntry> => {
    await sending;
    return eventually(async () => {
      const entry = (await sandbox.control.inbox({ phone: ME })).find(({ id }) => !arrived.has(id));
      if (!entry) throw new Error('has not arrived');
      arrived.add(entry.id);
      return entry;
    });
  };

  beforeAll(async () => {
    sandbox = await temporarySandbox({ lidChats, deliveredMs: 20, readMs: 40 });
    await sandbox.control.addGroup({ phone: ME, name: 'Friends', id: GROUP });
    await sandbox.control.addUnregistered({ numbers: ['491709999999'] });
    await open();
    await client.getNumberId(BOB);
  });
  afterAll(async () => {
    await closeClient(client);
    expect((await sandbox.control.diagnostics()).missingModules).toEqual([]);
    await sandbox[Symbol.asyncDispose]();
    fs.rmSync(profiles, { recursive: true, force: true });
  });

  test('a ready client knows its own number', async () => {
    expect(await client.getState()).toBe('CONNECTED');
    expect(client.info.wid._serialized).toBe(`${ME}@c.us`);
    expect(client.info.pushname).toBe('Sandbox 0001');
    expect(await client.getWWebVersion()).toBe((await sandbox.control.config()).version);
  });

  test('a look-up shows who is on WhatsApp', async () => {
    expect(await client.getNumberId('491709999999')).toBeNull();
    expect(await client.isRegisteredUser('491709999999')).toBe(false);
    expect((await client.getNumberId(BOB))?._serialized).toBe(`${BOB}@c.us`);
  });

  describe('a message arrives as it was sent:', () => {
    const to = `${BOB}@c.us`;
    test.each([
      ['text', 'hällo 👋\n\nשלום  '],
      ['a text that begins as a contact does', `${VCARD}\nand more`],
      ['a long text', '👋'.repeat(8000)],
    ])('%s', async (_, body) => {
      const entry = await arrivalOf(send(body, { parseVCards: false }));
      expect(entry).toEqual({
        id: entry.id,
        at: expect.any(Number),
        ack: expect.any(Number),
        to,
        type: 'text',
        body,
      });
    });

    test('a link preview, when one was asked for', async () => {
      const entry = await arrivalOf(send('see https://example.org/x', { linkPreview: true }));
      expect(entry).toMatchObject({ type: 'text', linkPreview: 'Preview of https://example.org/x' });
    });

    test.each([
      {
        kind: 'image',
        name: 'photo.jpg',
        type: 'image/jpeg',
        options: { caption: 'the wire' },
        extra: { caption: 'the wire' },
      },
      { kind: 'image', name: 'card.png', type: 'image/png', options: {}, extra: {} },
      {
        kind: 'document',
        name: 'offer.pdf',
        type: 'application/pdf',
        options: { sendMediaAsDocument: true, caption: 'the offer' },
        extra: { filename: 'offer.pdf', caption: 'the offer' },
      },
      {
        kind: 'document',
        name: 'photo.jpg',
        type: 'image/jpeg',
        options: { sendMediaAsDocument: true },
        extra: { filename: 'photo.jpg' },
      },
      { kind: 'audio', name: 'birdsong.mp3', type: 'audio/mpeg', options: {}, extra: {} },
      {
        kind: 'audio',
        name: 'birdsong.ogg',
        type: 'audio/ogg; codecs=opus',
        options: { sendAudioAsVoice: true },
        extra: {},
      },
    ])('$kind ($name), byte for byte', async ({ kind, name, type, options, extra }) => {
      const { bytes, hash, media } = sample(name);
      const entry = await arrivalOf(send(media(type), options));
      expect(entry).toEqual({
        id: entry.id,
        at: expect.any(Number),
        ack: expect.any(Number),
        to,
        type: kind,
        mimetype: type,
        sha256: hash,
        bytes: bytes.length,
        ...extra,
      });
      expect(await sandbox.control.media(hash)).toEqual(bytes);
    });

    test.each([
      [
        { name: 'Berlin', address: 'Alexanderplatz' },
        { name: 'Berlin', address: 'Alexanderplatz' },
      ],
      [{ name: 'Berlin' }, { name: 'Berlin' }],
      [{}, {}],
    ])('location %j', async (place, expected) => {
      const entry = await arrivalOf(send(new wweb.Location(52.52, -13.405, place)));
      const common = { id: entry.id, at: expect.any(Number), ack: expect.any(Number), to };
      expect(entry).toEqual({
        ...common,
        type: 'location',
        latitude: 52.52,
        longitude: -13.405,
        ...expected,
      });
    });

    test('location with only an address, which the library writes as a line break and the address', async () => {
      const location = Object.assign(new wweb.Location(1, 2), { description: '\nAlexanderplatz' });
      const entry = await arrivalOf(send(location));
      expect(entry).toMatchObject({ type: 'location', address: 'Alexanderplatz' });
      expect(entry).not.toHaveProperty('name');
    });

    test('a contact card from text, and one from a contact', async () => {
      expect(await arrivalOf(send(VCARD))).toMatchObject({ type: 'contact', vcard: VCARD });
      const contact = await client.getContactById('491700000009@c.us');
      const entry = await arrivalOf(send(contact));
      expect(entry).toMatchObject({ type: 'contact', vcard: expect.stringContaining('waid=491700000009:') });
    });

    test('text and image to a group, under its id', async () => {
      const { hash, media } = sample('card.png');
      const text = await arrivalOf(send('hello group', {}, GROUP));
      expect(text).toMatchObject({ to: GROUP, type: 'text', body: 'hello group' });
      const image = await arrivalOf(send(media('image/png'), {}, GROUP));
      expect(image).toMatchObject({ to: GROUP, type: 'image', sha256: hash });
    });
  });

  test('every message is acknowledged as sent, delivered and read, in this order', async () => {
    const inbox = await sandbox.control.inbox({ phone: ME });
    expect(inbox.length).toBeGreaterThan(10);
    await eventually(() => {
      for (const { id } of inbox) expect(acks.get(id)).toEqual([1, 2, 3]);
    });
    expect(inbox.map(({ at }) => at)).toEqual(inbox.map(({ at }) => at).sort((a, b) => a - b));
  });

  describe('a send is refused in the page', () => {
    test('to a number not on WhatsApp; one never looked up is looked up only without LID chats', async () => {
      const [absent, unknown] = ['491709999999@c.us', '491705550000@c.us'];
      if (lidChats) {
        for (const to of [absent, unknown])
          await expect(send('x', {}, to)).rejects.toThrow('No LID for user');
        await client.getNumberId(unknown);
      } else expect(await send('x', {}, absent)).toBeUndefined();
      expect((await arrivalOf(send('x', {}, unknown))).to).toBe(unknown);
    });

    test('only by the server, to a group that the account has not joined: the page creates a chat for it', async () => {
      const id = '120363999999999999@g.us';
      await send('foreign', { waitUntilMsgSent: true }, id);
      await eventually(async () => {
        const own = await ownMessages(client);
        expect(own.find(({ body }) => body === 'foreign')?.ack).toBe(-1);
      });
      const chat = await inPage(client, () =>
        (window as unknown as PageWindow)
          .require('WAWebCollections')
          .Chat.getModelsArray()
          .filter(({ id }) => String(id) === '120363999999999999@g.us')
          .map(({ name, formattedTitle }) => ({ name, formattedTitle })),
      );
      expect(chat).toEqual([{ name: 'Unknown subject', formattedTitle: '' }]);
      await sandbox.control.addGroup({ phone: ME, name: 'New', id });
      expect(await arrivalOf(send('x', {}, id))).toMatchObject({ to: id, body: 'x' });
    });

    test('by the server, to a person who left WhatsApp after the look-up', async () => {
      const numbers = ['491705551111'];
      await client.getNumberId('491705551111');
      await sandbox.control.addUnregistered({ numbers });
      await send('too late', { waitUntilMsgSent: true }, '491705551111@c.us');
      const own = await ownMessages(client);
      expect(own.find(({ body }) => body === 'too late')?.ack).toBe(-1);
      expect((await sandbox.control.inbox({ phone: ME })).map(({ body }) => body)).not.toContain('too late');
      await sandbox.control.removeUnregistered({ numbers });
    });

    test('to an invalid chat id', async () => {
      await expect(send('x', {}, '12345')).rejects.toThrow('invalid wid');
    });
  });

  test('an incoming message arrives', async () => {
    const incoming = next(client, 'message');
    await sandbox.control.receive({ phone: ME, from: BOB, body: 'ping' });
    const [message] = (await incoming) as [Message];
    expect(message.body).toBe('ping');
    const [chat] = await sandbox.control.chats({ phone: ME });
    expect(chat).toMatchObject({ id: `${BOB}@c.us`, name: `+${BOB}` });
    expect(chat?.messages.at(-1)).toMatchObject({ direction: 'in', text: 'ping' });
  });

  test('the id of a message can be chosen in advance, and a hook can stop it at the last moment', async () => {
    const id = `3EB0${crypto.randomBytes(9).toString('hex').toUpperCase()}`;
    await client.pupPage?.evaluate((chosen) => {
      const Key = (window as unknown as PageWindow).require('WAWebMsgKey');
      const original = Key.newId;
      Key.newId = async () => {
        Key.newId = original;
        return chosen;
      };
    }, id);
    expect(await arrivalOf(send('chosen'))).toMatchObject({ id, body: 'chosen' });

    await client.pupPage?.evaluate(() => {
      const action = (window as unknown as PageWindow).require('WAWebSendMsgChatAction');
      const original = action.addAndSendMsgToChat;
      action.addAndSendMsgToChat = () => {
        action.addAndSendMsgToChat = original;
        throw new Error('stopped by the hook');
      };
    });
    await expect(send('stopped')).rejects.toThrow('stopped by the hook');
    const after = await arrivalOf(send('continues'));
    expect(after.body).toBe('continues');
    const bodies = (await sandbox.control.inbox({ phone: ME })).map(({ body }) => body);
    expect(bodies).not.toContain('stopped');
  });

  test('after a restart of the browser it is ready without a QR and finds its messages by id and in the list', async () => {
    const { id } = await arrivalOf(send('remember me'));
    await eventually(() => expect(acks.get(id)).toEqual([1, 2, 3]));
    await closeClient(client);
    const devices = (await sandbox.control.phone({ phone: ME })).devices;
    await open();
    expect((await sandbox.control.phone({ phone: ME })).devices).toBe(devices);
    const text = `true_${lidChats ? lidOf(BOB) : `${BOB}@c.us`}_${id}`;
    expect((await client.getMessageById(text)).ack).toBe(3);
    expect((await ownMessages(client)).find((message) => message.id === id)?.ack).toBe(3);
  });

  describe('the library’s abilities depend on the name of the property with a key’s text', () => {
    const renamed = inject('keyField') === '$1';
    const to = `${BOB}@c.us`;

    test(`sendMessage resolves ${renamed ? 'nothing' : 'the message'}`, async () => {
      const message = await send('what comes back');
      await arrivalOf(Promise.resolve());
      expect(message?.body).toBe(renamed ? undefined : 'what comes back');
    });

    test(`getChatById ${renamed ? 'rejects for' : 'gives'} a chat that has a latest message`, async () => {
      const found = client.getChatById(to).then(
        (chat) => (chat.lastMessage as Message).body,
        (error: Error) => error.name,
      );
      expect(await found).toBe(renamed ? 'DOMException' : 'what comes back');
    });
  });
});

interface PageWindow {
  require(name: 'WAWebCollections'): {
    Chat: { getModelsArray(): { id: unknown; name: string; formattedTitle: string }[] };
  };
  require(name: 'WAWebMsgKey'): { newId(): Promise<string> };
  require(name: 'WAWebSendMsgChatAction'): { addAndSendMsgToChat: unknown };
}

test('since September 2026 the library sends no file, and a contact card leaves as text', async () => {
  const profiles = temporaryDirectory();
  const today = { mediaModelId: true, lazyModules: ['WAWebVcardParsingUtils'] };
  await using sandbox = await temporarySandbox(today);
  const client = createClient(sandbox.chromiumArgs, profiles);
  await bringUp(sandbox, client, ME);
  const to = `${BOB}@c.us`;
  await client.getNumberId(BOB);
  const options = { sendSeen: false, linkPreview: false };
  const file = sample('card.png').media('image/png');
  await expect(client.sendMessage(to, file, options)).rejects.toThrow(/getter must include an id property/);
  await client.sendMessage(to, VCARD, options);
  await eventually(async () => {
    const inbox = await sandbox.control.inbox({ phone: ME });
    expect(inbox.map(({ type, body }) => ({ type, body }))).toEqual([{ type: 'text', body: VCARD }]);
  });
  await closeClient(client);
  fs.rmSync(profiles, { recursive: true, force: true });
});
