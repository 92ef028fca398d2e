import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findNumberAlerts } from '#server/alerts/kinds/families/stopped-number.ts';
import { addDays, dateIn } from '#server/core/access.ts';
import { causeText } from '#server/numbers/cause-text.ts';
import { getNumber, numberHistory } from '#server/numbers/get-number.ts';
import { unlinkNumber } from '#server/numbers/unlink-number.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { settings } from '#server/settings.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** Linked numbers of an account whose plan has ended and is not renewed. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(() => renew());

const today = dateIn(settings.timeZone, new Date());
const account = () => ({ accountId: world.accountId, actor: world.actor });
const renew = () =>
  activatePlan({ database: world.database, ...account() }, { numbersIncluded: 50, paidUntil: '2999-12-31' });
/** Ends the plan: its last day of grace was `days` days before yesterday. */
const lapse = (days: number) =>
  activatePlan(
    { database: world.database, ...account() },
    { numbersIncluded: 50, paidUntil: addDays(today, -1 - settings.graceDays - days) },
  );
const view = (numberId: string) => getNumber({ database: world.database, ...account() }, { numberId });
const untilStopped = (numberId: string) => until(async () => (await view(numberId)).sessionStop === 'plan');

test('a linked number stays connected for 14 days after the plan’s end, then stops and says why', async () => {
  const { numberId } = await world.addLinkedNumber();
  await lapse(13);
  await world.restartWorker();
  await world.untilStatus(numberId, 'CONNECTED');
  expect(await view(numberId)).toMatchObject({ sessionStop: null, statusReason: null });

  await lapse(14);
  await untilStopped(numberId);
  await until(() => !world.network.isOpen(numberId));
  expect(await view(numberId)).toMatchObject({ status: 'RECONNECTING', cause: { code: 'plan_ended' } });
  const [last] = await numberHistory({ database: world.database, ...account() }, { numberId, limit: 1 });
  expect(last).toMatchObject({ status: 'RECONNECTING', reason: causeText({ code: 'plan_ended' }) });
});

test('renewing the plan starts the number again without its phone, and it sends', async () => {
  const { numberId, key, phone } = await world.addLinkedNumber();
  await lapse(14);
  await untilStopped(numberId);
  await until(() => !world.network.isOpen(numberId));
  await renew();
  await world.untilStatus(numberId, 'CONNECTED');
  expect(await view(numberId)).toMatchObject({ phoneNumber: phone, sessionStop: null, statusReason: null });
  const { message } = await world.text(key, '491700000001', 'back again');
  expect(message.status).toBe('sent');
});

test('a plan ended by the administrator stops its numbers 14 days later', async () => {
  const { numberId } = await world.addLinkedNumber();
  await deactivatePlan({ database: world.database, ...account() });
  const endedDaysAgo = async (days: number) => {
    await world.database.sql`
      update subscriptions set ended_at = clock_timestamp() - ${days} * interval '1 day' where account_id = ${world.accountId}`;
    await world.restartWorker();
  };
  await endedDaysAgo(13);
  await world.untilStatus(numberId, 'CONNECTED');
  await endedDaysAgo(15);
  await untilStopped(numberId);
});

test('a number whose plan lapsed while no worker ran is not started, and says why', async () => {
  const { numberId } = await world.addLinkedNumber();
  await world.stopWorker();
  await lapse(14);
  await world.restartWorker();
  await untilStopped(numberId);
  expect(world.network.isOpen(numberId)).toBe(false);
});

test('a number stopped by its plan raises no alert, and the stop does not count as offline', async () => {
  const { numberId } = await world.addLinkedNumber();
  const away = async () =>
    (await findNumberAlerts(world.database.db, { disconnectedMs: 60_000 })).filter(
      (a) => a.numberId === numberId,
    );
  await world.database.sql`update processes set created_at = created_at - interval '30 days'`;
  await lapse(14);
  await untilStopped(numberId);
  await until(() => !world.network.isOpen(numberId));
  await world.database
    .sql`update number_events set at = at - interval '20 days' where number_id = ${numberId}`;
  expect(await away()).toEqual([]);
  // Renewed while no worker runs: only the time since the renewal counts.
  await world.stopWorker();
  await renew();
  await world.database.sql`update numbers set cause = null where id = ${numberId}`;
  await world.database
    .sql`insert into number_events (number_id, status) values (${numberId}, 'RECONNECTING')`;
  await world.database
    .sql`update processes set created_at = created_at - interval '30 days', seen_at = clock_timestamp()`;
  expect(await away()).toEqual([]);
  await world.restartWorker();
  await world.untilStatus(numberId, 'CONNECTED');
});

test('a number stopped by its plan can still be unlinked', async () => {
  const { numberId } = await world.addLinkedNumber();
  await lapse(14);
  await untilStopped(numberId);
  await unlinkNumber({ database: world.database, ...account() }, { numberId });
  await world.untilStatus(numberId, 'UNLINKED');
});
