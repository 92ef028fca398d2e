import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processesOf } from './profile.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from './testing.ts';
import { text } from './testing-message.ts';

const PHONE = '491700000071';
const BOB = '491700000002';
const ID = 'num_self_test';

let engine: TemporaryEngine;
let sent: string;
let opened: Opened | undefined;
beforeAll(async () => {
  engine = await temporaryEngine();
  const { session, heard } = await engine.link(ID, PHONE);
  await session.lookUp(BOB);
  const message = text(`${BOB}@c.us`, 'a message of ours');
  sent = message.waMessageId;
  await session.send(message);
  await heard.untilAck(sent);
  await session.stop();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await opened?.session.stop();
  await engine.control.configure({ brokenBuild: null, keyField: '_serialized' });
});

const delivered = async () => (await engine.control.inbox({ phone: PHONE })).map(({ id }) => id);

test.each(['_serialized', '$1'] as const)(
  'a build that holds what we rely on is ready: nothing leaves, and the test is no acknowledgement (%s)',
  async (keyField) => {
    await engine.control.configure({ keyField });
    opened = engine.open(ID);
    const { session, heard, client, fence } = opened;
    await session.start();
    expect(await heard.untilState('ready')).toMatchObject({ phone: PHONE, build: '2.3000.1030000000' });
    expect(await delivered()).toEqual([sent]);
    expect(heard.acks).toEqual(new Map());
    expect(fence.asked).toEqual([]);
    const own = await client().pupPage?.evaluate(() => {
      interface Site {
        require(name: string): { Msg: { getModelsArray(): { id: { fromMe: boolean }; ack: number }[] } };
      }
      const messages = (window as unknown as Site).require('WAWebCollections').Msg.getModelsArray();
      return messages.filter(({ id }) => id.fromMe).map(({ ack }) => ack);
    });
    expect(own).toEqual([3]);
  },
);

test.each([
  ['no-send', 'the function addAndSendMsgToChat is missing'],
  ['other-send', 'messages do not pass the gate'],
  ['other-job', 'messages do not pass the gate'],
  ['key-text', 'keys of messages read differently'],
  ['key-id', 'keys of messages read differently'],
  ['ack-event', 'acknowledgements are not reported'],
  ['state-event', 'the state of the connection is not reported'],
  ['chat', 'a test message was not held back'],
] as const)('a build that breaks %s is never ready, and nothing leaves', async (brokenBuild, what) => {
  await engine.control.configure({ brokenBuild });
  opened = engine.open(ID);
  const { session, heard, profileDir } = opened;
  await session.start().catch(() => {});
  expect(await heard.untilState('blocked')).toEqual({
    state: 'blocked',
    reason: `WhatsApp Web has changed (build 2.3000.1030000000): ${what}. Sending is off until Wirebird is updated.`,
    until: null,
  });
  await expect(session.send(text(`${BOB}@c.us`, 'too late'))).rejects.toMatchObject({ certain: true });
  await session.stop();
  expect(processesOf(profileDir)).toEqual([]);
  expect(heard.states.map(({ state }) => state)).not.toContain('ready');
  expect(await delivered()).toEqual([sent]);
});

test('a page that changes while it is connected is found by the next canary, and its browser ended', async () => {
  opened = engine.open(ID, { canaryMs: 300 });
  const { session, heard, client, profileDir } = opened;
  await session.start();
  await heard.untilState('ready');
  await client().pupPage?.evaluate(() => {
    interface Site {
      require(name: string): { addAndSendMsgToChat: unknown };
    }
    const sending = (window as unknown as Site).require('WAWebSendMsgChatAction');
    sending.addAndSendMsgToChat = () => [Promise.resolve({}), Promise.resolve({})];
  });
  expect((await heard.untilState('blocked')).reason).toContain('a test message was not held back');
  await session.stop();
  expect(processesOf(profileDir)).toEqual([]);
  expect(await delivered()).toEqual([sent]);
});
