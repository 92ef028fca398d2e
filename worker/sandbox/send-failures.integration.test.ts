import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from 'whatsapp-web.js';
import wweb from 'whatsapp-web.js';
import type { Rule } from '#server/sandbox/rule.ts';
import { eventually, temporaryDirectory, temporarySandbox } from '#worker/testing/sandbox.ts';
import { bringUp, closeClient, createClient, inPage, ownMessages } from '#worker/testing/sandbox-client.ts';
import type { Sandbox } from './start-sandbox.ts';

const ME = '491700000001';
const BOB = '491700000002';
const CHAT = `${BOB}@c.us`;
const RETRY_MS = 40;

interface Result {
  error: number | null;
}
interface InPage {
  results: (Result | string)[];
  uploads: { kind: string; stage: string }[];
  require(name: 'WAWebSendMsgJob'): { encryptAndSendMsg(...args: unknown[]): Promise<Result> };
  require(name: 'WAWebMediaMmsV4Upload'): {
    uploadMedia(file: { mediaObject: { uploadStage: string } }): Promise<{ kind: string }>;
  };
  require(name: 'WAWebEventsWaitForOfflineDeliveryEnd'): { isOfflineDeliveryEnd(): boolean };
}

/** How the page shows that a message was not sent or a file was not uploaded. */
describe('a failure during a send', () => {
  const profiles = temporaryDirectory();
  let sandbox: Sandbox & AsyncDisposable;
  let client: Client;
  let group: string;

  beforeAll(async () => {
    sandbox = await temporarySandbox({ uploadRetryMs: RETRY_MS, deliveredMs: null, readMs: null });
    client = createClient(sandbox.chromiumArgs, profiles);
    await bringUp(sandbox, client, ME);
    await client.getNumberId(BOB);
    const [first] = await sandbox.control.groups({ phone: ME });
    group = first?.id ?? '';
    // The page calls the replaced members of these modules.
    await inPage(client, () => {
      const page = window as unknown as InPage;
      page.results = [];
      page.uploads = [];
      const job = page.require('WAWebSendMsgJob');
      const run = job.encryptAndSendMsg;
      job.encryptAndSendMsg = (...args) => {
        const result = run(...args);
        result.then(
          (done) => page.results.push({ error: done.error }),
          (error) => page.results.push(String(error)),
        );
        return result;
      };
      const media = page.require('WAWebMediaMmsV4Upload');
      const upload = media.uploadMedia;
      media.uploadMedia = async (file) => {
        const done = await upload(file);
        page.uploads.push({ kind: done.kind, stage: file.mediaObject.uploadStage });
        return done;
      };
    });
  });
  afterAll(async () => {
    await closeClient(client);
    await sandbox[Symbol.asyncDispose]();
    fs.rmSync(profiles, { recursive: true, force: true });
  });
  afterEach(async () => {
    await sandbox.control.clearRules({ phone: ME });
  });

  const order = (rule: Omit<Rule, 'times'> & { times?: number }) =>
    sandbox.control.addRule({ phone: ME, rule });
  const send = (content: string | wweb.MessageMedia, to = CHAT) =>
    client.sendMessage(to, content, { sendSeen: false, linkPreview: false, waitUntilMsgSent: true });
  const arrived = async (body: string) =>
    (await sandbox.control.inbox({ phone: ME })).filter((entry) => entry.body === body);
  const own = async (body: string) => (await ownMessages(client)).find((message) => message.body === body);
  const lastResult = () => inPage(client, () => (window as unknown as InPage).results.at(-1));
  const document = () =>
    new wweb.MessageMedia('application/pdf', randomBytes(64).toString('base64'), 'a.pdf', 64);

  test.each([463, 475, 479, 421, 429, 500])(
    'a nack with %i: the job reports the code, the message only −1',
    async (code) => {
      await order({ stage: 'wire', action: 'refuse', code });
      await send(`nack ${code}`);
      expect(await lastResult()).toEqual({ error: code });
      const errorCode = code === 475 ? 'UserReachedMaxMonthlyLimitForNewMessages' : null;
      expect(await own(`nack ${code}`)).toMatchObject({ ack: -1, isSendFailure: true, errorCode });
      expect(await arrived(`nack ${code}`)).toEqual([]);
    },
  );

  test('a nack with 421 in a group is retried once', async () => {
    await order({ stage: 'wire', action: 'refuse', code: 421 });
    await send('stale group', group);
    expect((await own('stale group'))?.ack).toBe(1);
    expect(await arrived('stale group')).toHaveLength(1);
  });

  test('a message that cannot be encrypted is marked, keeps acknowledgement 0 and has no acknowledgement event', async () => {
    const acks: number[] = [];
    client.on('message_ack', (_, ack) => acks.push(ack));
    await order({ stage: 'wire', action: 'encrypt' });
    await send('not encrypted');
    expect(await lastResult()).toMatch(/encryption fail/);
    expect(await own('not encrypted')).toMatchObject({ ack: 0, isSendFailure: true });
    await send('the next one');
    expect(acks).toEqual([1]);
    expect(await arrived('not encrypted')).toEqual([]);
  });

  test('a blocked contact rejects, and its message stays at 0 without a mark', async () => {
    await order({ stage: 'job', action: 'blocked' });
    await expect(send('blocked')).rejects.toThrow('Contact is blocked');
    expect(await own('blocked')).toMatchObject({ ack: 0, isSendFailure: null });
  });

  test('in a group a message waits until the one before it was answered; in a private chat it does not', async () => {
    await order({ stage: 'after', action: 'late', ms: 400, to: group });
    await order({ stage: 'after', action: 'late', ms: 400, to: BOB });
    const arrival = async (to: string, body: string) => {
      const first = send(`${body} first`, to);
      await eventually(async () => expect(await arrived(`${body} first`)).toHaveLength(1));
      await Promise.all([first, send(`${body} second`, to)]);
      const [one] = await arrived(`${body} first`);
      const [two] = await arrived(`${body} second`);
      return (two?.at ?? 0) - (one?.at ?? 0);
    };
    expect(await arrival(group, 'group')).toBeGreaterThanOrEqual(399);
    expect(await arrival(CHAT, 'private')).toBeLessThan(399);
  });

  test('a message keeps the time at which it was made, however late the server accepts it', async () => {
    await order({ stage: 'wire', action: 'late', ms: 1500 });
    await send('held up');
    const message = await own('held up');
    const [entry] = await arrived('held up');
    expect(message?.ack).toBe(1);
    expect((entry?.at ?? 0) - (message?.t ?? 0) * 1000).toBeGreaterThan(1400);
  });

  describe('an upload', () => {
    const uploadOf = async (file = document()) => {
      const failure = await send(file).then(
        () => null,
        (error: Error) => error.message,
      );
      const last = await inPage(client, () => (window as unknown as InPage).uploads.at(-1));
      return { failure, ...last };
    };

    test.each([
      [413, 'ERROR_TOO_LARGE'],
      [507, 'ERROR_THROTTLED'],
      [403, 'ERROR_FORBIDDEN'],
    ])(
      'answered with %i resolves at once with an error, and gives the reason on the object',
      async (code, stage) => {
        await order({ stage: 'upload', action: 'fail', code });
        expect(await uploadOf()).toEqual({
          failure: expect.stringContaining('media entry was not created'),
          kind: 'error',
          stage,
        });
      },
    );

    test('answered with 500 is tried four times, each delay twice the previous one', async () => {
      await order({ stage: 'upload', action: 'fail', code: 500, times: 4 });
      const began = performance.now();
      expect(await uploadOf()).toMatchObject({ kind: 'error', stage: 'NEED_UPLOAD' });
      expect(performance.now() - began).toBeGreaterThanOrEqual(7 * RETRY_MS - 3);
      expect(await sandbox.control.rules({ phone: ME })).toEqual([]);
      await order({ stage: 'upload', action: 'fail', code: 500, times: 3 });
      expect(await uploadOf()).toMatchObject({ failure: null, kind: 'success' });
    });

    test('without any file server resolves with an error', async () => {
      await order({ stage: 'upload', action: 'fail' });
      expect(await uploadOf()).toMatchObject({ kind: 'error', stage: 'NEED_UPLOAD' });
    });

    test('that is cancelled resolves without an error, after a while', async () => {
      await order({ stage: 'upload', action: 'cancel', ms: 2 * RETRY_MS });
      const began = performance.now();
      expect(await uploadOf()).toMatchObject({
        failure: expect.stringContaining('media entry was not created'),
        kind: 'cancellation',
      });
      expect(performance.now() - began).toBeGreaterThanOrEqual(2 * RETRY_MS - 3);
    });

    test('is skipped for bytes that were uploaded before', async () => {
      const file = document();
      await send(file);
      await order({ stage: 'upload', action: 'fail', code: 413 });
      expect(await uploadOf(file)).toMatchObject({ failure: null, kind: 'success' });
      expect(await sandbox.control.rules({ phone: ME })).toHaveLength(1);
    });

    test('is skipped for bytes that are no picture', async () => {
      const none = new wweb.MessageMedia('image/png', randomBytes(64).toString('base64'), 'a.png', 64);
      await expect(send(none)).rejects.toThrow('InvalidImageFileType');
    });
  });
});

test('messages wait for the end of offline delivery', async () => {
  await using sandbox = await temporarySandbox({ offlineDeliveryMs: 6_000 });
  const profiles = temporaryDirectory();
  const client = createClient(sandbox.chromiumArgs, profiles);
  try {
    await bringUp(sandbox, client, ME);
    await client.getNumberId(BOB);
    const isOver = () =>
      inPage(client, () =>
        (window as unknown as InPage).require('WAWebEventsWaitForOfflineDeliveryEnd').isOfflineDeliveryEnd(),
      );
    expect(await isOver()).toBe(false);
    await client.sendMessage(CHAT, 'waits', { sendSeen: false, linkPreview: false, waitUntilMsgSent: true });
    expect(await isOver()).toBe(true);
    expect(await sandbox.control.inbox({ phone: ME })).toHaveLength(1);
  } finally {
    await closeClient(client);
    fs.rmSync(profiles, { recursive: true, force: true });
  }
});
