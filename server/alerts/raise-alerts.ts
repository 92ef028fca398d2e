import { sql } from 'drizzle-orm';
import { dateIn } from '#server/core/access.ts';
import { newId } from '#server/core/id.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { runEach } from '#server/platform/db/run-each.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { settings } from '#server/settings.ts';
import { ALERT_KINDS, KINDS, kindsBy } from './alert-kinds.ts';
import type { Look } from './kinds/kind.ts';
import { endAlerts, findEnds } from './queries/alert-ends.ts';
import { forgetAlerts, insertAlerts } from './queries/alert-mails.ts';
import { databaseNow, type FoundAlert } from './queries/found.ts';

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
  params: { now?: Date } = {},
): Promise<number> {
  // A wrong clock of this process must report no plan as ended.
  const now = params.now ?? (await databaseNow(database.db));
  const found: FoundAlert[] = [];
  const looks = looksFor(database, { now, today: dateIn(settings.timeZone, now) });
  const failures = await runEach(database, looks, async (look) => {
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

/** In this order: what has ended must not keep a new alert from being raised. */
function looksFor({ db }: Database, look: Look): (() => Promise<FoundAlert[]>)[] {
  return [
    async () => {
      const rules = [...LASTS].map(([lasts, kinds]) => ({ kinds, lasts: lasts(look) }));
      await endAlerts(db, rules);
      return [];
    },
    ...[...FINDS.keys()].map((find) => () => find(db, look)),
    () => findEnds(db, FOLLOW_UPS),
  ];
}

const FINDS = kindsBy(({ find }) => [find]);
const LASTS = kindsBy(({ lasts }) => [lasts]);
const FOLLOW_UPS = ALERT_KINDS.flatMap((kind) => {
  const { follows } = KINDS[kind];
  return follows ? { kind, after: follows.kind, facts: follows.facts ?? sql`null` } : [];
});

/** Raises a batch in one statement. Returns how many of its alerts were new. */
async function raise(database: Database, batch: readonly FoundAlert[]): Promise<number> {
  const alerts = (await completed(database, batch)).map((alert) => {
    const { lasts, only = null, topic, mailDelaySeconds = 0 } = KINDS[alert.kind];
    return { ...alert, id: newId('alert'), lasts: lasts !== undefined, only, topic, mailDelaySeconds };
  });
  const made = await insertAlerts(database, alerts);
  for (const { id, kind, accountId, numberId } of alerts.filter((alert) => made.has(alert.id))) {
    metrics().alertsRaised.inc({ kind });
    log.info({ alertId: id, kind, accountId, numberId }, 'alert raised');
  }
  return made.size;
}

/** With what their kinds add. */
async function completed(database: Database, batch: readonly FoundAlert[]): Promise<FoundAlert[]> {
  const all: FoundAlert[] = [];
  for (const kind of new Set(batch.map((alert) => alert.kind))) {
    const found = batch.filter((alert) => alert.kind === kind);
    all.push(...((await KINDS[kind].complete?.(database, found)) ?? found));
  }
  return all;
}
