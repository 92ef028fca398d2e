import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { health } from '#server/alerts/kinds/health.ts';
import { RESTART_PAUSE_MS_MAX } from '#server/core/number/machine.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { getNumber, numberHistory } from '#server/numbers/get-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { numberHealth } from '#server/numbers/number-health.ts';
import { takeOverSession as takeBack } from '#server/numbers/take-over-session.ts';
import { unlinkNumber } from '#server/numbers/unlink-number.ts';
import { OlderBrowserError } from '../engine/last-browser.ts';
import { ENGINE_TIMES } from '../engine/times.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** What a number shows, and whether it is started again, when WhatsApp refuses it or ends its link. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

type Linked = Awaited<ReturnType<World['addLinkedNumber']>>;

const ref = (numberId: string) => world.ref(numberId);
const seen = (numberId: string) => getNumber(world, { numberId });
const refuse = (reason: string, code?: string) => (numberId: string) =>
  world.network.refuse(numberId, { reason, code });

interface Row {
  what: string;
  play(numberId: string): void;
  status: NumberStatus;
  /** The beginning of the shown reason. */
  sentence: string;
  /** How many browsers were started afterwards. */
  restarts: number;
  /** What connects the number again. */
  then: 'link again' | 'use here' | 'the end of the ban';
}

const REMOVED = `${causeText({ code: 'logged_out', reason: null })} Link it again.`;
const OUTDATED = causeText({ code: 'outdated' });

const ROWS: Row[] = [
  ['the login is refused with 401', refuse('401'), 'LOGGED_OUT', REMOVED, 0, 'link again'],
  [
    'the login is refused with 402',
    (numberId: string) => world.network.refuse(numberId, { reason: '402', code: '101', expireSeconds: 3600 }),
    'BLOCKED',
    'WhatsApp has banned this number for a while for sending too many messages to people who do not have',
    0,
    'the end of the ban',
  ],
  ['the login is refused with 403', refuse('403'), 'BLOCKED', causeText({ code: 'locked' }), 0, 'link again'],
  ['the login is refused with 405', refuse('405'), 'BLOCKED', OUTDATED, 0, 'use here'],
  ['the login is refused with 406', refuse('406'), 'BLOCKED', causeText({ code: 'banned' }), 0, 'link again'],
  ['the login is refused with 409', refuse('409'), 'BLOCKED', OUTDATED, 0, 'use here'],
  [
    'the stream ends with 516',
    (numberId: string) => world.network.endStream(numberId, '516'),
    'LOGGED_OUT',
    REMOVED,
    1,
    'link again',
  ],
  [
    'the stream ends with 516, and the wipe hangs',
    (numberId: string) => world.network.endStream(numberId, '516', { wipeHangs: true }),
    'LOGGED_OUT',
    REMOVED,
    1,
    'link again',
  ],
  [
    'another page takes its place',
    (numberId: string) => world.network.endStream(numberId, 'replaced'),
    'CONFLICT',
    'WhatsApp Web was opened elsewhere with this number. Choose "Use here" to take it back',
    0,
    'use here',
  ],
  [
    'the device is removed',
    (numberId: string) => world.network.unlink(numberId),
    'LOGGED_OUT',
    REMOVED,
    0,
    'link again',
  ],
].map(([what, play, shown, words, restarts, then]) => ({
  ...{ what, play, status: shown, sentence: words, restarts, then },
})) as Row[];

describe('a connected number, when', () => {
  const numbers = new Map<Row, Linked>();
  const numberOf = (row: Row) => numbers.get(row) as Linked;
  beforeAll(async () => {
    Object.assign(world.network.times, { wipedMs: 200, reconnectingMs: 20 });
    for (const row of ROWS) numbers.set(row, await world.addLinkedNumber());
    for (const row of ROWS) row.play(numberOf(row).numberId);
  });
  afterAll(() => Object.assign(world.network.times, ENGINE_TIMES));
  const cases = ROWS.map((row) => [row.what, row] as const);

  test.each(cases)('%s: shows its state and why, and its browser is closed', async (_, row) => {
    const number = numberOf(row);
    await world.untilStatus(number.numberId, row.status);
    await until(() => !world.network.isOpen(number.numberId));
    expect(await world.statusFor(number.key)).toEqual({
      instance: number.numberId,
      phoneNumber: number.phone,
      status: row.status,
      connected: false,
    });
    expect(await seen(number.numberId)).toMatchObject({ status: row.status });
    expect((await world.sentenceOf(number.numberId)).slice(0, row.sentence.length)).toBe(row.sentence);
    expect(world.opens(number.numberId)).toBe(1 + row.restarts);
  });

  test('none of them is started again, not even by another worker', async () => {
    await world.restartWorker();
    await world.addLinkedNumber(); // afterwards the worker has started every number that it may start
    for (const row of ROWS) {
      const { numberId } = numberOf(row);
      expect([row.what, world.opens(numberId)]).toEqual([row.what, 1 + row.restarts]);
      expect([row.what, await world.statusOf(numberId)]).toEqual([row.what, row.status]);
    }
  });

  test.each(cases)('%s: recovers by the step that its sentence names', async (_, row) => {
    const { numberId, phone } = numberOf(row);
    world.network.accept(numberId);
    if (row.then === 'use here') await takeBack(world, { numberId });
    else if (row.then === 'the end of the ban')
      await world.database.sql`update numbers set blocked_until = clock_timestamp() where id = ${numberId}`;
    else {
      await openLinking(world, { numberId });
      await until(() => world.network.isOpen(numberId));
      world.network.scan(numberId, phone);
    }
    await world.untilStatus(numberId, 'CONNECTED');
    expect(world.opens(numberId)).toBe(2 + row.restarts);
  });
});

describe('a login that is refused for now', () => {
  test.each([
    ['400', 'WhatsApp’s server refuses the connection right now (400).'],
    ['418', 'WhatsApp’s server refuses the connection right now (418).'],
    ['500', 'WhatsApp’s server refuses the connection right now (500).'],
    ['501', 'WhatsApp’s server refuses the connection right now (501).'],
    ['503', 'WhatsApp’s service is unavailable right now (503).'],
  ])(
    '%s: the reason is shown, its page recovers, and it is back in the same session',
    async (reason, words) => {
      const number = await world.addLinkedNumber();
      refuse(reason)(number.numberId);
      await world.untilStatus(number.numberId, 'RECONNECTING');
      expect((await world.sentenceOf(number.numberId)).slice(0, words.length)).toBe(words);
      expect(await world.statusFor(number.key)).toMatchObject({ status: 'RECONNECTING', connected: false });
      world.network.accept(number.numberId);
      await world.untilStatus(number.numberId, 'CONNECTED');
      expect(world.opens(number.numberId)).toBe(1);
    },
  );

  test('for 10 minutes: is abandoned and started again, after delays that grow up to 15 minutes, with its code all the time', async () => {
    expect([ENGINE_TIMES.refusedMs, RESTART_PAUSE_MS_MAX]).toEqual([10 * 60_000, 15 * 60_000]);
    world.network.times.refusedMs = 50;
    const { numberId } = await world.addLinkedNumber();
    const began = performance.now();
    refuse('418')(numberId);
    const at: number[] = [];
    for (const times of [2, 3]) {
      await until(async () => world.opens(numberId) === times);
      at.push(performance.now());
      expect(await world.statusOf(numberId)).toBe('RECONNECTING');
      expect(await world.sentenceOf(numberId)).toMatch(/\(418\)/);
    }
    world.network.times.refusedMs = ENGINE_TIMES.refusedMs;
    const [first = 0, second = 0] = at;
    expect(first - began).toBeGreaterThan(500);
    expect(second - first).toBeGreaterThan(1000);
    world.network.accept(numberId);
    await world.untilStatus(numberId, 'CONNECTED');
  });

  test('503 for 10 minutes: no number is started for another 10', async () => {
    expect(ENGINE_TIMES.unavailableMs).toBe(10 * 60_000);
    Object.assign(world.network.times, { refusedMs: 50, unavailableMs: 4000 });
    const [one, two] = [await world.addLinkedNumber(), await world.addLinkedNumber()];
    refuse('503')(one.numberId);
    await until(() => !world.network.isOpen(one.numberId));
    const closedAt = performance.now();
    expect(await world.statusOf(one.numberId)).toBe('RECONNECTING');
    expect(await world.sentenceOf(one.numberId)).toMatch(
      /^WhatsApp’s service is unavailable right now \(503\)\./,
    );
    world.network.accept(one.numberId);
    world.network.kill(two.numberId);
    await world.untilStatus(two.numberId, 'RECONNECTING');
    await Promise.all([one, two].map(({ numberId }) => world.untilStatus(numberId, 'CONNECTED')));
    expect(performance.now() - closedAt).toBeGreaterThan(3500);
    Object.assign(world.network.times, ENGINE_TIMES);
  });
});

describe('“Try again” on a number whose link WhatsApp has ended', () => {
  test.each([
    ['403', causeText({ code: 'locked' })],
    ['406', causeText({ code: 'banned' })],
  ])(
    'after %s: no browser starts, the reason stays visible, and a new link is requested',
    async (reason, words) => {
      const { numberId } = await world.addLinkedNumber();
      refuse(reason)(numberId);
      await world.untilStatus(numberId, 'BLOCKED');
      await takeBack(world, { numberId });
      expect(await world.statusOf(numberId)).toBe('LOGGED_OUT');
      expect(await world.sentenceOf(numberId)).toMatch(
        new RegExp(`^${words} New messages are refused \\(409\\)`),
      );
      expect(words).toMatch(/link it again/i);
      expect(world.opens(numberId)).toBe(1);
    },
  );
});

test('a check that WhatsApp requests after login changes no state: messages are sent, and the health card and an alert name it', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  const { db } = world.database;
  const goesOn = async () => {
    await world.untilStatus(numberId, 'CONNECTED');
    await until(
      async () =>
        (await numberHealth({ database: { db }, ...ref(numberId) }, ref(numberId))).checkpoint === 'PASSKEY',
    );
    expect(await numberHealth({ database: { db }, ...ref(numberId) }, ref(numberId))).toMatchObject({
      level: 'watch',
      sentence: expect.stringMatching(/asks for a check with a passkey.*Messages are still sent/),
      todo: expect.stringMatching(/on the phone.*Do not unlink/),
    });
    expect(await world.text(key, '491700000001', 'continues')).toMatchObject({ message: { status: 'sent' } });
  };
  world.network.restrict(numberId, { checkpoint: 'PASSKEY' });
  await goesOn();
  const alerts = await health.find?.(world.database.db, { now: new Date(), today: '' });
  expect(alerts?.filter((alert) => alert.numberId === numberId)).toMatchObject([
    { facts: { limit: null, checkpoint: 'PASSKEY', until: null } },
  ]);

  world.network.kill(numberId);
  await world.untilStatus(numberId, 'RECONNECTING');
  await goesOn();
  expect(world.opens(numberId)).toBe(2);
});

test.each([
  null,
  'user_initiated',
  'primary_identity_key_change',
  'history_sync_timeout',
  'missing_enc_salt',
  'client_version_outdated',
  'lid_migration_no_lid_available',
])(
  'a logout for the reason %s is reported with its sentence, never as reconnecting, and the session is not started again',
  async (reason) => {
    const { numberId } = await world.addLinkedNumber();
    world.network.unlink(numberId, reason);
    await world.untilStatus(numberId, 'LOGGED_OUT');
    const [last, before] = await numberHistory(world, { numberId });
    expect([before?.status, last?.status]).toEqual(['CONNECTED', 'LOGGED_OUT']);
    expect(await world.sentenceOf(numberId)).toContain(
      `${causeText({ code: 'logged_out', reason })} Link it again.`,
    );
    await until(() => !world.network.isOpen(numberId));
  },
);

describe('a number that was unlinked here', () => {
  test('while WhatsApp was unreachable says where to remove the device', async () => {
    const { numberId } = await world.addLinkedNumber();
    world.network.mute.add(numberId);
    await unlinkNumber(world, { numberId });
    await until(async () => (await seen(numberId)).cause?.code === 'unlink_unconfirmed');
    expect(await world.sentenceOf(numberId)).toContain(
      'remove this device on the phone, under Linked devices',
    );
    await until(() => !world.network.isOpen(numberId));
  });

  test('with confirmation does not ask to remove the device', async () => {
    const { numberId } = await world.addLinkedNumber();
    await unlinkNumber(world, { numberId });
    await until(() => !world.network.isOpen(numberId));
    expect(await world.sentenceOf(numberId)).toMatch(
      /^No phone is linked right now\. Link it again to continue\./,
    );
  });
});

test('a number whose connection ends three times within an hour without a visible reason is not started again', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  for (const opens of [2, 3]) {
    world.network.kill(numberId, { unseen: true });
    await until(() => world.opens(numberId) === opens);
    await world.untilStatus(numberId, 'CONNECTED');
    expect((await world.text(key, '491700000001', 'between two ends')).message.status).toBe('sent');
  }
  world.network.kill(numberId, { unseen: true });
  await world.untilStatus(numberId, 'CONFLICT');
  expect(await world.sentenceOf(numberId)).toContain(causeText({ code: 'unseen_ends' }));
  await until(() => !world.network.isOpen(numberId));
  await world.addLinkedNumber(); // afterwards the worker has started every number that it may start
  expect(world.opens(numberId)).toBe(3);
});

test('a session that a newer browser stored says so, is not logged out, and connects with a newer browser', async () => {
  const { numberId, key } = await world.addLinkedNumber();
  const { startErrors } = world.network;
  startErrors.set(numberId, new OlderBrowserError('140.0.1.1', '141.0.1.1'));
  world.network.kill(numberId);
  await until(async () => (await seen(numberId)).cause?.code === 'browser_older');
  expect(await world.statusFor(key)).toMatchObject({ status: 'RECONNECTING', connected: false });
  await until(() => world.opens(numberId) >= 3); // it is tried again
  expect(await world.statusOf(numberId)).toBe('RECONNECTING');
  startErrors.delete(numberId);
  await world.untilStatus(numberId, 'CONNECTED');
});
