import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PAGE_CHECKS } from '#server/core/page-check.ts';
import { personOf } from '#server/core/recipient.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { outgoing, text } from '#worker/testing/engine-message.ts';
import { INVENTED, testPage } from './page/self-test.ts';
import { processesOf } from './profile.ts';

const PHONE = '491700000071';
const BOB = '491700000002';
const ID = 'num_self_test';

let engine: TemporaryEngine;
/** The messages that were sent. No other message may ever leave. */
let sent: string[];
let opened: Opened | undefined;
beforeAll(async () => {
  engine = await temporaryEngine();
  const { session, events } = await engine.link(ID, PHONE);
  await session.lookUp(BOB);
  const message = text(`${BOB}@c.us`, 'a message of ours');
  sent = [message.waMessageId];
  await session.send(message);
  await events.untilAck(message.waMessageId);
  await session.stop();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await opened?.session.stop();
  await engine.control.configure({ brokenBuild: null, keyField: '_serialized', saltNeeded: false });
});

const delivered = async () => (await engine.control.inbox({ phone: PHONE })).map(({ id }) => id);

test.each(['_serialized', '$1'] as const)(
  'a build that holds what we rely on is ready: nothing leaves, and the test is no acknowledgement (%s)',
  async (keyField) => {
    await engine.control.configure({ keyField });
    opened = engine.open(ID);
    const { session, events, client, fence } = opened;
    await session.start();
    expect(await events.untilState('ready')).toMatchObject({ phone: PHONE, build: '2.3000.1030000000' });
    expect(await delivered()).toEqual(sent);
    expect(events.acks).toEqual(new Map());
    expect(fence.asked).toEqual([]);
    const own = await client().pupPage?.evaluate(() => {
      interface Site {
        require(name: string): { Msg: { getModelsArray(): { id: { fromMe: boolean }; ack: number }[] } };
      }
      const messages = (window as unknown as Site).require('WAWebCollections').Msg.getModelsArray();
      return messages.filter(({ id }) => id.fromMe).flatMap(({ ack }) => ack ?? []);
    });
    expect(own).toEqual([3]);
  },
);

test('a notice without an acknowledgement, as the canary leaves in the chat with oneself, is not tested as a message', async () => {
  const { session, client } = await engine.link('num_notice', '491700000072');
  expect(await client().pupPage?.evaluate(testPage, INVENTED)).toBeNull();
  await session.stop();
});

test.each([
  ['no-send', 'the function addAndSendMsgToChat is missing'],
  ['other-send', 'a test message was not held back'],
  ['other-job', 'messages do not pass the gate'],
  ['key-text', 'keys of messages read differently'],
  ['key-id', 'keys of messages read differently'],
  ['ack-event', 'acknowledgements are not reported'],
  ['state-event', 'the state of the connection is not reported'],
  ['chat', 'a test message cannot be built'],
  ['ping', 'the server’s answer to a ping is not seen'],
] as const)('a build that breaks %s is never ready, and sends nothing', async (brokenBuild, what) => {
  await engine.control.configure({ brokenBuild });
  opened = engine.open(ID, { firstPingMs: 300 });
  const { session, events, profileDir } = opened;
  await session.start().catch(() => {});
  expect(await events.untilState('unfit')).toEqual({
    state: 'unfit',
    build: '2.3000.1030000000',
    failed: what,
  });
  await expect(session.send(text(`${BOB}@c.us`, 'too late'))).rejects.toMatchObject({ certain: true });
  await session.stop();
  expect(processesOf(profileDir)).toEqual([]);
  expect(events.states.map(({ state }) => state)).not.toContain('ready');
  expect(await delivered()).toEqual(sent);
});

const KINDS = ['text', 'image', 'document', 'location', 'contact', 'audio'] as const;
const files = (what: string) => ({ image: what, document: what, audio: what });
const works = { text: null, image: null, document: null, location: null, contact: null, audio: null };

test.each([
  [null, works],
  // Nothing of ours parses cards.
  ['vcard', works],
  ['media-prep', { ...works, ...files('site.require(...).prepRawMedia is not a function') }],
  ['media-entry', { ...works, ...files('it has no encFilehash') }],
  ['message-model', { ...works, ...files('Attempting to directly set derived property') }],
] as const)(
  'each kind is tested on its own, and nothing of the test is added or sent (%s)',
  async (brokenBuild, found) => {
    await engine.control.configure({ brokenBuild });
    opened = engine.open(ID);
    const { session, events } = opened;
    await session.start();
    await events.untilState('ready');
    expect(await session.testKinds(KINDS, { upload: true })).toEqual(found);
    const { rows, modules } = await session.check();
    expect(rows.map(({ check }) => check)).toEqual([...PAGE_CHECKS, ...KINDS, 'group']);
    const failures = (kinds: Partial<Record<string, string | null>>) =>
      KINDS.filter((kind) => kinds[kind] !== null);
    const failedRows = rows.filter(({ failed }) => failed !== null).map(({ check }) => check);
    // What only an upload shows is not tested again.
    expect(failures(found)).toEqual(expect.arrayContaining(failedRows));
    expect(modules).toMatchObject({ WAWebSendMsgJob: 'encryptAndSendMsg()' });
    expect(await delivered()).toEqual(sent);
    const message = text(`${BOB}@c.us`, 'texts go on');
    await session.send(message);
    expect(await events.untilAck(message.waMessageId)).toBe(1);
    sent.push(message.waMessageId);
  },
);

test('a link that is seconds old survives a failed self-test', async () => {
  await engine.control.configure({ brokenBuild: 'other-send', saltNeeded: true });
  opened = engine.open('num_fresh_link');
  await opened.session.start();
  const { qr } = await opened.events.until((events) => events.qrs.at(-1));
  await engine.control.scan({ phone: '491700000073', qr });
  await opened.events.untilState('unfit');
  await opened.session.stop();
  // A killed browser may lose the link.
  expect(opened.warned.join()).not.toContain('will be killed');
  const canaries = opened.warned.filter((line) => line.includes('the canary failed'));
  expect(canaries).toEqual([expect.stringContaining('"build":"2.3000.1030000000"')]);
  expect(canaries.join()).not.toMatch(/tests itself|491700000073/);
  await engine.control.configure({ brokenBuild: null });
  opened = engine.open('num_fresh_link');
  await opened.session.start();
  const end = await opened.events.until(({ states }) =>
    states.find(({ state }) => state === 'ready' || state === 'leaving' || state === 'logged_out'),
  );
  expect(end.state).toBe('ready');
});

test('a client without details of its account is ready without a name', async () => {
  opened = engine.open('num_nameless');
  await opened.session.start();
  Object.defineProperty(opened.client(), 'info', { get: () => undefined, set: () => {} });
  const { qr } = await opened.events.until((events) => events.qrs.at(-1));
  await engine.control.scan({ phone: '491700000074', qr });
  expect(await opened.events.untilState('ready')).toMatchObject({ phone: '491700000074', pushName: null });
});

test('a build with its hidden id in place of its number is never ready, and sends nothing', async () => {
  await engine.control.configure({ brokenBuild: 'own-number' });
  opened = engine.open(ID, { syncStallMs: 1_500, readyHelpMs: 300 });
  const { session, events } = opened;
  await session.start();
  expect(await events.untilState('gone')).toMatchObject({ reason: 'the page makes no progress' });
  await expect(session.send(text(`${BOB}@c.us`, 'too late'))).rejects.toMatchObject({ certain: true });
  expect(events.states.map(({ state }) => state)).not.toContain('ready');
  expect(await delivered()).toEqual(sent);
});

test.each([
  ['look-up-null', 'null for the number itself'],
  ['look-up-shape', 'object with exists'],
] as const)(
  'a build that breaks %s makes no look-up, and known people can be contacted',
  async (brokenBuild, why) => {
    await engine.control.configure({ brokenBuild });
    opened = engine.open(ID);
    const { session, events } = opened;
    await session.start();
    await events.untilState('ready');
    await expect(session.lookUp('491700000003')).rejects.toMatchObject({
      certain: true,
      reason: 'look_ups_changed',
      message: why,
    });
    expect(await session.canAddress(personOf('491700000003'))).toBe(false);
    expect(await session.canAddress(personOf(BOB))).toBe(true);
    const message = text(`${BOB}@c.us`, 'to somebody known');
    await session.send(message);
    expect(await events.untilAck(message.waMessageId)).toBe(1);
    sent.push(message.waMessageId);
    expect(await delivered()).toEqual(sent);
  },
);

test('a build whose callers bypass the job still sends, reports it once, and none of its failures is definite', async () => {
  await engine.control.configure({ brokenBuild: 'kept-job' });
  opened = engine.open(ID);
  const { session, events, warned } = opened;
  await session.start();
  await events.untilState('ready');
  for (const body of ['first', 'second']) {
    const message = text(`${BOB}@c.us`, body);
    await session.send(message);
    expect(await events.untilAck(message.waMessageId)).toBe(1);
    sent.push(message.waMessageId);
  }
  const silentJobs = () => warned.filter((line) => line.includes('does not report the result of a send'));
  await expect.poll(silentJobs).toHaveLength(1);
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'hang' } });
  await session.send(text(`${BOB}@c.us`, 'may have been written, for all that is known'));
  await session.stop();
  expect(events.failures).toEqual(new Map());
  expect(silentJobs()).toHaveLength(1);
  await engine.control.clearRules({ phone: PHONE });
});

test.each(['job-text', 'job-empty'] as const)(
  'a build whose job answers in another form (%s) makes no refused message sent, and no sent message a failure',
  async (brokenBuild) => {
    await engine.control.configure({ brokenBuild });
    opened = engine.open(ID);
    const { session, events } = opened;
    await session.start();
    await events.untilState('ready');
    const accepted = text(`${BOB}@c.us`, 'accepted');
    await session.send(accepted);
    await events.until(({ acks }) => acks.get(accepted.waMessageId)?.includes(3) || undefined);
    sent.push(accepted.waMessageId);
    await engine.control.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'refuse', code: 463 } });
    const refused = text(`${BOB}@c.us`, 'refused');
    await session.send(refused).catch(() => {});
    await events.untilAck(refused.waMessageId);
    await session.stop();
    expect(events.acks.get(refused.waMessageId)).toEqual([-1]);
    expect(events.failures).toEqual(new Map());
    expect(await delivered()).toEqual(sent);
  },
);

test('a page that changes while connected is found by the next canary: its browser closes, and a message in progress stays unknown', async () => {
  opened = engine.open(ID, { canaryMs: 300 });
  const { session, events, client, profileDir } = opened;
  await session.start();
  await events.untilState('ready');
  await engine.control.addRule({ phone: PHONE, rule: { stage: 'prep', action: 'hang' } });
  const content = { type: 'document', url: 'https://x.test/', filename: 'a.pdf' } as const;
  const media = { mimeType: 'application/pdf', bytes: Buffer.from('x') };
  const onItsWay = session.send(outgoing(`${BOB}@c.us`, content, media)).catch((error: unknown) => error);
  await expect.poll(() => engine.control.rules({ phone: PHONE })).toEqual([]);
  await client().pupPage?.evaluate(() => {
    interface Site {
      require(name: string): { addAndSendMsgToChat: unknown };
    }
    const sending = (window as unknown as Site).require('WAWebSendMsgChatAction');
    sending.addAndSendMsgToChat = () => [Promise.resolve({}), Promise.resolve({})];
  });
  expect((await events.untilState('unfit')).failed).toBe('a test message was not held back');
  expect(await onItsWay).toMatchObject({ certain: false });
  await session.stop();
  expect(processesOf(profileDir)).toEqual([]);
  expect(await delivered()).toEqual(sent);
});
