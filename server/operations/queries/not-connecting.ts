import { and, count, eq, inArray, isNull, lt, not, or, sql } from 'drizzle-orm';
import { type Cause, SESSION_STOP_CODES } from '#server/core/number/cause.ts';
import type { Db } from '#server/platform/db/client.ts';
import { msAgo } from '#server/platform/db/expressions.ts';
import { numbers } from '#server/schema/index.ts';

export interface NotConnecting {
  /** How many numbers are connected. */
  connected: number;
  /** Why others do not connect, the most frequent cause first, and how many numbers it stops. */
  causes: { cause: Cause; numbers: number }[];
}

/** A number that reconnects for longer does not recover automatically, or WhatsApp is out of reach. */
const RECONNECTING_MS = 120_000;

/** The linked numbers of the installation that do not connect although nobody has to act for them, and why. */
export async function findNotConnecting(db: Db): Promise<NotConnecting> {
  const live = and(isNull(numbers.removedAt), isNull(numbers.suspendedAt));
  const { status, cause, statusSince } = numbers;
  const code = sql`${cause} ->> 'code'`;
  const [connected, causes] = await Promise.all([
    db.$count(numbers, and(live, inArray(status, ['CONNECTED', 'SYNCING']))),
    db
      .select({ cause, numbers: count() })
      .from(numbers)
      .where(
        and(
          live,
          or(
            and(inArray(status, ['RECONNECTING', 'LINKING']), eq(code, 'browser_failed')),
            and(
              eq(status, 'RECONNECTING'),
              lt(statusSince, msAgo(RECONNECTING_MS)),
              not(inArray(code, [...SESSION_STOP_CODES])),
            ),
          ),
        ),
      )
      .groupBy(cause)
      .orderBy((row) => [row.numbers]),
  ]);
  return {
    connected,
    causes: causes.flatMap(({ cause, ...row }) => (cause ? [{ cause, ...row }] : [])).reverse(),
  };
}

/** Why no number of the installation can send, if the browser of the server is the cause; null otherwise. */
export async function findBrowserFailure(db: Db): Promise<Cause | null> {
  const { connected, causes } = await findNotConnecting(db);
  if (connected > 0) return null;
  return causes.find(({ cause }) => cause.code === 'browser_failed')?.cause ?? null;
}
