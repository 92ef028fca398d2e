import { and, count, eq, inArray, isNull, lt, not, or } from 'drizzle-orm';
import { SESSION_STOP_REASONS } from '#server/core/session-stop.ts';
import { BROWSER_FAILED_REASONS } from '#server/core/start-failed.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msAgo } from '#server/platform/db/expressions.ts';
import { numbers } from '#server/schema/index.ts';

export interface NotConnecting {
  /** How many numbers are connected. */
  connected: number;
  /** Why others do not connect, the most frequent reason first, and how many numbers it stops. */
  reasons: { reason: string; numbers: number; browser: boolean }[];
}

/** A number that reconnects for longer does not recover automatically, or WhatsApp is out of reach. */
const RECONNECTING_MS = 120_000;

/** The linked numbers of the installation that do not connect although nobody has to act for them, and why. */
export async function findNotConnecting(db: Db): Promise<NotConnecting> {
  const live = and(isNull(numbers.removedAt), isNull(numbers.suspendedAt));
  const { status, statusReason, statusSince } = numbers;
  const [connected, reasons] = await Promise.all([
    db.$count(numbers, and(live, inArray(status, ['CONNECTED', 'SYNCING']))),
    db
      .select({ reason: statusReason, numbers: count() })
      .from(numbers)
      .where(
        and(
          live,
          or(
            and(
              inArray(status, ['RECONNECTING', 'LINKING']),
              inArray(statusReason, [...BROWSER_FAILED_REASONS]),
            ),
            and(
              eq(status, 'RECONNECTING'),
              lt(statusSince, msAgo(RECONNECTING_MS)),
              not(inArray(statusReason, [...SESSION_STOP_REASONS])),
            ),
          ),
        ),
      )
      .groupBy(statusReason)
      .orderBy((row) => [row.numbers]),
  ]);
  const named = reasons.flatMap(({ reason, ...row }) =>
    reason === null ? [] : [{ reason, ...row, browser: BROWSER_FAILED_REASONS.includes(reason) }],
  );
  return { connected, reasons: named.reverse() };
}

/** Why no number of the installation can send, if the browser of the server is the cause; null otherwise. */
export async function findBrowserFailure(db: Db): Promise<string | null> {
  const { connected, reasons } = await findNotConnecting(db);
  if (connected > 0) return null;
  return reasons.find(({ browser }) => browser)?.reason ?? null;
}
