import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EngineState } from '#server/core/engine.ts';
import { ConnectionWatch } from './connection-watch.ts';
import type { PingResult } from './page/connection.ts';
import { SiteWatch } from './site-watch.ts';
import { ENGINE_TIMES } from './times.ts';

const READY: EngineState = { state: 'ready', phone: '1', pushName: null, build: '2.3000' };
const { unreachableMs, silentMs, cutMs, wipedMs, replacedMs, briefMs, unresponsiveMs } = ENGINE_TIMES;

let up: boolean | 'deaf';
let refused: boolean;
let pending: boolean;
let ping: PingResult | Promise<PingResult>;
let reported: EngineState[];
let watch: ConnectionWatch;
let answers: boolean;
let reconnects: number;
beforeEach(() => {
  vi.useFakeTimers();
  up = true;
  refused = pending = false;
  ping = 'answered';
  reported = [];
  answers = true;
  reconnects = 0;
  watch = new ConnectionWatch({
    times: ENGINE_TIMES,
    isConnected: () => (up === 'deaf' ? new Promise(() => {}) : Promise.resolve(up)),
    ping: () => Promise.resolve(ping),
    onState: (state) => reported.push(state),
    end: (state) => {
      reported.push(state);
      watch.stop();
    },
    isLoginPending: () => pending,
    isRefused: () => refused,
    site: new SiteWatch(ENGINE_TIMES),
    isSiteReachable: async () => answers,
    reconnect: () => void reconnects++,
  });
  watch.start(READY);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

const states = () => [...new Set(reported.map(({ state }) => state))];
const goesOn = async (seen: boolean | 'deaf', answer: PingResult, ms: number, streamError?: string) => {
  up = seen;
  ping = answer;
  if (streamError === undefined) watch.changed();
  else watch.streamEnded(streamError);
  await vi.advanceTimersByTimeAsync(ms);
};

test('a line that answers before its login is accepted is not up', async () => {
  await goesOn(true, 'answered', 0);
  pending = true;
  await goesOn(true, 'answered', 3000);
  expect([states(), watch.up]).toEqual([['ready', 'waiting'], false]);
  pending = false;
  await goesOn(true, 'answered', 0);
  expect([reported.at(-1)?.state, watch.up]).toEqual(['ready', true]);
});

test('a line that is up is not reported', async () => {
  await goesOn(true, 'answered', 600_000);
  expect(states()).toEqual(['ready']);
  expect(watch.up).toBe(true);
});

test('an end of the stream during a check that still succeeds is not forgotten', async () => {
  await goesOn(true, 'answered', 0);
  const answer = Promise.withResolvers<PingResult>();
  ping = answer.promise;
  watch.changed();
  await vi.advanceTimersByTimeAsync(0);
  watch.streamEnded('replaced');
  [up, ping] = [false, 'stopped'];
  answer.resolve('answered');
  await vi.advanceTimersByTimeAsync(1000);
  expect(states()).toEqual(['ready', 'conflict']);
});

test('a page that hangs before its first check is given up', async () => {
  await goesOn('deaf', 'answered', unresponsiveMs + 10_000);
  expect(reported).toEqual([{ state: 'gone', reason: 'the page does not answer' }]);
});

test('a page that hangs during a brief interruption is given up, because a refused login may have stopped the probes', async () => {
  await goesOn(true, 'answered', 0);
  await goesOn(false, 'disconnected', 1000, '503');
  await goesOn('deaf', 'answered', unresponsiveMs + 10_000);
  expect(states()).toEqual(['ready', 'gone']);
});

test('a page that another one replaced before it was ready is a conflict, not a page that stalls', () => {
  const early = new ConnectionWatch({
    times: ENGINE_TIMES,
    isConnected: async () => false,
    ping: async () => 'stopped',
    onState: (state) => reported.push(state),
    end: (state) => reported.push(state),
    isLoginPending: () => false,
    isRefused: () => false,
    site: new SiteWatch(ENGINE_TIMES),
    isSiteReachable: async () => true,
    reconnect: () => {},
  });
  early.streamEnded('503');
  expect(reported).toEqual([]);
  early.streamEnded('replaced');
  expect(reported).toEqual([{ state: 'conflict' }]);
});

test('a cut line waits at once and returns with the same ready event, and a new outage starts a full wait', async () => {
  await goesOn(false, 'disconnected', cutMs - 5000);
  expect(states()).toEqual(['waiting']);
  expect(watch.up).toBe(false);
  await goesOn(true, 'answered', 2000);
  expect(reported.at(-1)).toBe(READY);
  await goesOn(false, 'disconnected', cutMs - 5000);
  expect(states()).toEqual(['waiting', 'ready']);
});

test.each([
  ['a cut line', false, 'disconnected', cutMs, undefined],
  ['a silent server', true, 'silent', silentMs, undefined],
  ['a wipe that does not end', false, 'stopped', wipedMs, '516'],
] as [string, boolean, PingResult, number, string?][])(
  '%s is given up after its time, not before',
  async (_, seen, answer, ms, streamError) => {
    await goesOn(seen, answer, ms - 5000, streamError);
    expect(states()).toEqual(['waiting']);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(states()).toEqual(['waiting', 'gone']);
  },
);

test('a line whose login is refused is not abandoned here', async () => {
  refused = true;
  await goesOn(false, 'disconnected', 2 * cutMs);
  expect(states()).toEqual(['waiting']);
});

test('a server that falls silent and whose line the page then closes is abandoned as silent', async () => {
  await goesOn(true, 'silent', 20_000);
  await goesOn(false, 'disconnected', silentMs - 20_000 - 2000);
  expect(states()).toEqual(['waiting']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(states()).toEqual(['waiting', 'gone']);
});

test('a replaced page is a conflict at once with a stream error, and after a while without one', async () => {
  await goesOn(false, 'stopped', 0, 'replaced');
  expect(reported).toEqual([{ state: 'conflict' }]);

  watch.start(READY);
  await goesOn(true, 'answered', 0);
  reported = [];
  await goesOn(false, 'stopped', replacedMs + 2000);
  expect(states()).toEqual(['waiting', 'conflict']);
});

test.each(['500', '503', '515', 'xml-not-well-formed'])(
  'of a stream that ends with %s nothing is said while the page may come back without a restart',
  async (streamError) => {
    await goesOn(true, 'answered', 0);
    reported = [];
    await goesOn(false, 'disconnected', briefMs - 2000, streamError);
    expect(reported).toEqual([]);
    expect(watch.up).toBe(true);
    await vi.advanceTimersByTimeAsync(4000);
    expect(states()).toEqual(['waiting']);
  },
);

test('a page that stops answering is left to the probes while connected, and abandoned while it waits', async () => {
  await goesOn(true, 'answered', 0);
  reported = [];
  await goesOn('deaf', 'answered', unresponsiveMs * 2);
  expect(reported).toEqual([]);
  await goesOn(false, 'disconnected', 5000);
  await goesOn('deaf', 'answered', unresponsiveMs + 5000);
  expect(states()).toEqual(['waiting', 'gone']);
});

test.each([
  ['cut', false, 'disconnected'],
  ['silent', true, 'silent'],
] as [string, boolean, PingResult][])(
  'a %s line is not given up while the site does not answer, and connects as soon as it does',
  async (_, seen, answer) => {
    answers = false;
    await goesOn(seen, answer, unreachableMs - 60_000);
    expect(states()).toEqual(['waiting']);
    expect(reconnects).toBe(0);
    answers = true;
    await vi.advanceTimersByTimeAsync(ENGINE_TIMES.siteAskMsMax);
    expect(reconnects).toBe(1);
    await goesOn(true, 'answered', 600_000);
    expect(reported.at(-1)).toBe(READY);
    expect(reconnects).toBe(1);
  },
);

test('a page is not kept forever for a site that never answers again', async () => {
  answers = false;
  await goesOn(false, 'disconnected', unreachableMs + cutMs - 5000);
  expect(states()).toEqual(['waiting']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(states()).toEqual(['waiting', 'gone']);
});

test('a page whose login is refused or whose data is being wiped is not reconnected', async () => {
  answers = false;
  await goesOn(false, 'disconnected', 5000);
  refused = true;
  await goesOn(false, 'disconnected', 5000);
  answers = true;
  await vi.advanceTimersByTimeAsync(600_000);
  refused = false;
  answers = false;
  await goesOn(false, 'stopped', 20_000, '516');
  answers = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reconnects).toBe(0);
});
