import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { BUILD_LEFT, type KeptBuild } from '#server/core/engine.ts';
import { BROKEN_BUILDS } from '#server/sandbox/network-config.ts';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { text } from '#worker/testing/engine-message.ts';
import { processesOf } from './profile.ts';

const PHONE = '491700000081';
const BOB = '491700000002';
const ID = 'num_builds';
const OLD = '2.3000.1030000000';
const NEW = '2.3000.1030000001';

let engine: TemporaryEngine;
let kept: KeptBuild;
let opened: Opened | undefined;
beforeAll(async () => {
  // As on the real page, the socket opens about a second after the scripts have loaded.
  engine = await temporaryEngine({ socketDelayMs: 1200 });
  const { session, events } = await engine.link(ID, PHONE);
  const [seen] = events.builds;
  if (!seen?.document) throw new Error('the document was not caught');
  kept = { version: seen.version, document: seen.document };
  await session.lookUp(BOB);
  await session.stop();
});
afterAll(() => engine[Symbol.asyncDispose]());
afterEach(async () => {
  await opened?.session.stop();
  await engine.control.configure({ builds: [] });
});

const versionOf = ({ client }: Opened) =>
  client().pupPage?.evaluate(() => (window as unknown as { Debug: { VERSION: string } }).Debug.VERSION);

test('the served build is reported with its document before the login, and its self-test after it', async () => {
  await engine.control.configure({ builds: [{ version: NEW }] });
  opened = engine.open(ID);
  const { session, events } = opened;
  const seen: unknown[] = [];
  events.verdict = async () => {
    seen.push((await engine.control.phone({ phone: PHONE })).connected, [...events.states]);
    return 'stay' as const;
  };
  await session.start();
  await events.untilState('ready');
  expect(seen).toEqual([0, []]);
  expect(events.builds).toEqual([{ version: NEW, kept: false, document: expect.any(Uint8Array) }]);
  expect(String(events.builds[0]?.document)).toBe(Buffer.from(kept.document).toString().replaceAll(OLD, NEW));
  expect(events.selfTests).toEqual([{ version: NEW, failed: null, comms: 'page' }]);
});

test('each load of the page is reported with its own build', async () => {
  opened = engine.open('num_builds_unlinked');
  const { session, events, client } = opened;
  await session.start();
  await events.untilState('qr');
  await engine.control.configure({ builds: [{ version: NEW }] });
  await client().pupPage?.reload();
  expect(await events.until(({ builds }) => builds[1])).toMatchObject({ version: NEW, kept: false });
  expect(String(events.builds[1]?.document)).toContain(`data-build="${NEW}"`);
});

test('each load of the page gets the stored document, whatever the site serves', async () => {
  await engine.control.configure({ builds: [{ version: NEW, brokenBuild: 'no-send' }] });
  opened = engine.open('num_builds_unlinked', {}, kept);
  const { session, events, client } = opened;
  await session.start();
  await events.untilState('qr');
  expect(await versionOf(opened)).toBe(OLD);
  await client().pupPage?.reload();
  await events.until(({ builds }) => builds[1]);
  expect(await versionOf(opened)).toBe(OLD);
  const seen = { version: OLD, kept: true, document: null };
  expect(events.builds).toEqual([seen, seen]);
});

test('while every newer build breaks something, a session on the stored one is ready and sends', async () => {
  const builds = BROKEN_BUILDS.map((brokenBuild, n) => ({
    version: `2.3000.${1_030_000_001 + n}`,
    brokenBuild,
  }));
  await engine.control.configure({ builds });
  opened = engine.open(ID, {}, kept);
  const { session, events } = opened;
  await session.start();
  expect(await events.untilState('ready')).toMatchObject({ phone: PHONE, build: OLD });
  expect(events.selfTests).toEqual([{ version: OLD, failed: null, comms: 'page' }]);
  const message = text(`${BOB}@c.us`, 'by the kept build');
  await session.send(message);
  expect(await events.untilAck(message.waMessageId)).toBe(1);
  const inbox = await engine.control.inbox({ phone: PHONE });
  expect(inbox.map(({ id }) => id)).toEqual([message.waMessageId]);
});

test('a session that must leave its build ends before it logs in', async () => {
  // The next login at the server is refused: it must be the second session's.
  await engine.control.refuse({ phone: PHONE, reason: 500, times: 1 });
  opened = engine.open(ID);
  const { session, events, profileDir } = opened;
  events.verdict = () => 'leave';
  await expect(session.start()).rejects.toThrow(BUILD_LEFT);
  await session.stop();
  expect(events.states).toEqual([{ state: 'gone', reason: BUILD_LEFT }]);
  expect(processesOf(profileDir)).toEqual([]);

  opened = engine.open(ID);
  await opened.session.start();
  await opened.events.untilState('ready');
  const waited = opened.events.states.flatMap((reported) =>
    reported.state === 'waiting' ? [reported.cause] : [],
  );
  expect(waited).toEqual([{ code: 'login_refused', status: '500' }]);
});

test('a session without a verdict stays', async () => {
  opened = engine.open(ID, { verdictMs: 200 });
  const { session, events } = opened;
  events.verdict = () => new Promise(() => {});
  await session.start();
  expect(await events.untilState('ready')).toMatchObject({ build: OLD });
});

test('a stored build whose scripts the site has removed ends its start at once, and is not reported', async () => {
  await engine.control.configure({ builds: [{ version: OLD, withdrawn: true }, { version: NEW }] });
  opened = engine.open(ID, {}, kept);
  const { session, events, profileDir } = opened;
  await expect(session.start()).rejects.toThrow('the scripts of this build are not served any more');
  await session.stop();
  expect(events.builds).toEqual([]);
  expect(processesOf(profileDir)).toEqual([]);
});
