import type { AlertKind } from '#server/core/alert.ts';
import type { AlertWords } from '#server/core/alert-words.ts';
import type { Db } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';
import { wordsOf } from './alert-view.ts';
import { findAlertsReadAt, listAlertRows, listAllAlertRows } from './queries/alerts.ts';

const LISTED_MAX = 50;

export interface AlertView extends AlertWords {
  id: string;
  kind: AlertKind;
  numberId: string | null;
  happenedAt: Date;
  unread: boolean;
}

export interface AlertList {
  alerts: AlertView[];
  unread: number;
  /** Whether alerts are mailed as well; without a mail server they are only here. */
  mailed: boolean;
}

/** An account's latest alerts, newest first, as one of its people sees them. */
export async function listAlerts(db: Db, params: { accountId: string; userId: string }): Promise<AlertList> {
  const [rows, readAt] = await Promise.all([
    listAlertRows(db, { ...params, limit: LISTED_MAX }),
    findAlertsReadAt(db, params),
  ]);
  const alerts = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    numberId: row.numberId,
    happenedAt: row.happenedAt,
    unread: !row.read && readAt !== null && row.createdAt > readAt,
    ...wordsOf(row),
  }));
  return {
    alerts,
    unread: alerts.filter(({ unread }) => unread).length,
    mailed: settings.smtpUrl !== undefined,
  };
}

export interface AnyAlertView extends AlertWords {
  id: string;
  kind: AlertKind;
  accountId: string;
  accountName: string;
  happenedAt: Date;
}

/** For the administrator: the alerts of all accounts, newest first, a page of them. */
export async function listAllAlerts(
  db: Db,
  params: { before: string | null; limit: number },
): Promise<{ rows: AnyAlertView[]; next: string | null }> {
  const { before, limit } = params;
  const rows = await listAllAlertRows(db, { before, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row) => ({
      id: row.id,
      kind: row.kind,
      accountId: row.accountId,
      accountName: row.accountName,
      happenedAt: row.happenedAt,
      ...wordsOf(row),
    })),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
