import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addDays, dateIn } from '#server/core/access.ts';
import type { AlertKind } from '#server/core/alerts.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { decideWaited } from '#server/numbers/decide-waited.ts';
import { writeLimits } from '#server/numbers/queries/number-health.ts';
import { writeLinked, writeStatus } from '#server/numbers/queries/sessions.ts';
import { resumeNumber, suspendNumber } from '#server/numbers/suspend-number.ts';
import { writeKinds } from '#server/operations/queries/build-kinds.ts';
import { writeNumberBuild } from '#server/operations/queries/page-builds.ts';
import { writeProcess } from '#server/operations/queries/processes.ts';
import { writeWorker } from '#server/operations/queries/workers.ts';
import { activatePlan, deactivatePlan } from '#server/plans/activate-plan.ts';
import { requestPlan } from '#server/plans/request-plan.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import { settings } from '#server/settings.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { changeEndpoint, createEndpoint, rotateSecret } from '#server/webhooks/endpoints.ts';
import { ALERT_KINDS, KINDS } from './alert-kinds.ts';
import { listAlerts } from './list-alerts.ts';
import { raiseAlerts } from './raise-alerts.ts';

const database = testDatabase();
let of: Awaited<ReturnType<typeof makeLinked>>;

beforeAll(async () => {
  const { userId } = await makeAccount(database, 0);
  await database.sql`update users set admin = true where id = ${userId}`;
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1, pidSpace: 'here' });
  of = await makeLinked();
});
beforeEach(async () => {
  await database.sql`update accounts set suspended_at = clock_timestamp()`;
  await database.sql`delete from alerts`;
  of = await makeLinked();
});

async function makeLinked() {
  const account = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId: account.accountId, label: 'Shop' });
  const holding = await linkAsWorker(database, { numberId });
  return { ...account, numberId, holding, context: { database, accountId: account.accountId, actor: CLI } };
}
type Status = Parameters<typeof writeStatus>[2]['status'];
const become = (holding: Holding, status: Status, cause: Cause | null = null) =>
  writeStatus(database, holding, { status, cause });

/**
 * The kinds of all alerts, oldest first: `logged_out` while its state lasts, `logged_out over` then; events as
 * they are.
 */
async function alerts(now?: Date): Promise<string[]> {
  await raiseAlerts({ database }, now ? { now } : {});
  const rows = await database.sql<{ kind: AlertKind; ended: boolean }[]>`
    select kind, ended_at is not null as ended from alerts order by created_at, id`;
  return rows.map(({ kind, ended }) => (KINDS[kind].lasts && ended ? `${kind} over` : kind));
}
const seen = new Set<string>();
/** Checks that `kind` is raised, lasts, and is over after `end`, with the alerts `then`. */
async function ends(kind: AlertKind, end: () => Promise<unknown>, then: string[] = []) {
  expect(await alerts()).toEqual([kind]);
  expect(await alerts()).toEqual([kind]);
  await end();
  expect(await alerts()).toEqual([`${kind} over`, ...then]);
  expect(await alerts()).toEqual([`${kind} over`, ...then]);
  seen.add(kind);
}
const minutesPass = (minutes: number) =>
  database.sql`update number_events set at = at - ${minutes} * interval '1 minute' where number_id = ${of.numberId}`;

test.each([
  ['LOGGED_OUT', 'logged_out'],
  ['BLOCKED', 'blocked'],
  ['CONFLICT', 'conflict'],
] as const)('the alert about %s is over when the number connects', async (status, kind) => {
  await become(of.holding, status, { code: 'link_gone' });
  await ends(kind, () => become(of.holding, 'CONNECTED'));
});

test('it is over when the owner unlinks or removes the number, without a recovery', async () => {
  await become(of.holding, 'LOGGED_OUT', { code: 'link_gone' });
  await ends('logged_out', () => become(of.holding, 'UNLINKED', { code: 'unlinked' }));
  const other = await makeLinked();
  await become(other.holding, 'BLOCKED', { code: 'link_gone' });
  expect(await alerts()).toEqual(['logged_out over', 'blocked']);
  await database.sql`update numbers set removed_at = clock_timestamp() where id = ${other.numberId}`;
  expect(await alerts()).toEqual(['logged_out over', 'blocked over']);
});

test('an alert about another state of the same number takes its place', async () => {
  await become(of.holding, 'CONFLICT', { code: 'link_gone' });
  const other = async () => {
    await become(of.holding, 'LOGGED_OUT', { code: 'link_gone' });
    await raiseAlerts({ database });
  };
  await ends('conflict', other, ['logged_out']);
});

test('the alert about a lost connection is over when the number connects', async () => {
  await database.sql`update processes set seen_at = clock_timestamp(), created_at = clock_timestamp() - interval '1 hour'`;
  await become(of.holding, 'RECONNECTING');
  await minutesPass(11);
  await ends('disconnected', () => become(of.holding, 'CONNECTED'));
});

test('the alert about a suspension is over when the number is resumed, with an alert that says so', async () => {
  await suspendNumber(of.context, { numberId: of.numberId, reason: 'Complaints.' });
  await ends('suspended', () => resumeNumber(of.context, { numberId: of.numberId }), ['resumed']);
});

test('the alert about a restriction is over when WhatsApp lifts it or its time has passed, with an alert that says so', async () => {
  const limits = (kind: string | null, until: number) =>
    writeLimits(database, of.holding, {
      ...{ timelock: kind === null ? null : { kind, until }, cap: null, checkpoint: null },
    });
  await limits('DEFAULT', Date.now() + 3_600_000);
  await ends('health', () => limits(null, 0), ['unrestricted']);
  await limits('DEFAULT', Date.now() + 3_600_000);
  expect((await alerts()).at(-1)).toBe('health');
  await database.sql`update number_health set timelock_until = clock_timestamp() - interval '1 second'`;
  expect((await alerts()).slice(2)).toEqual(['health over', 'unrestricted']);
});

test('the alert about messages that need a decision is over when nothing waits for it', async () => {
  await become(of.holding, 'LOGGED_OUT', { code: 'link_gone' });
  await queueMessage(database, of);
  await database.sql`update numbers set intent = 'link' where id = ${of.numberId}`;
  await writeLinked(database, of.holding, { phone: '4915228810000' });
  await become(of.holding, 'CONNECTED');
  await ends('to_decide', () => decideWaited(of.context, { numberId: of.numberId, send: false }));
});

test('the alert about failed messages is over with the next sent one', async () => {
  const send = async (status: string) => {
    const id = await queueMessage(database, of);
    await database.sql`update messages set status = 'sending', dispatched_at = clock_timestamp() where id = ${id}`;
    await database.sql`update messages set status = ${status} where id = ${id}`;
  };
  for (let n = 0; n < 5; n += 1) await send('failed');
  await ends('failures', () => send('sent'));
});

test('the alert about a number that sends nothing is over with the next sent message', async () => {
  await become(of.holding, 'RECONNECTING', { code: 'not_sending' });
  await become(of.holding, 'CONNECTED');
  await ends('not_sending', async () => {
    const id = await queueMessage(database, of);
    await database.sql`update messages set status = 'sending', dispatched_at = clock_timestamp() where id = ${id}`;
    await database.sql`update messages set status = 'sent' where id = ${id}`;
  });
});

test('the alert about a build is over when no number is blocked by it', async () => {
  await become(of.holding, 'BLOCKED', {
    code: 'build_changed',
    build: '2.3000.7',
    what: 'messages do not pass the gate',
  });
  await ends('build_changed', () => become(of.holding, 'CONNECTED'));
});

test('the alert about kinds that fail on a build is over when a test passes, or when no number runs the build', async () => {
  const version = '2.3000.9';
  const found = (failedCheck: string | null) =>
    writeKinds(
      database.db,
      { network: 'sandbox', holding: of.holding },
      { version, found: [{ kind: 'image', failedCheck }] },
    );
  await found('its file cannot be prepared');
  await writeNumberBuild(database.db, of.holding, { version, kept: false });
  // The time until its next test does not end it.
  await database.sql`update page_build_kinds set tested_at = tested_at - interval '11 minutes'`;
  await ends('kinds_failing', () => found(null));
  await database.sql`delete from alerts`;
  await found('its file cannot be prepared');
  await ends('kinds_failing', () =>
    writeNumberBuild(database.db, of.holding, { version: '2.3000.10', kept: false }),
  );
  await database.sql`delete from page_builds`;
});

test('the alert about a build that is not used is over when a newer one works', async () => {
  const build = (version: string, verdict: string, firstSeen: string) => database.sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at, verdict, failed_check, tested_at, proven_at, document)
    values ('sandbox', ${version}, ${firstSeen}, clock_timestamp(), ${verdict}, 'the gate', clock_timestamp(),
      clock_timestamp(), 'document')`;
  await build('2.3000.1', 'passed', '2026-01-01');
  await build('2.3000.2', 'failed', '2026-01-02');
  await ends('build_changed', () => build('2.3000.3', 'passed', '2026-01-03'));
  await database.sql`delete from page_builds`;
});

test('the alerts about a disk are over at its next level', async () => {
  const sign = (mediaRefused: boolean, sessionsStopped: boolean) =>
    writeWorker(database, {
      ...{ id: 'wrk_disk', host: 'here', pid: 1, pidSpace: 'here', version: '1', volumeId: 'vol_disk' },
      ...{ memoryBytes: null, draining: false },
      disk: { mediaRefused, sessionsStopped, note: null },
    });
  await sign(true, false);
  await raiseAlerts({ database });
  await sign(true, true);
  await raiseAlerts({ database });
  expect(await alerts()).toEqual(['disk_low over', 'disk_full']);
  await sign(false, false);
  await raiseAlerts({ database });
  expect(await alerts()).toEqual(['disk_low over', 'disk_full over', 'disk_recovered']);
  for (const kind of ['disk_low', 'disk_full']) seen.add(kind);
  await database.sql`delete from processes where id = 'wrk_disk'`;
});

test('the alert about a webhook endpoint is over when the endpoint is switched on again', async () => {
  const { id } = await createEndpoint(of.context, { numberId: of.numberId, url: 'https://example.com/' });
  await database.sql`
    update webhook_endpoints set active = false, disabled_reason = 'gone', disabled_at = clock_timestamp() where id = ${id}`;
  await ends('webhook_off', () => changeEndpoint(of.context, { endpointId: id }, { active: true }));
});

test('the alert about a webhook endpoint whose secret cannot be read is over when the secret is rotated', async () => {
  const { id } = await createEndpoint(of.context, { numberId: of.numberId, url: 'https://example.com/' });
  await database.sql`update webhook_endpoints set unsigned_since = clock_timestamp() where id = ${id}`;
  await ends('webhook_unsigned', () => rotateSecret(of.context, { endpointId: id }));
});

const refuse = (count: number, errorCode: string | null = 'not_connected') =>
  insertRequests(
    database,
    Array.from({ length: count }, () => ({
      ...{
        accountId: of.accountId,
        numberId: of.numberId,
        keyId: null,
        at: new Date(),
        endpoint: 'POST /messages/text',
      },
      ...{ status: 409, errorCode, requestId: 'r', durationMs: 1, messageId: null, reference: null },
      ...{ body: null, answer: null },
    })),
  );
const requestsPass = (count: number) => database.sql`
  update requests set at = at - interval '11 minutes' where id in (
    select id from requests where number_id = ${of.numberId} and error_code is not null
      and at > clock_timestamp() - interval '10 minutes' order by id limit ${count})`;

test('the alert about refused requests is over when half as many are refused, and is raised again for the next series', async () => {
  const most = settings.refusedAlert;
  const half = Math.floor(most / 2);
  await refuse(3, null);
  await refuse(most + 1);
  expect(await alerts()).toEqual(['requests_refused']);
  // Fewer, but more than half as many.
  await requestsPass(most - half);
  await ends('requests_refused', () => requestsPass(1), ['requests_accepted']);
  const { alerts: listed } = await listAlerts({ database, ...of });
  expect(listed[0]?.what).toMatch(
    new RegExp(`^In the 10 minutes up to \\d\\d:\\d\\d UTC: ${half} refused, 3 accepted\\.`),
  );
  expect(listed[1]).toMatchObject({ open: false, overAt: expect.any(Date) });
  await refuse(most);
  expect(await alerts()).toEqual(['requests_refused over', 'requests_accepted', 'requests_refused']);
});

test('the alerts about a plan’s end are over when it is paid', async () => {
  const today = dateIn(settings.timeZone, new Date());
  const paidUntil = (day: string) =>
    activatePlan(of.context, { numbersIncluded: 3, paidUntil: day }).then(
      () => database.sql`delete from payments`,
    );
  const due = (day: string) =>
    database.sql`update subscriptions set paid_until = ${day} where account_id = ${of.accountId}`;
  await database.sql`delete from payments`;
  await due(addDays(today, 5));
  await ends('plan_7_days', () => paidUntil(addDays(today, 60)));
  await database.sql`delete from alerts`;
  await due(addDays(today, 1));
  await ends('plan_1_day', () => due(addDays(today, -1)), ['plan_grace']);
  await paidUntil(addDays(today, 61));
  expect(await alerts()).toEqual(['plan_1_day over', 'plan_grace over']);
  await database.sql`delete from alerts`;
  await deactivatePlan(of.context);
  await ends('plan_ended', () => paidUntil(addDays(today, 62)));
  seen.add('plan_grace');
});

test('the alert about a requested plan is over when the plan is enabled', async () => {
  const asks = await makeAccount(database, 0);
  const context = {
    database,
    accountId: asks.accountId,
    actor: { kind: 'user', userId: asks.userId, address: null } as const,
  };
  await requestPlan(context, { numbers: 2, contact: 'Ann', note: '' });
  await ends(
    'plan_requested',
    () => activatePlan({ ...context, actor: CLI }, { numbersIncluded: 2, paidUntil: '2999-12-31' }),
    ['plan_enabled'],
  );
});

test('every kind that lasts was ended above', () => {
  expect([...seen].toSorted()).toEqual(ALERT_KINDS.filter((kind) => KINDS[kind].lasts).toSorted());
});
