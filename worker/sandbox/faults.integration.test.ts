import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client, MessageSendOptions } from 'whatsapp-web.js';
import wweb from 'whatsapp-web.js';
import type { Rule, Stage } from '#server/sandbox/rule.ts';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import {
  bringUp,
  closeClient,
  createClient,
  next,
  ownMessages,
  settled,
} from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

const ME = '491700000001';
const BOB = '491700000002';
const CAROL = '491700000003';
const CHAT = `${BOB}@c.us`;

describe.each([{ lidChats: false }, { lidChats: true }])('with lidChats $lidChats', ({ lidChats }) => {
  const profiles = temporaryDirectory();
  const acks = new Map<string, number[]>();
  let sandbox: Sandbox & AsyncDisposable;
  let client: Client;

  beforeAll(async () => {
    sandbox = await temporarySandbox({ lidChats, deliveredMs: 10, readMs: 20 });
    client = createClient(sandbox.chromiumArgs, profiles);
    client.on('message_ack', ({ id }, ack) => acks.set(id.id, [...(acks.get(id.id) ?? []), ack]));
    await bringUp(sandbox, client, ME);
    for (const phone of [BOB, CAROL]) await client.getNumberId(phone);
  });
  afterAll(async () => {
    await closeClient(client);
    await sandbox[Symbol.asyncDispose]();
    fs.rmSync(profiles, { recursive: true, force: true });
  });
  afterEach(async () => {
    expect(await sandbox.control.rules({ phone: ME })).toEqual([]); // each rule has applied as often as it should
  });

  const order = (rule: Omit<Rule, 'times'> & { times?: number }) =>
    sandbox.control.addRule({ phone: ME, rule });
  const send = (content: string | wweb.MessageMedia, options: MessageSendOptions = {}, to = CHAT) =>
    client.sendMessage(to, content, { sendSeen: false, linkPreview: false, ...options });
  const arrived = async (body: string) =>
    (await sandbox.control.inbox({ phone: ME })).filter((entry) => entry.body === body);
  const arrives = (body: string) =>
    eventually(async () => {
      const [entry, ...more] = await arrived(body);
      if (!entry || more.length > 0) throw new Error(`arrived ${more.length + (entry ? 1 : 0)} times`);
      return entry;
    });
  /** A file with new bytes, because the same bytes are uploaded only once. */
  const freshFile = () =>
    new wweb.MessageMedia('application/pdf', randomBytes(64).toString('base64'), 'fresh.pdf', 64);
  const own = async (body: string) => (await ownMessages(client)).find((message) => message.body === body);
  /** True if `promise` has not settled when `later` has. */
  const isPending = async (promise: Promise<unknown>, later: Promise<unknown>) => {
    const settled = vi.fn();
    promise.then(settled, settled);
    await later;
    return settled.mock.calls.length === 0;
  };
  /** Passes the stage: with a look-up, a media message or a text. */
  const pass = (stage: Stage, text: string): Promise<unknown> => {
    if (stage === 'exists') return client.getNumberId(BOB);
    return stage === 'prep' || stage === 'upload'
      ? send(freshFile())
      : send(text, { waitUntilMsgSent: true });
  };

  const stages: Stage[] = ['exists', 'prep', 'upload', 'call', 'add', 'job', 'wire', 'after'];
  describe.each(stages)('at stage %s', (stage) => {
    test('throw fails the call; in the job it only marks the message, and a failed upload resolves', async () => {
      await order({ stage, action: 'throw' });
      if (stage === 'wire') {
        await pass(stage, `throw ${stage}`);
        expect(await own(`throw ${stage}`)).toMatchObject({ ack: 0, isSendFailure: true });
      } else
        await expect(pass(stage, `throw ${stage}`)).rejects.toThrow(
          stage === 'upload' ? 'media entry was not created' : 'simulated failure inside the page',
        );
    });

    test('hang leaves the call without an answer, and the next one succeeds', async () => {
      await order({ stage, action: 'hang' });
      const hung = pass(stage, `hang ${stage}`);
      await eventually(async () => expect(await sandbox.control.rules({ phone: ME })).toEqual([]));
      expect(await isPending(hung, pass(stage, `past the hang ${stage}`))).toBe(true);
      hung.catch(() => {}); // rejects when the page ends
    });

    test.each(['late', 'busy'] as const)(
      '%s delays the call for as long as the rule says',
      async (action) => {
        await order({ stage, action, ms: 100 });
        const begun = performance.now();
        await pass(stage, `${action} ${stage}`);
        expect(performance.now() - begun).toBeGreaterThanOrEqual(99);
      },
    );
  });

  test('a message whose call throws or hangs before it is sent does not arrive, and after it is sent it does', async () => {
    const inbox = (await sandbox.control.inbox({ phone: ME })).map(({ body }) => body);
    for (const stage of ['call', 'add', 'job', 'wire']) {
      expect(inbox).not.toContain(`throw ${stage}`);
      expect(inbox).not.toContain(`hang ${stage}`);
    }
    expect(inbox).toEqual(expect.arrayContaining(['throw after', 'hang after']));
  });

  test('a message that hangs after it is sent is never acknowledged in that page, whatever the server answers', async () => {
    const hung = await arrives('hang after');
    const later = await arrives('past the hang after');
    await eventually(() => expect(acks.get(later.id)).toEqual([1, 2, 3]));
    expect(hung.ack).toBe(3);
    expect(acks.get(hung.id)).toBeUndefined();
  });

  test('a refused message resolves too: only its acknowledgement shows the refusal', async () => {
    await order({ stage: 'wire', action: 'refuse' });
    await send('refused', { waitUntilMsgSent: true });
    const message = (await ownMessages(client)).find(({ body }) => body === 'refused');
    expect(message?.ack).toBe(-1);
    await eventually(() => expect(acks.get(message?.id ?? '')).toEqual([-1]));
    expect(await arrived('refused')).toEqual([]);
  });

  test('a message stored under another key resolves to nothing although it was sent', async () => {
    await order({ stage: 'add', action: 'rekey' });
    expect(await send('rekeyed')).toBeUndefined();
    const { id } = await arrives('rekeyed');
    await eventually(() => expect(acks.get(id)).toEqual([1, 2, 3]));
    const own = await ownMessages(client);
    expect(own.filter((message) => message.id === id)).toHaveLength(1);
  });

  test('a person is reported as not on WhatsApp as often as the rule says', async () => {
    await order({ stage: 'exists', action: 'not-on-whatsapp', times: 2 });
    expect([await client.getNumberId(BOB), await client.getNumberId(CAROL)]).toEqual([null, null]);
    expect((await client.getNumberId(BOB))?.user).toBe(BOB);
  });

  test('a rule for one recipient does not affect others', async () => {
    await order({ stage: 'call', action: 'throw', to: CAROL });
    await send('to Bob');
    await expect(send('to Carol', {}, `${CAROL}@c.us`)).rejects.toThrow('simulated failure');
    expect((await arrives('to Bob')).to).toBe(CHAT);
  });

  test('rules are used in order, each as often as it says, and can be cleared', async () => {
    await order({ stage: 'call', action: 'throw', times: 2 });
    await expect(send('one')).rejects.toThrow('simulated failure');
    expect(await sandbox.control.rules({ phone: ME })).toMatchObject([{ times: 2, left: 1 }]);
    expect(await sandbox.control.clearRules({ phone: ME })).toEqual({ cleared: 1 });
    await send('two');
    await arrives('two');
  });

  describe('a reload in mid-send', () => {
    const reloadAt = async (stage: Stage, body: string) => {
      await order({ stage, action: 'reload' });
      const ready = next(client, 'ready');
      await expect(send(body, { waitUntilMsgSent: true })).rejects.toThrow(/context|navigat|Target/i);
      await ready;
      expect(await client.getState()).toBe('CONNECTED');
      await settled(client);
    };

    test('before the message was added sends nothing', async () => {
      await reloadAt('add', 'lost in the reload');
      await send('continues');
      await arrives('continues');
      expect(await arrived('lost in the reload')).toEqual([]);
    });

    test('before it was written leaves it marked as failed, and it is never sent', async () => {
      await reloadAt('wire', 'not resumed after the reload');
      await eventually(async () =>
        expect(await own('not resumed after the reload')).toMatchObject({
          ack: 0,
          isSendFailure: true,
        }),
      );
      await send('continues again');
      await arrives('continues again');
      expect(await arrived('not resumed after the reload')).toEqual([]);
    });

    test('resolves hung messages: a sent one is acknowledged, one only added is never sent', async () => {
      await eventually(async () => expect((await own('hang after'))?.ack).toBe(3));
      expect((await own('hang wire'))?.ack).toBe(0);
      expect(await own('hang add')).toBeUndefined();
      expect(await arrived('hang wire')).toEqual([]);
    });

    test('before it was written resumes a message with a file', async () => {
      await order({ stage: 'job', action: 'reload' });
      const ready = next(client, 'ready');
      const sending = send(freshFile(), { caption: 'resumed', waitUntilMsgSent: true });
      await expect(sending).rejects.toThrow(/context|navigat|Target/i);
      await ready;
      await eventually(async () => {
        const inbox = await sandbox.control.inbox({ phone: ME });
        expect(inbox.filter(({ caption }) => caption === 'resumed')).toHaveLength(1);
      });
      await settled(client);
    });

    test('with the fault "resume pending": an unsent message is sent when the page is back', async () => {
      await sandbox.control.configure({ resumePending: true });
      await reloadAt('wire', 'resumed after the reload');
      await arrives('resumed after the reload');
    });

    test('with that fault, a sent message is repeated under its id and delivered once', async () => {
      const { repeats } = await sandbox.control.phone({ phone: ME });
      await sandbox.control.setDelivery({ phone: ME, deliveredMs: null, readMs: null });
      await reloadAt('after', 'delivered twice');
      const entry = await eventually(async () => {
        const found = await arrives('delivered twice');
        expect(found).toMatchObject({ ack: 1, repeats: 1 });
        return found;
      });
      expect((await sandbox.control.phone({ phone: ME })).repeats).toBeGreaterThan(repeats);
      await eventually(async () => {
        const own = await ownMessages(client);
        expect(own.find(({ id }) => id === entry.id)?.ack).toBe(1);
      });
      await sandbox.control.configure({ resumePending: false });
    });
  });
});
