import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import { expectStruck, STRIKE_STAGES, strikeWhileSending } from '#worker/testing/strike.ts';
import { processesOf } from './profile.ts';

/** What a browser that is killed leaves, at each step of linking, of sending and of closing. */

let engine: TemporaryEngine;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const kill = (one: Opened) => {
  const processes = processesOf(one.profileDir);
  expect(processes.length).toBeGreaterThan(0);
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
};
const latestQr = (one: Opened) => one.events.until((events) => events.qrs.at(-1)?.qr);

/** Links a number in a new session over a profile, and sends a message from it. */
async function linkAndSend(numberId: string, phone: string): Promise<void> {
  const one = await engine.link(numberId, phone);
  await one.session.lookUp('491700000002');
  const message = text('491700000002@c.us', 'after the kill');
  await one.session.send(message);
  expect(await one.events.untilAck(message.waMessageId)).toBe(1);
  await one.session.stop();
  expect(engine.processes()).toEqual([]);
}

/** Starts a number, which must not need a new code. */
async function startsLinked(numberId: string): Promise<void> {
  const next = engine.open(numberId);
  await next.session.start();
  await next.events.untilState('ready');
  expect(next.events.qrs).toEqual([]);
  await next.session.stop();
  expect(engine.processes()).toEqual([]);
}

describe('a browser that is killed while a number is linked leaves nothing that runs, and keeps what the phone has linked', () => {
  test('while it starts', async () => {
    const one = engine.open('num_start');
    const started = one.session.start().then(
      () => 'started',
      () => 'failed',
    );
    await expect.poll(() => processesOf(one.profileDir).length, { interval: 5 }).toBeGreaterThan(0);
    kill(one);
    expect(await started).toBe('failed');
    expect(engine.processes()).toEqual([]);
    expect(one.events.states).toEqual([]);
    await linkAndSend('num_start', '491700000081');
  });

  test('while it shows a code', async () => {
    const one = engine.open('num_code');
    await one.session.start();
    await latestQr(one);
    kill(one);
    await one.events.untilState('gone');
    await one.session.stop();
    expect(engine.processes()).toEqual([]);
    await linkAndSend('num_code', '491700000082');
  });

  test('just after the scan, while it loads the data', async () => {
    await engine.control.configure({ syncDelayMs: 60_000 });
    const one = engine.open('num_scanned');
    await one.session.start();
    await engine.control.scan({ phone: '491700000083', qr: await latestQr(one) });
    await one.events.untilState('syncing');
    kill(one);
    await one.events.untilState('gone');
    await one.session.stop();
    expect(engine.processes()).toEqual([]);
    await engine.control.configure({ syncDelayMs: 150 });

    await startsLinked('num_scanned');
  });

  test('just after it is ready', async () => {
    const one = await engine.link('num_ready', '491700000084');
    kill(one);
    await one.events.untilState('gone');
    await one.session.stop();
    await startsLinked('num_ready');
  });
});

test('a browser that is killed while it closes keeps the link, and the close ends', async () => {
  const first = await engine.link('num_closing', '491700000085');
  await first.session.stop();
  for (const turns of [0, 1, 50, 500]) {
    const one = engine.open('num_closing');
    await one.session.start();
    await one.events.untilState('ready');
    const processes = processesOf(one.profileDir);
    const stopped = one.session.stop();
    for (let n = 0; n < turns; n++) await turn();
    for (const { pid } of processes)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    await stopped;
    expect(engine.processes()).toEqual([]);
  }
  await startsLinked('num_closing');
});

describe('while a message is sent', () => {
  test('a page that crashes or is stopped sends it at most once, and its outcome is not certain', async () => {
    let me = await engine.link('num_send', '491700000086');
    await me.session.lookUp('491700000002');
    const renderers = () =>
      processesOf(me.profileDir).filter(({ command }) => command.includes(' --type=renderer '));
    const strikes = [
      async () => {
        const page = me.client().pupPage;
        const cdp = await page?.createCDPSession();
        void cdp?.send('Page.crash').catch(() => {});
        await me.events.untilState('gone');
      },
      async () => {
        for (const { pid } of renderers()) process.kill(pid, 'SIGSTOP');
        Object.assign(me.times, { probeMs: 300, pingMs: 200 });
        expect(await me.session.probe()).toBe(false);
        await me.session.stop({ withinMs: 300 });
      },
    ];
    for (const strike of strikes)
      for (const stage of STRIKE_STAGES) {
        const struck = { phone: '491700000086', to: '491700000002@c.us', stage };
        const message = await strikeWhileSending(engine, me, { ...struck, strike });
        await me.session.stop();
        expect(engine.processes()).toEqual([]);
        me = engine.open('num_send');
        await me.session.start();
        await me.events.untilState('ready');
        await me.session.lookUp('491700000002');
        await expectStruck(engine, me, { ...struck, message });
      }
    await me.session.stop();
  });

  test('1,000 messages that arrive meanwhile delay no acknowledgement, and have none of their own', async () => {
    const me = await engine.link('num_flood', '491700000087');
    await me.session.lookUp('491700000002');
    const people = Array.from({ length: 20 }, async (_, person) => {
      for (let n = 0; n < 50; n++)
        await engine.control.receive({
          phone: '491700000087',
          from: `4917100${person * 25 + (n % 25) + 10_000}`,
          body: `incoming ${n}`,
        });
    });
    const flood = Promise.all(people);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const message = text('491700000002@c.us', `outgoing ${n}`);
      ids.push(message.waMessageId);
      await me.session.send(message);
      expect(await me.events.untilAck(message.waMessageId)).toBe(1);
    }
    await flood;
    expect(await me.session.probe()).toBe(true);
    await me.events.until(({ wrote }) => (new Set(wrote).size === 500 ? true : undefined));
    expect([...me.events.acks.keys()].sort()).toEqual([...ids].sort());
    expect(me.events.states.at(-1)).toMatchObject({ state: 'ready' });
    await me.session.stop();
    expect(engine.processes()).toEqual([]);
  });
});
