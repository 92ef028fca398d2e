import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logoutCause } from '#server/core/logout-cause.ts';
import { type NumberFacts, numberWords } from '#server/core/number-words.ts';
import { getNumber } from '#server/services/get-number.ts';
import { unlinkNumber } from '#server/services/unlink-number.ts';
import { useHere } from '#server/services/use-here.ts';
import { findNumberAlerts } from '#server/store/alert-watch.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** What a number shows, and whether it is started again, when WhatsApp refuses it or ends its link. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ref = (numberId: string) => ({ accountId: world.accountId, numberId, actor: world.actor });
const seen = async (numberId: string) => getNumber(world.database.db, ref(numberId));
const sentence = async (numberId: string) =>
  numberWords((await seen(numberId)) as NumberFacts, { since: '1 min', emptyIn: '1 min' }).sentence;

test('a number that was unlinked while WhatsApp could not be reached says where the device is to be removed', async () => {
  const { numberId } = await world.addLinkedNumber();
  world.network.mute.add(numberId);
  await unlinkNumber(world.database, ref(numberId));
  await until(async () => (await seen(numberId)).statusReason?.includes('on the phone') === true);
  expect(await sentence(numberId)).toContain('remove this device on the phone, under Linked devices');
  await until(() => !world.network.isOpen(numberId));
});

test('a number that was unlinked for certain says no such thing', async () => {
  const { numberId } = await world.addLinkedNumber();
  await unlinkNumber(world.database, ref(numberId));
  await until(() => !world.network.isOpen(numberId));
  expect(await sentence(numberId)).toMatch(/^No phone is linked right now\. Link it again to go on\./);
});

test.each([
  null,
  'user_initiated',
  'primary_identity_key_change',
  'history_sync_timeout',
  'missing_enc_salt',
])(
  'a logout for the reason %s is reported in its words, and the session is not started again',
  async (reason) => {
    const { numberId } = await world.addLinkedNumber();
    world.network.unlink(numberId, reason);
    await world.untilStatus(numberId, 'LOGGED_OUT');
    expect((await seen(numberId)).statusReason).toBe(logoutCause(reason).words);
    expect(await sentence(numberId)).toContain(`${logoutCause(reason).words} Link it again.`);
    await until(() => !world.network.isOpen(numberId));
  },
);

describe('a number that WhatsApp bans for a while', () => {
  const blockedUntil = async (numberId: string) => {
    const [row] = await world.database.sql<{ at: Date | null }[]>`
      select blocked_until as at from numbers where id = ${numberId}`;
    return row?.at ?? null;
  };
  const banned = async (untilMs: number | null) => {
    const { numberId, key } = await world.addLinkedNumber();
    world.network.block(numberId, 'WhatsApp has banned this number.', untilMs);
    await world.untilStatus(numberId, 'BLOCKED');
    await until(() => !world.network.isOpen(numberId));
    return { numberId, key };
  };
  const endBan = (numberId: string) =>
    world.database.sql`update numbers set blocked_until = clock_timestamp() where id = ${numberId}`;

  test('says until when, is not started before, not even by another worker, and is started after it', async () => {
    const { numberId, key } = await banned(Date.UTC(2999, 0, 1));
    expect(await sentence(numberId)).toMatch(/^WhatsApp has banned this number\. It ends on 1 January 2999/);
    await expect(world.text(key, '491700000001', 'refused')).rejects.toMatchObject({ code: 'not_connected' });
    await world.restartWorker();
    const other = await world.addLinkedNumber(); // by now the worker has taken up all that it may
    expect(await world.statusOf(numberId)).toBe('BLOCKED');
    expect(world.network.isOpen(numberId)).toBe(false);
    expect(await blockedUntil(numberId)).not.toBeNull();
    expect(other.numberId).not.toBe(numberId);

    await endBan(numberId);
    await world.untilStatus(numberId, 'CONNECTED');
    expect(await blockedUntil(numberId)).toBeNull();
  });

  test('is banned again by the one try after it, and waits again', async () => {
    const { numberId } = await banned(Date.UTC(2999, 0, 1));
    world.network.refuseNext(numberId, {
      state: 'blocked',
      reason: 'Banned again.',
      until: Date.UTC(2999, 5, 1),
    });
    await endBan(numberId);
    await until(
      async () => (await seen(numberId)).statusReason?.startsWith('Banned again. It ends on') === true,
    );
    await until(() => !world.network.isOpen(numberId));
    expect(await world.statusOf(numberId)).toBe('BLOCKED');
  });

  test('is started at once when a person asks', async () => {
    const { numberId } = await banned(Date.UTC(2999, 0, 1));
    await useHere(world.database, ref(numberId));
    await world.untilStatus(numberId, 'CONNECTED');
  });

  test('without a known end it waits for a person', async () => {
    const { numberId } = await banned(null);
    expect(await sentence(numberId)).toMatch(
      /^WhatsApp has banned this number\. New messages are answered 409/,
    );
    await world.restartWorker();
    await world.addLinkedNumber();
    expect(world.network.isOpen(numberId)).toBe(false);
    await useHere(world.database, ref(numberId));
    await world.untilStatus(numberId, 'CONNECTED');
  });

  test('raises an alert of its own with the end, and none about being away', async () => {
    const { numberId } = await banned(Date.UTC(2999, 0, 1));
    const found = (await findNumberAlerts(world.database, { disconnectedMs: 0 })).filter(
      (alert) => alert.numberId === numberId,
    );
    expect(found).toMatchObject([
      { kind: 'blocked', detail: expect.stringContaining('It ends on 1 January 2999') },
    ]);
  });
});

describe('a service that is unavailable', () => {
  test('holds up the start of every number, not only of the one that met it', async () => {
    const [one, two] = [await world.addLinkedNumber(), await world.addLinkedNumber()];
    world.network.kill(one.numberId, {
      words: 'WhatsApp’s service is unavailable just now (503).',
      pauseMs: 4000,
    });
    await until(async () => (await seen(one.numberId)).statusReason?.includes('(503)') === true);
    expect(await world.statusOf(one.numberId)).toBe('RECONNECTING');
    const killedAt = performance.now();
    world.network.kill(two.numberId);
    await world.untilStatus(two.numberId, 'RECONNECTING');
    await Promise.all([one, two].map(({ numberId }) => world.untilStatus(numberId, 'CONNECTED')));
    expect(performance.now() - killedAt).toBeGreaterThan(3000);
  });
});

test('a number whose login is waited for says why, and goes on in the same session', async () => {
  const { numberId } = await world.addLinkedNumber();
  world.network.lineDown(numberId, 'WhatsApp’s server refuses just now (500).');
  await world.untilStatus(numberId, 'RECONNECTING');
  expect(await sentence(numberId)).toMatch(/^WhatsApp’s server refuses just now \(500\)\./);
  expect(world.network.isOpen(numberId)).toBe(true);
  world.network.lineUp(numberId);
  await world.untilStatus(numberId, 'CONNECTED');
});
