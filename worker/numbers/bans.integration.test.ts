import { afterAll, beforeAll, expect, test } from 'vitest';
import { findNumberAlerts } from '#server/alerts/kinds/families/stopped-number.ts';
import { parseCause } from '#server/core/number/cause.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { takeOverSession } from '#server/numbers/take-over-session.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** Temporary bans: the number stays closed until the ban ends or a person asks, and is then started once. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const DAY_SECONDS = 86_400;
const BANNED = 'WhatsApp has banned this number for a while for sending the same message to too many people.';
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
/** How the shown reason names the end of a ban of this many days. */
const endsOn = (days: number) => `It ends on ${DATE.format(Date.now() + days * DAY_SECONDS * 1000)}`;

const ban = (numberId: string, days?: number) =>
  world.network.refuse(numberId, {
    reason: '402',
    code: '104',
    ...(days === undefined ? {} : { expireSeconds: days * DAY_SECONDS }),
  });
const endBan = (numberId: string) =>
  world.database.sql`update numbers set blocked_until = clock_timestamp() where id = ${numberId}`;
const blockedUntil = async (numberId: string) => {
  const [row] = await world.database.sql<{ at: Date | null }[]>`
    select blocked_until as at from numbers where id = ${numberId}`;
  return row?.at ?? null;
};
const untilBlocked = async (numberId: string) => {
  await world.untilStatus(numberId, 'BLOCKED');
  await until(() => !world.network.isOpen(numberId));
};
/** A linked number that is banned for this many days; without `days` the end is unknown. */
const banned = async (days?: number) => {
  const { numberId, key } = await world.addLinkedNumber();
  ban(numberId, days);
  await untilBlocked(numberId);
  return { numberId, key };
};

test('says when it ends, is not started before, not even by another worker, and is started once afterwards', async () => {
  const { numberId, key } = await banned(365);
  expect(await world.sentenceOf(numberId)).toMatch(
    new RegExp(`^${BANNED} Do not try earlier.*${endsOn(365)}`),
  );
  await expect(world.text(key, '491700000001', 'refused')).rejects.toMatchObject({
    code: 'not_connected',
    details: { numberStatus: 'BLOCKED', retryAfterSeconds: expect.any(Number) },
  });
  world.network.accept(numberId);
  await world.restartWorker();
  await world.addLinkedNumber(); // afterwards the worker has started every number that it may start
  expect(await world.statusOf(numberId)).toBe('BLOCKED');
  expect(world.opens(numberId)).toBe(1);
  expect(await blockedUntil(numberId)).not.toBeNull();

  await endBan(numberId);
  await world.untilStatus(numberId, 'CONNECTED');
  expect(world.opens(numberId)).toBe(2);
  expect(await blockedUntil(numberId)).toBeNull();
});

test('is banned again by the one attempt afterwards, and waits again', async () => {
  const { numberId } = await banned(365);
  ban(numberId, 30);
  await endBan(numberId);
  await until(async () => (await world.sentenceOf(numberId)).includes(endsOn(30)));
  await untilBlocked(numberId);
  expect(world.opens(numberId)).toBe(2);
});

test('keeps its link, so that no other is created, and starts at once on request', async () => {
  const { numberId } = await banned(365);
  await expect(openLinking(world, { numberId })).rejects.toMatchObject({ code: 'already_exists' });
  world.network.accept(numberId);
  await takeOverSession(world, { numberId });
  await world.untilStatus(numberId, 'CONNECTED');
});

test('without a known end it waits for a person', async () => {
  const { numberId } = await banned();
  expect(await world.sentenceOf(numberId)).toMatch(
    /that can make the ban longer\. New messages are refused \(409\)/,
  );
  world.network.accept(numberId);
  await world.restartWorker();
  await world.addLinkedNumber();
  expect(world.opens(numberId)).toBe(1);
  await takeOverSession(world, { numberId });
  await world.untilStatus(numberId, 'CONNECTED');
});

test('raises its own alert with the end, and none about being offline', async () => {
  const { numberId } = await banned(365);
  const found = (await findNumberAlerts(world.database.db, { disconnectedMs: 0 })).filter(
    (alert) => alert.numberId === numberId,
  );
  expect(found).toMatchObject([{ kind: 'blocked', facts: { code: 'ban' } }]);
  expect(causeText(parseCause(found[0]?.facts))).toContain(endsOn(365));
});

test('during the first linking: the end is shown, and a person tries again afterwards', async () => {
  const { numberId } = await world.addUnlinkedNumber();
  await openLinking(world, { numberId });
  await until(() => world.network.isOpen(numberId));
  ban(numberId, 30);
  world.network.scan(numberId, '999000007777');
  await untilBlocked(numberId);
  const { statusReason } = await getNumber(world, { numberId });
  expect(statusReason).toMatch(new RegExp(`^${BANNED}.*${endsOn(30)}.*; choose “Try again” then\\.$`));
  expect(await blockedUntil(numberId)).not.toBeNull();

  // The number is not linked, so the end of the ban does not start it.
  await endBan(numberId);
  world.network.accept(numberId);
  await world.addLinkedNumber();
  expect(world.opens(numberId)).toBe(1);
  await takeOverSession(world, { numberId });
  await world.untilStatus(numberId, 'CONNECTED');
});
