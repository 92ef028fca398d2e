import { AppError } from '#server/core/errors.ts';
import type { AccountScope, InstallationScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { ALERT_KINDS, kindsBy, MEMBERS_ALERTS } from './alert-kinds.ts';
import { type AlertSummary, summaryOf } from './alert-view.ts';
import {
  findAlertsReadAt,
  listAlertRows,
  listAllAlertRows,
  markAlertRead,
  markAlertsRead as markAll,
} from './queries/alerts.ts';
import { countedOf } from './queries/counted.ts';

const LISTED_MAX = 50;
const COUNTED = countedOf(
  'alerts',
  kindsBy(({ counts }) => [counts]),
);

export interface AlertView extends AlertSummary {
  numberId: string | null;
  unread: boolean;
}

export interface AlertList {
  alerts: AlertView[];
  unread: number;
  /** Whether alerts are also mailed; without a mail server they appear only in this list. */
  mailed: boolean;
}

/** An account's latest alerts, newest first, as one of its members sees them. */
export async function listAlerts({
  database,
  accountId,
  userId,
}: AccountScope & { userId: string }): Promise<AlertList> {
  const member = { accountId, userId };
  const [rows, readAt] = await Promise.all([
    listAlertRows(database.db, { ...member, limit: LISTED_MAX, kinds: MEMBERS_ALERTS }, COUNTED),
    findAlertsReadAt(database.db, member),
  ]);
  const alerts = rows.map((row) => ({
    ...summaryOf({ ...row, ...row.counted }),
    numberId: row.numberId,
    unread: !row.read && readAt !== null && row.createdAt > readAt,
  }));
  return {
    alerts,
    unread: alerts.filter(({ unread }) => unread).length,
    mailed: settings.smtpUrl !== undefined,
  };
}

/** Records that a member has read one alert of the account, or all. Throws `not_found`. */
export async function markAlertsRead(
  { database, accountId, userId }: AccountScope & { userId: string },
  { alertId }: { alertId?: string | undefined },
): Promise<void> {
  if (alertId === undefined) return markAll(database.db, { accountId, userId });
  if (!(await markAlertRead(database.db, { accountId, userId, alertId })))
    throw new AppError('not_found', 'This alert no longer exists.');
}

export interface AnyAlertView extends AlertSummary {
  accountId: string;
  accountName: string;
}

/** For the administrator: the alerts of all accounts, newest first, a page of them. */
export async function listAllAlerts(
  { database: { db } }: InstallationScope,
  params: { before: string | null; limit: number },
): Promise<{ rows: AnyAlertView[]; next: string | null }> {
  const { before, limit } = params;
  const rows = await listAllAlertRows(db, { before, limit: limit + 1, kinds: ALERT_KINDS });
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row) => ({ ...summaryOf(row), accountId: row.accountId, accountName: row.accountName })),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
