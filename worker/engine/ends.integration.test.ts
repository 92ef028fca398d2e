import fs from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import { expectStruck, STRIKE_STAGES, strikeWhileSending } from '#worker/testing/strike.ts';
import { handleLibraryRejection } from './library-errors.ts';
import { processesOf } from './profile.ts';

const PHONE = '491700000021';
const BOB = '491700000002';
const TO_BOB = `${BOB}@c.us`;

let engine: TemporaryEngine;
let me: Opened;
beforeAll(async () => {
  engine = await temporaryEngine();
  me = await engine.link('num_ends', PHONE);
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Makes the number ready: in the previous test's session, or in a new one, which must not need a QR. */
async function ready(): Promise<void> {
  if (!(await me.session.probe())) {
    await me.session.stop();
    expect(engine.processes()).toEqual([]);
    me = engine.open('num_ends');
    await me.session.start();
    await me.events.untilState('ready');
    expect(me.events.qrs).toEqual([]);
  }
  await me.session.lookUp(BOB);
}

/** Like `ready`, but links the number again if its link is gone. */
async function readyAgain(): Promise<void> {
  if (me.events.states.at(-1)?.state !== 'logged_out') return ready();
  await me.session.stop();
  me = await engine.link('num_ends', PHONE);
  await me.session.lookUp(BOB);
}

const killBrowser = () => {
  for (const { pid } of processesOf(me.profileDir)) process.kill(pid, 'SIGKILL');
};
const signalRenderer = (signal: NodeJS.Signals) => {
  const renderers = processesOf(me.profileDir).filter(({ command }) => command.includes(' --type=renderer '));
  expect(renderers.length).toBeGreaterThan(0);
  for (const { pid } of renderers) process.kill(pid, signal);
};
const arrived = async (id: string) =>
  (await engine.control.inbox({ phone: PHONE })).filter((entry) => entry.id === id).length;

describe('an end that nothing reports', () => {
  test.each([
    ['the browser is killed', 'the browser has ended', killBrowser],
    ['the page crashes', 'the page has crashed', () => signalRenderer('SIGKILL')],
    ['the page is reloaded', 'the page was loaded again', () => engine.control.reload({ phone: PHONE })],
  ])(
    '%s during a send: the end is reported, the outcome is unknown, and at most one message arrives',
    async (_, reason, strike) => {
      for (const stage of STRIKE_STAGES) {
        await ready();
        const message = await strikeWhileSending(engine, me, {
          ...{ phone: PHONE, to: TO_BOB, stage },
          async strike() {
            await strike();
            expect(await me.events.untilState('gone')).toEqual({ state: 'gone', reason });
          },
        });
        expect(await me.session.probe()).toBe(false);
        await ready();
        await expectStruck(engine, me, { phone: PHONE, stage, message });
      }
    },
  );

  test('a page that hangs fails its probe in time, and responds again afterwards', async () => {
    await ready();
    const { probeMs, pingMs } = me.times;
    Object.assign(me.times, { probeMs: 500, pingMs: 300 });
    await engine.control.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'busy', ms: 3_000 } });
    const message = text(TO_BOB, 'busy');
    await me.session.send(message);
    // The page hangs only once its job has asked the worker, so the first probes may still succeed.
    await expect.poll(() => me.session.probe(), { interval: 10, timeout: 10_000 }).toBe(false);
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    await expect.poll(() => me.session.probe(), { timeout: 20_000 }).toBe(true);
    Object.assign(me.times, { probeMs, pingMs });
  });

  test('a browser that stops fails its probe, and sends what waited once when it continues', async () => {
    await ready();
    const { probeMs, pingMs } = me.times;
    Object.assign(me.times, { probeMs: 500, pingMs: 300 });
    const main = processesOf(me.profileDir).filter(({ command }) => !command.includes(' --type='));
    expect(main).toHaveLength(1);
    const signal = (name: NodeJS.Signals) => main.forEach(({ pid }) => void process.kill(pid, name));
    await engine.control.addRule({ phone: PHONE, rule: { stage: 'job', action: 'late', ms: 1_000 } });
    const message = text(TO_BOB, 'stopped');
    await me.session.send(message);
    signal('SIGSTOP');
    await expect.poll(() => me.session.probe(), { interval: 10 }).toBe(false);
    expect(me.events.acks.has(message.waMessageId)).toBe(false);
    signal('SIGCONT');
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(await arrived(message.waMessageId)).toBe(1);
    await expect.poll(() => me.session.probe()).toBe(true);
    Object.assign(me.times, { probeMs, pingMs });
  });

  test('a killed GPU process changes nothing', async () => {
    await ready();
    await engine.control.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'late', ms: 300 } });
    const message = text(TO_BOB, 'without a GPU process');
    const sent = me.session.send(message);
    const gpu = processesOf(me.profileDir).filter(({ command }) => command.includes(' --type=gpu-process'));
    expect(gpu.length).toBeGreaterThan(0);
    for (const { pid } of gpu) process.kill(pid, 'SIGKILL');
    await sent;
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(me.events.states.at(-1)).toMatchObject({ state: 'ready' });
  });

  test('a broken connection fails the probe, even if the page does not notice it', async () => {
    await ready();
    me.times.probeMs = 500;
    await engine.control.offline({ phone: PHONE });
    await expect.poll(() => me.session.probe()).toBe(false);
    await engine.control.online({ phone: PHONE });
    await expect.poll(() => me.session.probe(), { timeout: 20_000 }).toBe(true);

    await engine.control.offline({ phone: PHONE, silently: true });
    expect(await me.client().getState()).toBe('CONNECTED');
    await me.session.send(text(TO_BOB, 'into the void'));
    expect(await me.session.probe()).toBe(false);
    await engine.control.online({ phone: PHONE });
    await expect.poll(() => me.session.probe(), { timeout: 20_000 }).toBe(true);
    me.times.probeMs = 2_500;
  });

  test('a page that stalls before it is ready or stops answering is abandoned', async () => {
    await ready();
    await me.session.stop();
    await engine.control.configure({ syncDelayMs: 60_000 });
    me = engine.open('num_ends', { syncStallMs: 300 });
    await me.session.start();
    expect(await me.events.untilState('gone')).toMatchObject({ reason: 'the page makes no progress' });
    await me.session.stop();

    me = engine.open('num_ends', { probeMs: 100, unresponsiveMs: 200 });
    await me.session.start();
    signalRenderer('SIGSTOP');
    expect(await me.events.untilState('gone')).toMatchObject({ reason: 'the page does not answer' });
    await engine.control.configure({ syncDelayMs: 150 });
  });

  test('a browser that does not close on request is killed before its lease ends', async () => {
    await ready();
    me.times.closeMs = 600_000;
    for (const { pid } of processesOf(me.profileDir)) process.kill(pid, 'SIGSTOP');
    await me.session.stop({ withinMs: 300 });
    expect(engine.processes()).toEqual([]);
  });

  test('a move within the same document goes unnoticed', async () => {
    await ready();
    const moved = me.client().pupPage?.evaluate(() => history.pushState(null, '', '/elsewhere'));
    const message = text(TO_BOB, 'still here');
    await Promise.all([moved, me.session.send(message)]);
    expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    expect(me.events.states.at(-1)).toMatchObject({ state: 'ready' });
  });

  test('an unhandled rejection in the library ends its session, not the worker', async () => {
    await ready();
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    const pinned: boolean[] = [];
    process.on('unhandledRejection', (reason) => pinned.push(handleLibraryRejection(reason)));
    try {
      // As in the library: an event handler whose promise is not awaited.
      me.client().pupPage?.once('console', async () => {
        throw new Error('slipped');
      });
      // Not awaited: the page may close before it answers.
      me.client()
        .pupPage?.evaluate(() => console.log('now'))
        .catch(() => {});
      expect(await me.events.untilState('gone')).toMatchObject({
        reason: 'an error inside the library',
      });
      expect(pinned).toEqual([true]);
    } finally {
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
    }
  });
});

describe('an end that the page reports', () => {
  test.each([
    ['opened elsewhere', 'CONFLICT', { state: 'conflict' }],
    ['blocked', 'TOS_BLOCK', { state: 'blocked', cause: { code: 'terms_blocked' }, until: null }],
  ])('%s: the end is reported, the browser closes and the link is kept', async (_, shown, reported) => {
    await ready();
    await engine.control.configure({ olderPage: true });
    if (shown === 'CONFLICT') await engine.control.replaced({ phone: PHONE });
    else await engine.control.showState({ phone: PHONE, state: shown });
    await me.events.until(({ states }) => states.find(({ state }) => state === reported.state));
    await engine.control.configure({ olderPage: false });
    expect(me.events.states.at(-1)).toEqual(reported);
    await me.session.stop();
    expect(engine.processes()).toEqual([]);
    await fs.access(me.profileDir);
  });

  test('a page that is refused before it is ready is reported too', async () => {
    await ready();
    await me.session.stop();
    await engine.control.configure({ syncDelayMs: 5_000 });
    me = engine.open('num_ends');
    await me.session.start();
    await engine.control.configure({ olderPage: true });
    await engine.control.showState({ phone: PHONE, state: 'SMB_TOS_BLOCK' });
    expect(await me.events.untilState('blocked')).toMatchObject({
      reason: expect.stringContaining('business'),
    });
    await engine.control.configure({ syncDelayMs: 150, olderPage: false });
  });

  test.each([
    ['replaced', 'conflict', () => engine.control.replaced({ phone: PHONE })],
    ['logged out', 'logged_out', () => engine.control.unlink({ phone: PHONE })],
  ] as const)(
    '%s: a message that never passed the gate is not sent, and one that did stays unknown',
    async (_, state, end) => {
      await readyAgain();
      const first = text(TO_BOB, 'shows that this page’s job asks');
      await me.session.send(first);
      await me.events.untilAck(first.waMessageId);
      await engine.control.addRule({ phone: PHONE, rule: { stage: 'wire', action: 'hang', to: BOB } });
      const through = text(TO_BOB, 'let through');
      await me.session.send(through);
      await expect.poll(() => engine.control.rules({ phone: PHONE })).toEqual([]);
      await engine.control.addRule({ phone: PHONE, rule: { stage: 'job', action: 'hang', to: BOB } });
      const waits = text(TO_BOB, 'waits in the page');
      await me.session.send(waits);

      await end();
      await me.events.untilState(state);
      const failures = [...me.events.failures].map(([id, { certain, reason }]) => ({ id, certain, reason }));
      expect(failures).toEqual([{ id: waits.waMessageId, certain: true, reason: 'disconnected' }]);
      expect(await arrived(waits.waMessageId)).toBe(0);
      await engine.control.clearRules({ phone: PHONE });
    },
  );

  test('removed on the phone: reported as logged out, the browser ended and the profile gone', async () => {
    await readyAgain();
    await engine.control.unlink({ phone: PHONE });
    await me.events.untilState('logged_out');
    await me.session.stop();
    expect(engine.processes()).toEqual([]);
    await expect(fs.access(me.profileDir)).rejects.toThrow('ENOENT');
    expect(me.events.states.at(-1)).toEqual({ state: 'logged_out', reason: null });
    await expect(me.session.send(text(TO_BOB, 'x'))).rejects.toMatchObject({ certain: true, reason: 'page' });
  });
});

describe('unlinking', () => {
  const devices = async (phone: string) => (await engine.control.phone({ phone })).devices;

  test('logs the device out at WhatsApp and removes the profile', async () => {
    const one = await engine.link('num_unlink', '491700000022');
    expect(await one.session.unlink()).toBe(true);
    expect(await devices('491700000022')).toBe(0);
    await expect(fs.access(one.profileDir)).rejects.toThrow('ENOENT');
    expect(one.events.states.at(-1)).toMatchObject({ state: 'ready' });
  });

  test('waits for the server’s answer, even if the page’s own logout takes long', async () => {
    await engine.control.configure({ settingsPatchMs: 3_000 });
    const one = await engine.link('num_patch', '491700000026');
    expect(await one.session.unlink()).toBe(true);
    expect(await devices('491700000026')).toBe(0);
    await engine.control.configure({ settingsPatchMs: 100 });
  });

  test('waits for a stored session that is starting', async () => {
    await (await engine.link('num_stored', '491700000023')).session.stop();
    const one = engine.open('num_stored');
    await one.session.start();
    expect(await one.session.unlink()).toBe(true);
    expect(await devices('491700000023')).toBe(0);
  });

  test('of an unreachable phone still removes the profile, and says that WhatsApp was not notified', async () => {
    const one = await engine.link('num_far', '491700000024', { unlinkMs: 500 });
    await engine.control.offline({ phone: '491700000024', silently: true });
    expect(await one.session.unlink()).toBe(false);
    await expect(fs.access(one.profileDir)).rejects.toThrow('ENOENT');
    expect(await devices('491700000024')).toBe(1);
  });
});
