import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { raiseAlerts } from '#server/alerts/raise-alerts.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { takeOverSession } from '#server/numbers/take-over-session.ts';
import { setTriesFirst, tryBuildAgain } from '#server/operations/page-builds.ts';
import { listBuilds } from '#server/operations/queries/page-builds.ts';
import { queueMessage } from '#server/testing/domain.ts';
import { failOnce } from '../testing/fail-once.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** Which build of WhatsApp Web each number runs, while builds appear, fail and disappear. */

let world: World;
type Linked = Awaited<ReturnType<World['addLinkedNumber']>>;
let first: Linked;
let second: Linked;

beforeAll(async () => {
  world = await startWorld();
  await world.database.sql`update users set admin = true`;
});
afterAll(() => world.stop());

/** Two numbers on build 1, which is good. */
beforeEach(async () => {
  const { network, database } = world;
  network.build = '1';
  for (const builds of [
    network.brokenBuilds,
    network.withdrawnBuilds,
    network.outdatedBuilds,
    network.deadBuilds,
  ])
    builds.clear();
  await database.sql`delete from page_builds`;
  await database.sql`delete from alerts`;
  [first, second] = [await world.addLinkedNumber(), await world.addLinkedNumber()];
  await send(first);
  await until(async () => (await build('1')).proven && (await build('1')).kept);
});
/** Stops the numbers of a test, so that they do not affect the next one. */
afterEach(async () => {
  await setTriesFirst(world, { numberId: null });
  for (const { numberId } of [first, second]) {
    await world.database
      .sql`update numbers set intent = 'idle', intent_revision = intent_revision + 1 where id = ${numberId}`;
    await until(() => !world.network.isOpen(numberId));
  }
});

const send = ({ key }: Linked) => world.text(key, '4915228817386', 'hello');
const build = async (version: string) => {
  const all = await listBuilds(world.database.db, { network: 'sandbox' });
  const found = all.find((one) => one.version === version);
  if (!found) throw new Error(`build ${version} is not known`);
  return found;
};
const runs = ({ numberId }: Linked) =>
  world.network.loads.findLast((load) => load.numberId === numberId) ?? null;
const reason = async ({ numberId }: Linked) => (await getNumber(world, { numberId })).statusReason;
const connectedOn = (number: Linked, version: string) =>
  until(
    async () => runs(number)?.version === version && (await world.statusOf(number.numberId)) === 'CONNECTED',
  );
/** The builds that the number's page loaded, in order, without the first `from` loads of all numbers. */
const loadsOf = ({ numberId }: Linked, from = 0) =>
  world.network.loads
    .slice(from)
    .filter((load) => load.numberId === numberId)
    .map(({ version, kept }) => version + (kept ? ' kept' : ''));
/** Ends the number's session and waits until it runs on this build, connected unless the build is broken. */
async function restart(number: Linked, version: string) {
  const before = loadsOf(number).length;
  world.network.kill(number.numberId);
  await until(() =>
    loadsOf(number, 0)
      .slice(before)
      .some((load) => load.startsWith(version)),
  );
  if (!world.network.brokenBuilds.has(version)) await connectedOn(number, version);
}
const alerts = async () =>
  world.database.sql<{ key: string; facts: unknown }[]>`
    select event_key as key, facts from alerts where kind = 'build_changed' order by id`;

test('a build is good and its document stored once it passed its self-test and a message was acknowledged', async () => {
  expect(await build('1')).toMatchObject({
    verdict: 'passed',
    proven: true,
    kept: true,
    tryingNumberId: null,
  });
  const rows = await world.database.sql`select page_build from messages where number_id = ${first.numberId}`;
  expect(rows).toEqual([{ page_build: '1' }]);
});

test('of two numbers that get a new build at once exactly one tries it, and the other continues on the last good one', async () => {
  world.network.build = '2';
  for (const { numberId } of [first, second]) world.network.kill(numberId);
  await until(async () =>
    [runs(first), runs(second)].every((load) => load !== null && (load.version === '2') !== load.kept),
  );
  await Promise.all([first, second].map(({ numberId }) => world.untilStatus(numberId, 'CONNECTED')));
  const on = [runs(first)?.version, runs(second)?.version].sort();
  expect(on).toEqual(['1', '2']);
  const trier = runs(first)?.version === '2' ? first : second;
  expect((await build('2')).tryingNumberId).toBe(trier.numberId);
  await send(trier);
  await until(async () => (await build('2')).proven);
  const other = trier === first ? second : first;
  await restart(other, '2');
});

const failedVerdict = async (version: string) => (await build(version)).verdict === 'failed';
/** States of both numbers since the test began. */
const blockedEvents = () => world.database.sql`
  select 1 from number_events where status = 'BLOCKED' and number_id in (${first.numberId}, ${second.numberId})`;

test('a build that fails its self-test on two numbers, twice on each, is left for good, no number is blocked, and the operator gets one alert', async () => {
  world.network.build = '2';
  world.network.brokenBuilds.set('2', 'messages do not pass the gate');
  const from = world.network.loads.length;
  world.network.kill(first.numberId);
  await until(() => failedVerdict('2'));
  await connectedOn(first, '1');
  await connectedOn(second, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '1 kept']);
  expect(loadsOf(second, from)).toEqual(['2', '2', '1 kept']);
  const events = await world.database.sql`
    select number_id, status from number_events where cause =
      '{"code": "build_replaced", "build": "2", "what": "messages do not pass the gate", "good": "1"}'`;
  expect(events.map(({ status }) => status)).toEqual(['RECONNECTING', 'RECONNECTING']);
  await restart(first, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '1 kept', '1 kept']);
  expect((await send(first)).message.status).toBe('sent');
  await raiseAlerts(world);
  await raiseAlerts(world);
  expect(await alerts()).toEqual([
    {
      key: 'build:2:older',
      facts: { code: 'build_replaced', build: '2', what: 'messages do not pass the gate', good: '1' },
    },
  ]);
  expect(await blockedEvents()).toEqual([]);
});

test('a self-test that fails once is repeated in a fresh document, and changes nothing', async () => {
  world.network.failOnce.add(first.numberId);
  const from = world.network.loads.length;
  world.network.kill(first.numberId);
  await until(() => loadsOf(first, from).length === 2);
  await connectedOn(first, '1');
  expect(loadsOf(first, from)).toEqual(['1', '1']);
  expect(await build('1')).toMatchObject({ verdict: 'passed', proven: true });
  expect(await blockedEvents()).toEqual([]);
  const failures = await world.database.sql`select 1 from page_build_failures`;
  expect(failures).toEqual([]);
});

test('a build that works on another number is not given up for the one on which it fails', async () => {
  world.network.build = '2';
  await restart(second, '2');
  await send(second);
  await until(async () => (await build('2')).proven);
  world.network.brokenBuilds.set('2', 'acknowledgements are not reported');
  const from = world.network.loads.length;
  world.network.kill(first.numberId);
  await until(() => loadsOf(first, from).length === 3);
  await connectedOn(first, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '1 kept']);
  expect(await build('2')).toMatchObject({ verdict: 'passed', proven: true });
  expect(await world.statusOf(second.numberId)).toBe('CONNECTED');
  expect(loadsOf(second, from)).toEqual([]);
  // It stays away from that build for a while.
  await restart(first, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '1 kept', '1 kept']);
});

test('a new build whose page becomes ready on neither of two numbers in three starts each fails, and numbers continue on the last good one', async () => {
  world.network.build = '2';
  world.network.deadBuilds.add('2');
  const from = world.network.loads.length;
  world.network.kill(first.numberId);
  await until(() => failedVerdict('2'));
  await connectedOn(first, '1');
  await connectedOn(second, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '2', '1 kept']);
  expect(loadsOf(second, from)).toEqual(['2', '2', '2', '1 kept']);
  expect(await build('2')).toMatchObject({ verdict: 'failed', tryingLeftMs: 0 });
  expect((await send(first)).message.status).toBe('sent');
  await raiseAlerts(world);
  expect(await alerts()).toEqual([
    {
      key: 'build:2:older',
      facts: { code: 'build_replaced', build: '2', what: 'its page does not become ready', good: '1' },
    },
  ]);
});

test('a lost start counts once, however often the database refuses to store it', async () => {
  const { sql } = world.database;
  // Each load of build 2 clears the reason, so that the lost start has one to write, which fails twice.
  await sql.unsafe(`
    create sequence tries;
    create function clear_reason() returns trigger language plpgsql as $$
    begin
      update numbers set cause = null where id = new.number_id;
      return null;
    end $$;
    create function refuse_twice() returns trigger language plpgsql as $$
    begin
      if nextval('tries') <= 2 then raise exception 'refused'; end if;
      return new;
    end $$;
    create trigger clear_reason after insert or update on number_builds for each row
      when (new.version = '2') execute function clear_reason();
    create trigger refuse_twice before update of cause on numbers for each row
      when (old.status = new.status and old.cause is null and new.cause ->> 'code' = 'page_not_started') execute function refuse_twice()`);
  const from = world.network.loads.length;
  world.network.build = '2';
  world.network.deadBuilds.add('2');
  world.network.kill(first.numberId);
  await until(async () => loadsOf(first, from).includes('1 kept'));
  await connectedOn(first, '1');
  expect(loadsOf(first, from)).toEqual(['2', '2', '2', '1 kept']);
  const [tries] = await sql<{ count: number }[]>`select last_value::int as count from tries`;
  expect(tries?.count).toBeGreaterThan(2);
  await sql.unsafe('drop function clear_reason, refuse_twice cascade; drop sequence tries');
});

test('the chosen number restarts for a new build that another number saw first, and tries it', async () => {
  await setTriesFirst(world, { numberId: second.numberId });
  world.network.build = '2';
  await restart(first, '1');
  await connectedOn(second, '2');
  expect(runs(second)?.kept).toBe(false);
  expect(loadsOf(second)).toEqual(['1', '2']);
  const reported = await world.database.sql<{ reason: string }[]>`
    select cause ->> 'code' as reason from number_events where number_id = ${second.numberId} and status = 'RECONNECTING'`;
  expect(reported).toEqual([{ reason: 'build_tested' }]);
});

test('a number that restarts for a build sends again, although the database fails while the restart is stored', async () => {
  const { sql } = world.database;
  const failing = await failOnce(sql, {
    table: 'numbers',
    when: `new.cause ->> 'code' = 'build_tested'`,
  });
  await setTriesFirst(world, { numberId: second.numberId });
  world.network.build = '2';
  await restart(first, '1');
  await until(async () => (await failing.tries()) > 0);
  await connectedOn(second, '2');
  expect((await send(second)).message.status).toBe('sent');
  await failing.remove();
});

test('a failed build is retried once on the operator’s request, on a connected number', async () => {
  world.network.build = '2';
  world.network.brokenBuilds.set('2', 'messages do not pass the gate');
  await restart(first, '2');
  await until(() => failedVerdict('2'));
  await connectedOn(first, '1');
  await connectedOn(second, '1');
  world.network.brokenBuilds.delete('2');
  await setTriesFirst(world, { numberId: second.numberId });
  await tryBuildAgain(world, { network: 'sandbox', version: '2' });
  await connectedOn(second, '2');
  expect((await send(second)).message.status).toBe('sent');
  await until(async () => (await build('2')).proven);
  await restart(first, '2');
});

test('waiting messages are sent through the last good build', async () => {
  world.network.build = '2';
  world.network.brokenBuilds.set('2', 'keys of messages read differently');
  world.network.kill(first.numberId);
  await until(async () => (await world.statusOf(first.numberId)) === 'RECONNECTING');
  await queueMessage(world.database, {
    ...first,
    accountId: world.accountId,
    recipient: '4915228817387@c.us',
  });
  await until(async () => {
    const rows = await world.database.sql<{ status: string; page_build: string }[]>`
      select status, page_build from messages where recipient = '4915228817387@c.us' and number_id = ${first.numberId}`;
    return rows[0]?.status === 'sent' && rows[0].page_build === '1';
  });
  expect(world.network.repeats).toBe(0);
});

test('a stored build that WhatsApp no longer serves is skipped: numbers start on the served one', async () => {
  world.network.build = '2';
  world.network.brokenBuilds.set('2', 'messages do not pass the gate');
  await restart(first, '1');
  world.network.withdrawnBuilds.add('1');
  world.network.kill(first.numberId);
  await world.untilStatus(first.numberId, 'BLOCKED');
  expect((await build('1')).served).toBe(false);
  expect(await reason(first)).toContain('Sending is off until Wirebird is updated.');
  await raiseAlerts(world);
  expect((await alerts()).map(({ key }) => key)).toContain('build:2');
  // The next build of the site works, so the number connects again.
  world.network.build = '3';
  await takeOverSession(world, { numberId: first.numberId });
  await connectedOn(first, '3');
});

test('a stored build that is refused as outdated is replaced by the served one', async () => {
  world.network.build = '2';
  world.network.brokenBuilds.set('2', 'messages do not pass the gate');
  await restart(first, '1');
  world.network.outdatedBuilds.add('1');
  world.network.brokenBuilds.delete('2');
  world.network.build = '3';
  world.network.kill(first.numberId);
  await connectedOn(first, '3');
  expect((await build('1')).served).toBe(false);
});

test('last-good starts on the newest good build, even if the site serves another', async () => {
  world.network.build = '2';
  await world.restartWorker('last-good');
  await connectedOn(first, '1');
  await connectedOn(second, '1');
  expect(loadsOf(first)).toEqual(['1', '1 kept']);
  await world.restartWorker('latest');
  await world.untilStatus(first.numberId, 'CONNECTED');
});

test('a pinned version is used, and one that is not stored is reported on the number', async () => {
  world.network.build = '2';
  await world.restartWorker('1');
  await connectedOn(first, '1');
  expect(runs(first)?.kept).toBe(true);
  await world.restartWorker('7');
  await until(async () => (await reason(first))?.startsWith('WHATSAPP_BUILD is 7, but') === true);
  expect(await world.statusOf(first.numberId)).toBe('RECONNECTING');
  expect(await reason(first)).toContain('Stored builds: 1.');
  await world.restartWorker('latest');
  await world.untilStatus(first.numberId, 'CONNECTED');
});
