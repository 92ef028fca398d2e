import type { AlertKind } from '#server/core/alert.ts';
import type { AlertWords } from '#server/core/alert-words.ts';
import type { Db } from '#server/db/client.ts';
import { settings } from '#server/settings.ts';
import { findAlertsReadAt, listAlertRows } from '#server/store/alerts.ts';
import { wordsOf } from './alert-view.ts';

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
    listAlertRows(db, { accountId: params.accountId, limit: LISTED_MAX }),
    findAlertsReadAt(db, params),
  ]);
  const alerts = rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    numberId: row.numberId,
    happenedAt: row.happenedAt,
    unread: readAt !== null && row.createdAt > readAt,
    ...wordsOf(row),
  }));
  return {
    alerts,
    unread: alerts.filter(({ unread }) => unread).length,
    mailed: settings.smtpUrl !== undefined,
  };
}
