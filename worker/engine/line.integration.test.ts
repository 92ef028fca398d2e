import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlainCause } from '#server/core/number/cause.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';

const PHONE = '491700000051';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;

let engine: TemporaryEngine;
let me: Opened;
beforeAll(async () => {
  engine = await temporaryEngine();
  me = await engine.link('num_line', PHONE);
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Makes the number ready in a new session and forgets the reported states. */
async function fresh(times: Parameters<TemporaryEngine['open']>[1] = {}): Promise<void> {
  await me.session.stop();
  await engine.control.online({ phone: PHONE });
  me = engine.open('num_line', times);
  await me.session.start();
  await me.events.untilState('ready');
  expect(me.events.qrs).toEqual([]);
  await me.session.lookUp(BOB);
  expect(await me.session.probe()).toBe(true);
  me.events.states.length = 0;
}
/** The reported states; a changed reason does not count as another one. */
const reported = () =>
  me.events.states.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
const arrived = async (id: string) =>
  (await engine.control.inbox({ phone: PHONE })).filter((entry) => entry.id === id).length;
const waiting = (code: PlainCause) => ({ state: 'waiting', cause: { code } });

describe('a line that is down', () => {
  test('cut: the page reports it at once, nothing is accepted meanwhile, and it returns without a restart', async () => {
    await fresh({ connectionMs: 60_000 });
    await engine.control.offline({ phone: PHONE });
    expect(await me.events.untilState('waiting')).toEqual(waiting('connection_cut'));
    const refused = text(TO_BOB, 'refused while the line is down');
    await expect(me.session.send(refused)).rejects.toMatchObject({ certain: true, reason: 'page' });
    expect(await me.session.probe()).toBe(false);
    await engine.control.online({ phone: PHONE });
    await me.events.untilState('ready');
    expect(reported()).toEqual(['waiting', 'ready']);
    const after = text(TO_BOB, 'after the line was down');
    await me.session.send(after);
    expect(await me.events.untilAck(after.waMessageId)).toBe(1);
    expect(await arrived(refused.waMessageId)).toBe(0);
  });

  test('cut during a send: the message arrives once, and its acknowledgement follows when the line is back', async () => {
    await fresh();
    await engine.control.offline({ phone: PHONE, silently: true });
    const message = text(TO_BOB, 'on its way');
    await me.session.send(message);
    await engine.control.online({ phone: PHONE });
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(await arrived(message.waMessageId)).toBe(1);
    expect(reported()).not.toContain('gone');
  });

  test('cut for too long: the session is abandoned, so that a new browser starts', async () => {
    await fresh({ cutMs: 500 });
    await engine.control.offline({ phone: PHONE });
    expect(await me.events.untilState('gone')).toEqual({
      state: 'gone',
      reason: 'the connection is down (cut)',
    });
    expect(reported()).toEqual(['waiting', 'gone']);
  });

  test('a silent server: an unanswered ping reports it, the session is abandoned after its time, and no look-up is made', async () => {
    await fresh({ pingMs: 300, connectionMs: 200, silentMs: 1500 });
    await engine.control.offline({ phone: PHONE, silently: true });
    expect(await me.events.untilState('waiting')).toEqual(waiting('no_answer'));
    expect(await me.client().getState()).toBe('CONNECTED');
    expect(await me.events.untilState('gone')).toEqual({
      state: 'gone',
      reason: 'the connection is down (silent)',
    });
  });

  test('a silent server that answers again in time: the line returns without a restart', async () => {
    await fresh({ pingMs: 300, connectionMs: 200 });
    await engine.control.offline({ phone: PHONE, silently: true });
    await me.events.untilState('waiting');
    await engine.control.online({ phone: PHONE });
    await me.events.untilState('ready');
    expect(reported()).toEqual(['waiting', 'ready']);
  });

  test("the machine's network returns: the page connects at once", async () => {
    await engine.control.configure({ reconnectStepMs: 60_000 });
    await fresh();
    await engine.control.configure({ reconnectStepMs: 50 });
    await engine.control.offline({ phone: PHONE });
    await me.events.untilState('waiting');
    await engine.control.online({ phone: PHONE });
    await me.client().pupPage?.evaluate(() => void window.dispatchEvent(new Event('online')));
    await me.events.untilState('ready');
  });
});

test('after a server outage the page connects as soon as its site answers again, and is not abandoned meanwhile', async () => {
  await engine.control.configure({ reconnectStepMs: 60_000 });
  await fresh({ siteAskMs: 200, siteAskMsMax: 300, siteMs: 500, cutMs: 1000, reconnectingMs: 50 });
  await engine.control.configure({ reconnectStepMs: 50, outage: 'hang' });
  await engine.control.offline({ phone: PHONE });
  await me.events.untilState('waiting');
  await expect.poll(() => me.site.unreachable).toBe(true);
  await engine.control.online({ phone: PHONE });
  await engine.control.configure({ outage: 'none' });
  await me.events.untilState('ready');
  expect(reported()).toEqual(['waiting', 'ready']);
});

describe('a stream that the server ends', () => {
  test.each(['515', '503', '500', 'xml-not-well-formed'] as const)(
    'with %s: the page comes back without a restart, nothing is reported, and the log names what was on its way',
    async (error) => {
      await fresh({ briefMs: 60_000 });
      await engine.control.addRule({ phone: PHONE, rule: { stage: 'after', action: 'hang' } });
      const unanswered = text(TO_BOB, 'it may be this one that the server cannot read');
      await me.session.send(unanswered);
      await expect.poll(() => arrived(unanswered.waMessageId)).toBe(1);
      await engine.control.streamError({ phone: PHONE, error });
      const ended = JSON.stringify({ streamError: error, unanswered: [unanswered.waMessageId] });
      await expect.poll(() => me.warned.filter((line) => line.includes(ended))).toHaveLength(1);
      const message = text(TO_BOB, `after ${error}`);
      await me.session.send(message);
      expect(await me.events.untilAck(message.waMessageId)).toBe(1);
      expect(await arrived(message.waMessageId)).toBe(1);
      expect(reported()).toEqual([]);
    },
  );

  test('with a ping of the page itself in progress: nothing is reported, and the session counts as connected', async () => {
    await fresh({ connectionMs: 60_000 });
    await me.client().pupPage?.evaluate(() => {
      interface Site {
        require(name: string): { sendPing(): Promise<boolean> };
      }
      const comms = (window as unknown as Site).require('WAComms');
      const ping = comms.sendPing;
      let inProgress = 2;
      comms.sendPing = () => (inProgress-- > 0 ? Promise.resolve(false) : ping());
    });
    expect(await me.session.probe()).toBe(true);
    expect(reported()).toEqual([]);
  });

  test('with 503, followed by a longer outage: reported as interrupted', async () => {
    await fresh({ briefMs: 200, reconnectingMs: 50 });
    await engine.control.streamError({ phone: PHONE, error: '503' });
    await engine.control.offline({ phone: PHONE });
    expect(await me.events.untilState('waiting')).toEqual(waiting('connection_cut'));
  });

  test('because another page replaced it: a conflict, and a new session takes it back', async () => {
    await fresh();
    await engine.control.replaced({ phone: PHONE });
    expect(await me.events.untilState('conflict')).toEqual({ state: 'conflict' });
    await me.session.stop();
    expect(engine.processes()).toEqual([]);
    await fresh();
  });

  test('because another page replaced it, without a stream error: a conflict as well', async () => {
    await fresh({ replacedMs: 200, reconnectingMs: 50 });
    await me.client().pupPage?.evaluate(() => {
      Object.assign(window, { wirebirdLogin: async () => {} });
    });
    await engine.control.replaced({ phone: PHONE });
    expect(await me.events.untilState('conflict')).toEqual({ state: 'conflict' });
  });

  test('with 516 whose wipe hangs: disconnected at once, and abandoned after its time', async () => {
    await engine.control.configure({ wipeHangs: true });
    await fresh({ wipedMs: 500 });
    await engine.control.configure({ wipeHangs: false });
    await engine.control.streamError({ phone: PHONE, error: '516' });
    expect(await me.events.untilState('waiting')).toEqual(waiting('connection_wiped'));
    expect(await me.events.untilState('gone')).toEqual({
      state: 'gone',
      reason: 'the connection is down (wiped)',
      linkEnded: true,
    });
  });

  test('with 516: the old page is gone, and the next one shows a QR', async () => {
    await fresh();
    await engine.control.streamError({ phone: PHONE, error: '516' });
    expect(await me.events.untilState('gone')).toMatchObject({ linkEnded: true });
    expect(reported()).not.toContain('logged_out');
    await me.session.stop();
    me = engine.open('num_line');
    await me.session.start();
    await me.events.untilState('qr');
  });
});
