import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Opened, type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import type { EngineTimes } from './times.ts';

/** Each way in which WhatsApp refuses a login or ends a link: what the session says, and whether its browser continues. */

let engine: TemporaryEngine;
let phones = 0;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

type Refuse = Omit<Parameters<TemporaryEngine['control']['refuse']>[0], 'phone'>;

const fresh = () => `4917000002${String(phones++).padStart(2, '0')}`;

/** The number that the tests share as long as its link is kept. */
let shared: { numberId: string; phone: string; profileDir: string } | undefined;
let opened: Opened | undefined;
afterEach(async () => {
  await opened?.session.stop();
  opened = undefined;
  if (!shared) return;
  await engine.control.accept({ phone: shared.phone });
  const { devices } = await engine.control.phone({ phone: shared.phone });
  if (devices === 0 || !existsSync(shared.profileDir)) shared = undefined;
});

/** A linked number without a running session. */
async function stopped() {
  if (shared) return shared;
  const phone = fresh();
  const numberId = `num_${phone}`;
  const { session, profileDir } = await engine.link(numberId, phone);
  await session.stop();
  shared = { numberId, phone, profileDir };
  return shared;
}

/** A linked number whose next login is refused. */
async function refused(refusal: Refuse, lowered: Partial<EngineTimes> = {}) {
  const { numberId, phone } = await stopped();
  await engine.control.refuse({ phone, ...refusal });
  const one = engine.open(numberId, lowered);
  opened = one;
  // The state also reports why the start ended.
  await one.session.start().catch(() => {});
  return { one, phone };
}

/**
 * A ready number whose page is disconnected and refused when it logs in again. A session that is given up during its start
 * reports no state, so a short `refusedMs` must not begin there.
 */
async function refusedLater(refusal: Refuse, lowered: Partial<EngineTimes> = {}) {
  const { numberId, phone } = await stopped();
  const one = engine.open(numberId, lowered);
  opened = one;
  await one.session.start();
  await one.events.untilState('ready');
  await engine.control.refuse({ phone, ...refusal });
  return { one };
}

const browserEnded = async (one: Opened) => {
  await one.session.stop();
  expect(engine.processes()).toEqual([]);
};
const stays = (one: Opened) => fs.access(one.profileDir);
const isGone = (one: Opened) => expect(fs.access(one.profileDir)).rejects.toThrow('ENOENT');

describe('a login that is refused', () => {
  test.each([400, 418, 500, 501, 503])(
    '%i: reported as waiting, and the same browser is ready when the server accepts',
    async (reason) => {
      const { one, phone } = await refused({ reason });
      const { cause } = await one.events.untilState('waiting');
      expect(cause).toEqual(
        reason === 503 ? { code: 'service_unavailable' } : { code: 'login_refused', status: String(reason) },
      );
      await engine.control.accept({ phone });
      expect(await one.events.untilState('ready')).toMatchObject({ phone });
      expect(one.events.states.map(({ state }) => state)).not.toContain('gone');
      await browserEnded(one);
    },
  );

  test.each([503, 500])(
    '%i, after pings of the same connection were answered: connected only once a login is accepted',
    async (reason) => {
      await engine.control.configure({ loginAnswerMs: 300 });
      const { one } = await refusedLater(
        { reason, times: 3 },
        { connectionMs: 50, reconnectingMs: 10, briefMs: 0 },
      );
      await one.events.untilState('waiting');
      await one.events.until(({ states }) => states.at(-1)?.state === 'ready' || undefined);
      const { connected } = await engine.control.phone({ phone: shared?.phone ?? '' });
      await engine.control.configure({ loginAnswerMs: 0 });
      expect(connected).toBe(1);
    },
  );

  test('405, after pings of the same connection were answered: not connected until its page loads again', async () => {
    await engine.control.configure({ loginAnswerMs: 300 });
    const { one } = await refusedLater({ reason: 405 }, { connectionMs: 50, reconnectingMs: 10, briefMs: 0 });
    await one.events.untilState('gone');
    await engine.control.configure({ loginAnswerMs: 0 });
    expect(one.events.states.filter(({ state }) => state === 'ready')).toHaveLength(1);
  });

  test('503 for too long: abandoned, with a pause before the next start', async () => {
    const { one } = await refusedLater({ reason: 503 }, { refusedMs: 500, unavailableMs: 1234 });
    expect(await one.events.untilState('gone')).toMatchObject({
      pauseMs: 1234,
      cause: { code: 'service_unavailable' },
    });
    await browserEnded(one);
    await stays(one);
  });

  test('500 for too long: abandoned, with its message', async () => {
    const { one } = await refusedLater({ reason: 500 }, { refusedMs: 500 });
    const gone = await one.events.untilState('gone');
    expect(gone.cause).toEqual({ code: 'login_refused', status: '500' });
    expect(gone.pauseMs).toBeUndefined();
    await browserEnded(one);
  });

  test('401: logged out, and nothing is kept', async () => {
    const { one } = await refused({ reason: 401 });
    expect(await one.events.untilState('logged_out')).toEqual({
      state: 'logged_out',
      reason: null,
    });
    await browserEnded(one);
    await isGone(one);
  });

  test('402: blocked with the reason and its end; the browser ends and the link is kept', async () => {
    const { one } = await refused({ reason: 402, code: '104', expire: 3600 });
    const blocked = await one.events.untilState('blocked');
    expect(blocked.cause).toMatchObject({ code: 'ban', why: '104', startsAgain: false });
    expect(Math.abs((blocked.until ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await browserEnded(one);
    await stays(one);
  });

  test.each([
    [403, 'verify the number'],
    [406, 'banned this number'],
  ])('%i: blocked until a person acts, and the invalid link is removed', async (reason, words) => {
    const { one } = await refused({ reason, header: 'Locked', subtext: 'Verify' });
    expect(await one.events.untilState('blocked')).toMatchObject({
      until: null,
      reason: expect.stringContaining(words),
    });
    await browserEnded(one);
    await isGone(one);
  });

  test.each([405, 409])(
    '%i: the third reload without a login is the last, and the link is kept',
    async (reason) => {
      const { one } = await refused({ reason });
      expect(await one.events.untilState('blocked')).toMatchObject({
        until: null,
        reason: expect.stringContaining('update Wirebird'),
      });
      await browserEnded(one);
      await stays(one);
    },
  );

  test('405 once: the reloaded page is ready', async () => {
    const { one, phone } = await refused({ reason: 405, times: 1 });
    expect(await one.events.untilState('ready')).toMatchObject({ phone });
    await browserEnded(one);
  });

  test('a ban during a connection is recognised at the next login', async () => {
    const { one } = await refusedLater({ reason: 402, code: '101', expire: 60 });
    expect(await one.events.untilState('blocked')).toMatchObject({ until: expect.any(Number) });
    await browserEnded(one);
  });
});

describe('a logout', () => {
  const inPage = async (one: Opened, reason: string) =>
    one.client().pupPage?.evaluate((given) => {
      const page = window as unknown as {
        require(name: string): { Socket: { logout(reason: string): void } };
      };
      page.require('WAWebSocketModel').Socket.logout(given);
    }, reason);

  test.each(['syncd_failure', 'missing_enc_salt', 'primary_identity_key_change', 'history_sync_timeout'])(
    'by the page, %s: its reason is kept over the reload',
    async (reason) => {
      const phone = fresh();
      const one = await engine.link(`num_${phone}`, phone);
      await inPage(one, reason);
      expect(await one.events.untilState('logged_out')).toEqual({
        state: 'logged_out',
        reason,
      });
      expect((await engine.control.phone({ phone })).devices).toBe(0);
      expect(one.events.states.filter(({ state }) => state === 'ready')).toHaveLength(1);
      await browserEnded(one);
    },
  );

  test('sends nothing more from its start, and ends after its limit even if the wipe hangs', async () => {
    await engine.control.configure({ wipeHangs: true });
    const phone = fresh();
    const one = await engine.link(`num_${phone}`, phone, { logoutMs: 1500 });
    await inPage(one, 'syncd_failure');
    await one.events.untilState('leaving');
    expect(await one.session.probe()).toBe(false);
    expect(await one.events.untilState('logged_out')).toMatchObject({ reason: 'syncd_failure' });
    await browserEnded(one);
    await engine.control.configure({ wipeHangs: false });
  });

  test('by a removal on the phone ends at once, even if the wipe hangs', async () => {
    await engine.control.configure({ wipeHangs: true });
    const phone = fresh();
    const one = await engine.link(`num_${phone}`, phone);
    await engine.control.unlink({ phone });
    expect(await one.events.untilState('logged_out')).toMatchObject({ reason: null });
    await browserEnded(one);
    await engine.control.configure({ wipeHangs: false });
  });
});

describe('the page’s own number', () => {
  test('is required: with only its hidden id the page is not ready, and becomes ready once it knows the number', async () => {
    const { numberId, phone } = await stopped();
    await engine.control.configure({ ownPnDelayMs: 1500 });
    const one = engine.open(numberId, { readyHelpMs: 300 });
    opened = one;
    await one.session.start();
    await one.events.untilState('ready');
    expect(
      one.events.states.flatMap((reported) => (reported.state === 'ready' ? [reported.phone] : [])),
    ).toEqual([phone]);
    await engine.control.configure({ ownPnDelayMs: 0 });
    await browserEnded(one);
  });
});
