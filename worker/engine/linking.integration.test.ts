import fs from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import { processesOf } from './profile.ts';
import { ENGINE_TIMES } from './times.ts';
import { userAgentOf } from './user-agent.ts';

let engine: TemporaryEngine;
let opened: Opened | undefined;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await opened?.session.stop();
  opened = undefined;
  await engine.control.configure({ refTtlMs: [60_000, 20_000], raceSync: false, outage: 'none' });
  await engine.control.configure({ rotateAtScan: false, qrAround: ['', ''] });
});

/** A QR is valid only briefly in some tests, and can expire between reading and scanning it. */
const scanLatest = ({ events }: Opened, phone: string) =>
  vi.waitFor(() => engine.control.scan({ phone, qr: events.qrs.at(-1)?.qr ?? '' }), 20_000);

test('a number is linked by its QR, into a profile for its user only, as a current Chrome', async () => {
  opened = engine.open('num_qr');
  const before = Date.now();
  await opened.session.start();
  const { qr, expiresAt } = await opened.events.until((events) => events.qrs.at(-1));
  expect(qr.split(',')).toHaveLength(5);
  expect(expiresAt - before).toBeGreaterThan(59_000);
  expect(expiresAt - Date.now()).toBeLessThanOrEqual(60_000);
  expect(opened.events.states).toEqual([{ state: 'qr' }]);
  expect(await opened.session.probe()).toBe(false);

  await engine.control.scan({ phone: '491700000011', qr });
  const ready = await opened.events.untilState('ready');
  expect(ready).toEqual({
    state: 'ready',
    phone: '491700000011',
    pushName: expect.any(String),
    build: '2.3000.1030000000',
  });
  expect(opened.events.states.map(({ state }) => state)).toEqual(
    expect.arrayContaining(['qr', 'syncing', 'ready']),
  );
  expect(await opened.session.probe()).toBe(true);
  expect((await fs.stat(opened.profileDir)).mode & 0o777).toBe(0o700);
  const named = await opened.client().pupPage?.evaluate(() => navigator.userAgent);
  expect(named).toBe(userAgentOf(engine.browser.version));
  expect(named).not.toContain('Headless');
});

test('a link made just before the stop is kept: the next start needs no QR', async () => {
  const first = await engine.link('num_kept', '491700000013');
  await first.session.stop();
  expect(processesOf(first.profileDir)).toEqual([]);

  opened = engine.open('num_kept');
  await opened.session.start();
  await opened.events.untilState('ready');
  expect(opened.events.qrs).toEqual([]);
  const kept = await opened.client().pupPage?.evaluate(() => localStorage.getItem('last-wid-md'));
  expect(kept).toContain('491700000013');
  await opened.session.lookUp('491700000002');
  const message = text('491700000002@c.us', 'after the restart');
  await opened.session.send(message);
  expect(await opened.events.untilAck(message.waMessageId)).toBe(1);
});

test('an expired QR is followed by another, also after the last one', async () => {
  await engine.control.configure({ refTtlMs: [150, 150] });
  opened = engine.open('num_refs', { qrGraceMs: 1_000 });
  await opened.session.start();
  const seen = await opened.events.until(({ qrs }) => (qrs.length >= 7 ? qrs : undefined));
  expect(new Set(seen.map(({ qr }) => qr)).size).toBe(seen.length);
  await engine.control.configure({ refTtlMs: [60_000] });
  await scanLatest(opened, '491700000014');
  await opened.events.untilState('ready');
});

test('each QR is reported with its display time', async () => {
  await engine.control.configure({ refTtlMs: [700, 300, 60_000] });
  opened = engine.open('num_ttl');
  const before = Date.now();
  await opened.session.start();
  const qrs = await opened.events.until((events) => (events.qrs.length >= 3 ? events.qrs : undefined));
  const [first, second, third] = qrs.map(({ expiresAt }) => expiresAt) as [number, number, number];
  expect(first - before).toBeGreaterThanOrEqual(700);
  expect(second - first).toBeLessThan(60_000);
  expect(third - second).toBeGreaterThan(55_000);
});

test.each([
  ['is syncing', 'syncing', 60_000],
  ['is ready', 'ready', 150],
] as const)(
  'a QR that the page makes after it was linked and %s is not reported',
  async (_, state, syncDelayMs) => {
    await engine.control.configure({ syncDelayMs });
    opened = engine.open(`num_late_qr_${state}`);
    await opened.session.start();
    await opened.events.until((events) => events.qrs.at(-1));
    await scanLatest(opened, state === 'ready' ? '491700000031' : '491700000032');
    await opened.events.untilState(state);
    const { length } = opened.events.qrs;
    const page = opened.client().pupPage;
    await page?.evaluate(() => {
      type Conn = { set(values: object): void };
      const site = window as unknown as { require(name: string): { Conn: Conn } };
      site.require('WAWebConnModel').Conn.set({ ref: 'a late one', refTTL: 20_000 });
    });
    // The page answers in order.
    await page?.evaluate(() => {});
    await engine.control.configure({ syncDelayMs: 150 });
    expect(opened.events.qrs).toHaveLength(length);
    expect(opened.events.states.at(-1)).toMatchObject({ state });
  },
);

const drawnIn = ({ client }: Opened) =>
  client().pupPage?.evaluate(() => document.querySelector('[data-ref]')?.getAttribute('data-ref'));

test('when the server rotates the QR’s secret, the QR is made again, and only the new one links', async () => {
  await engine.control.configure({ rotateAtScan: true });
  opened = engine.open('num_rotated');
  await opened.session.start();
  const first = await opened.events.until(({ qrs }) => qrs.at(-1));
  const phone = '491700000033';
  const words = 'Couldn’t link device. Scan the newest code.';
  await expect(engine.control.scan({ phone, qr: first.qr })).rejects.toThrow(words);
  const second = await opened.events.until(({ qrs }) => qrs[1]);
  await expect(engine.control.scan({ phone, qr: first.qr })).rejects.toThrow(words);
  await engine.control.rotateSecrets();
  const third = await opened.events.until(({ qrs }) => qrs[2]);
  expect(third.qr).toBe(await drawnIn(opened));
  // It is the same reference, which does not get more time.
  const refs = [first, second, third].map(({ qr }) => qr.split(',')[0]);
  expect(new Set(refs).size).toBe(1);
  for (const { expiresAt } of [second, third])
    expect(Math.abs(expiresAt - first.expiresAt)).toBeLessThan(1_000);
  await engine.control.scan({ phone, qr: third.qr });
  await opened.events.untilState('ready');
  // The page stayed open all the while.
  expect(opened.events.states.map(({ state }) => state)).not.toContain('gone');
});

test('the QR is the one that the page draws, with the addresses that it adds', async () => {
  const qrAround: [string, string] = [
    'https://wa.me/settings/linked_devices#',
    ',https://faq.whatsapp.com/r/ld',
  ];
  await engine.control.configure({ qrAround });
  opened = engine.open('num_other_qr');
  await opened.session.start();
  const isWhole = (qr: string) => qr.startsWith(qrAround[0]) && qr.split(',').length === 6;
  const { qr } = await opened.events.until(({ qrs }) => qrs.find((one) => isWhole(one.qr)));
  expect(qr).toBe(await drawnIn(opened));
  expect(opened.warned).toEqual([]);
  await engine.control.scan({ phone: '491700000034', qr });
  await opened.events.untilState('ready');
});

test('a page that cannot show a QR is abandoned', async () => {
  await engine.control.configure({ refTtlMs: [] });
  opened = engine.open('num_noqr', { qrGraceMs: 50 });
  await opened.session.start();
  expect(await opened.events.untilState('gone')).toMatchObject({ reason: 'the page shows no QR' });
});

test('a number is linked by a pairing code', async () => {
  opened = engine.open('num_code');
  await opened.session.start();
  await opened.events.untilState('qr');
  const asked = vi.spyOn(opened.client(), 'requestPairingCode');
  const code = await opened.session.requestPairingCode('491700000015');
  expect(code).toMatch(/^[A-Z1-9]{8}$/);
  // The worker asks for the next one, and counts them.
  expect(asked).toHaveBeenCalledWith('491700000015', true, 2 ** 31 - 1);
  await engine.control.enterCode({ phone: '491700000015', code });
  expect(await opened.events.untilState('ready')).toMatchObject({ phone: '491700000015' });
});

test.each([
  [429, 'too_many'],
  [400, 'bad_number'],
] as const)(
  'a pairing code that WhatsApp refuses with %i says why, and QR codes continue',
  async (status, reason) => {
    const phone = `4917000000${status === 429 ? 26 : 27}`;
    await engine.control.configure({ refTtlMs: [200, 200] });
    await engine.control.refuseCodes({ phone, status });
    opened = engine.open(`num_refused_${status}`, { qrGraceMs: 1_000 });
    const { session, events } = opened;
    await session.start();
    await expect(session.requestPairingCode(phone)).rejects.toMatchObject({
      name: 'PairingCodeError',
      reason,
    });
    const shown = events.qrs.length;
    await events.until(({ qrs }) => (qrs.length > shown + 4 ? qrs : undefined));
    const asksAgain = await opened
      .client()
      .pupPage?.evaluate(() => (window as { codeInterval?: unknown }).codeInterval !== undefined);
    expect(asksAgain).toBe(false);
  },
);

test('a page that synced before the library listened becomes ready', async () => {
  const first = await engine.link('num_race', '491700000017');
  await first.session.stop();
  await engine.control.configure({ raceSync: true, syncDelayMs: 0 });
  opened = engine.open('num_race', { readyHelpMs: 300 });
  await opened.session.start();
  expect(await opened.events.untilState('ready')).toMatchObject({ phone: '491700000017' });
  await engine.control.configure({ syncDelayMs: 150 });
});

test('a page that loads again while the library attaches itself becomes ready, and sends', async () => {
  // On a slow page the library attaches for 30 s and more.
  expect(Math.min(ENGINE_TIMES.startMs, ENGINE_TIMES.syncStallMs)).toBeGreaterThan(60_000);
  const phone = '491700000019';
  const first = await engine.link('num_attaching', phone);
  await first.session.stop();
  opened = engine.open('num_attaching');
  const { session, events, client } = opened;
  const started = session.start();
  await expect.poll(client, { interval: 5 }).toBeTruthy();
  const loaded = new Promise((resolve) =>
    client().once('authenticated', () => resolve(client().pupPage?.reload())),
  );
  await Promise.all([started, loaded]);
  expect(await events.untilState('ready')).toMatchObject({ phone });
  await session.lookUp('491700000002');
  const message = text('491700000002@c.us', 'after the second load');
  await session.send(message);
  expect(await events.untilAck(message.waMessageId)).toBe(1);
});

test('a link that the phone removed while the session was stopped is a logout', async () => {
  const first = await engine.link('num_away', '491700000018');
  await first.session.stop();
  await engine.control.unlink({ phone: '491700000018' });
  opened = engine.open('num_away');
  await opened.session.start().catch(() => {}); // the state reports the logout
  await opened.events.untilState('logged_out');
  expect(opened.events.states.map(({ state }) => state)).not.toContain('ready');
});

test('a start that never settles or that the library rejects with a string fails and leaves no process', async () => {
  await engine.control.configure({ outage: 'hang' });
  opened = engine.open('num_hang', { startMs: 1_200 });
  await expect(opened.session.start()).rejects.toThrow('the start: no progress within 1200 ms');
  expect(engine.processes()).toEqual([]);

  await engine.control.configure({ outage: '503' });
  opened = engine.open('num_503', { scriptsMs: 300 });
  await expect(opened.session.start()).rejects.toThrow(new Error('auth timeout'));
  expect(engine.processes()).toEqual([]);
  expect(opened.events.states).toEqual([]);
});

test('a start that makes progress gets more time, and not without end', async () => {
  await engine.control.configure({ outage: 'stall' });
  opened = engine.open('num_slow', { startMs: 2_500, startMsMax: 6_000 });
  const { session, client } = opened;
  const starting = expect(session.start()).rejects.toThrow('the start: not done within 6000 ms');
  const page = await vi.waitFor(
    () => {
      const { pupPage } = client();
      if (!pupPage) throw new Error('no page yet');
      return pupPage;
    },
    { timeout: 20_000, interval: 5 },
  );
  const isOpen = () => page.evaluate(() => fetch('/').then(() => true)).catch(() => !page.isClosed());
  const progress = async (): Promise<void> => ((await isOpen()) ? progress() : undefined);
  await Promise.all([starting, progress()]);
  expect(engine.processes()).toEqual([]);
});

test('a stopped start rejects at any stage and leaves no process', async () => {
  const points: ((one: Opened) => Promise<unknown>)[] = [
    async () => {},
    (one) =>
      expect
        .poll(() => processesOf(one.profileDir).length, { interval: 5, timeout: 20_000 })
        .toBeGreaterThan(0),
    (one) => expect.poll(() => one.client().pupPage, { interval: 5, timeout: 20_000 }).toBeTruthy(),
  ];
  await engine.control.configure({ outage: 'stall' });
  for (const [index, reached] of points.entries()) {
    const one = engine.open(`num_stopped_${index}`);
    const started = one.session.start().then(
      () => 'started',
      (error: Error) => error.message,
    );
    await reached(one);
    await one.session.stop();
    expect(await started).toBe('stopped');
    expect(processesOf(one.profileDir)).toEqual([]);
  }
});
