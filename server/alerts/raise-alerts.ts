import { addDays, dateIn, PLAN_WARN_DAYS, planState } from '#server/core/access.ts';
import { DISCONNECTED_ALERT_MS, FAILURES_IN_A_ROW } from '#server/core/alerts.ts';
import { newId } from '#server/core/id.ts';
import { isPinned } from '#server/core/page-build.ts';
import { toNumberView } from '#server/numbers/number-view.ts';
import { findNumberRows } from '#server/numbers/queries/numbers.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { runEach } from '#server/platform/db/run-each.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import { endAlerts, findEnds } from './queries/alert-ends.ts';
import { forgetAlerts, insertAlerts } from './queries/alert-mails.ts';
import {
  type FoundAlert,
  findBuildAlerts,
  findDecisions,
  findDiskAlerts,
  findFailingKinds,
  findFailureAlerts,
  findHealthAlerts,
  findNumberAlerts,
  findRefusals,
  findReplacements,
  findSilentNumbers,
  findSuspensions,
} from './queries/alert-watch.ts';
import {
  databaseNow,
  type EndingPlan,
  findCancelled,
  findPayments,
  findPlanRequests,
  listEndingPlans,
  withoutRaised,
} from './queries/plan-watch.ts';
import { findExpired, findRestore } from './queries/restore-watch.ts';
import { findSwitchedOff, findUnsigned } from './queries/webhook-watch.ts';

const GRACE_WARN_DAYS = 3;
const KEPT_DAYS = 90;
/** How many alerts one statement raises. */
const BATCH = 500;

/**
 * Ends the alerts whose state has ended, then raises new ones. Each event is reported once, however many processes
 * look for it. A look that fails does not keep the others; its error is thrown at the end. Returns how many alerts
 * were new.
 */
export async function raiseAlerts(
  { database }: InstallationContext,
  params: { now?: Date; disconnectedMs?: number } = {},
): Promise<number> {
  // A wrong clock of this process must report no plan as ended.
  const now = params.now ?? (await databaseNow(database));
  const found: FoundAlert[] = [];
  const failures = await runEach(database, looks(database, { ...params, now }), async (look) => {
    found.push(...(await look()));
  });
  let raised = 0;
  const batches = Array.from({ length: Math.ceil(found.length / BATCH) }, (_, n) =>
    found.slice(n * BATCH, (n + 1) * BATCH),
  );
  const failed = await runEach(database, batches, async (batch) => {
    raised += await raise(database, batch);
  });
  await forgetAlerts(database, { days: KEPT_DAYS });
  for (const failure of [...failures, ...failed]) throw failure;
  return raised;
}

/** Raises a batch in one statement. Returns how many of its alerts were new. */
async function raise(database: Database, batch: readonly FoundAlert[]): Promise<number> {
  const alerts = (await withMessagesNow(database, batch)).map((alert) => ({ ...alert, id: newId('alert') }));
  const made = await insertAlerts(database, alerts);
  for (const { id, kind, accountId, numberId } of alerts.filter((alert) => made.has(alert.id))) {
    metrics().alertsRaised.inc({ kind });
    log.info({ alertId: id, kind, accountId, numberId }, 'alert raised');
  }
  return made.size;
}

type Look = () => Promise<FoundAlert[]>;

/** In this order: what has ended must not keep a new alert from being raised. */
function looks(
  database: Database,
  { now, disconnectedMs = DISCONNECTED_ALERT_MS }: { now: Date; disconnectedMs?: number },
): Look[] {
  const { graceDays, timeZone, refusedAlert } = settings;
  const today = dateIn(timeZone, now);
  return [
    () => endAlerts(database, { mostRefused: refusedAlert, today, graceDays }).then(() => []),
    () => findDecisions(database),
    () => findNumberAlerts(database, { disconnectedMs }),
    () => findHealthAlerts(database),
    () => findSuspensions(database),
    () => findBuildAlerts(database, { pinned: isPinned(settings.whatsappBuild) }),
    () => findFailingKinds(database),
    () => findDiskAlerts(database),
    () => findSilentNumbers(database),
    () => findFailureAlerts(database, { inARow: FAILURES_IN_A_ROW }),
    () => findSwitchedOff(database),
    () => findUnsigned(database),
    () => findRefusals(database, { most: refusedAlert }),
    () => findEnds(database),
    () => findPayments(database, { today }),
    () => findPlanRequests(database),
    () => findCancelled(database),
    () => findExpired(database),
    () => findRestore(database),
    async () => {
      const plans = await listEndingPlans(database, { today, days: PLAN_WARN_DAYS, graceDays, timeZone });
      return withoutRaised(
        database,
        plans.flatMap((plan) => planAlert(plan, today, now) ?? []),
      );
    },
  ];
}

/**
 * Adds to alerts about numbers that are connected again what happens to new messages: a number may be held, or have
 * no plan. Also whether its phone number has changed, and what became of the messages that waited.
 */
async function withMessagesNow(
  database: Database,
  alerts: readonly FoundAlert[],
): Promise<readonly FoundAlert[]> {
  const again = alerts.filter(({ kind }) => kind === 'recovered' || kind === 'resumed');
  if (again.length === 0) return alerts;
  const numberIds = again.flatMap(({ numberId }) => numberId ?? []);
  const numbers = await findNumberRows(database.db, { numberIds });
  const replacements = await findReplacements(
    database,
    again
      .filter(({ kind }) => kind === 'recovered')
      .map(({ numberId, incident }) => ({ numberId, incident })),
  );
  const numberOf = new Map(numbers.map((number) => [number.id, number]));
  const replacementOf = new Map(replacements.map((one) => [`${one.numberId} ${one.incident}`, one]));
  return alerts.map((alert) => {
    if (!again.includes(alert)) return alert;
    const number = numberOf.get(alert.numberId ?? '');
    if (!number) return alert;
    const { access, status, held } = toNumberView(number);
    const now = { access, status, held };
    const replaced =
      alert.kind === 'recovered' ? replacementOf.get(`${alert.numberId} ${alert.incident}`) : undefined;
    if (!replaced) return { ...alert, facts: { now, phoneEnd: null } };
    const { phone, cancelled } = replaced;
    return { ...alert, facts: { now, phoneEnd: phone.slice(-4) }, cancelled };
  });
}

/** The alert about a plan on `today`; null if there is none. */
function planAlert(plan: EndingPlan, today: string, now: Date): FoundAlert | null {
  const { accountId, paidUntil, endedAt, stopsAt } = plan;
  const state = planState({ paidUntil, ended: endedAt !== null }, today, settings.graceDays);
  const alert = (kind: FoundAlert['kind'], event: string, happenedAt: Date): FoundAlert => ({
    eventKey: `plan:${accountId}:${event}:${kind}`,
    accountId,
    numberId: null,
    kind,
    incident: null,
    facts: { paidUntil },
    happenedAt,
  });
  if (endedAt) return alert('plan_ended', endedAt.toISOString(), endedAt);
  if (state === 'expired') return alert('plan_ended', paidUntil, stopsAt);
  if (state === 'grace')
    return warnsInGrace(paidUntil, today) ? alert('plan_grace', `${paidUntil}:${today}`, now) : null;
  if (state !== 'active') return null;
  return alert(paidUntil <= addDays(today, 1) ? 'plan_1_day' : 'plan_7_days', paidUntil, now);
}

/** Whether `today` is the first day of grace or one of the last ones, however long the grace is. */
function warnsInGrace(paidUntil: string, today: string): boolean {
  const last = addDays(paidUntil, settings.graceDays);
  return today === addDays(paidUntil, 1) || today > addDays(last, -GRACE_WARN_DAYS);
}
