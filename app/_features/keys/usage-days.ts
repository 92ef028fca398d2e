/** Whose usage: all of it, or `number <id>`, or `key <id>`. */
export type Of = 'all' | `number ${string}` | `key ${string}`;

export interface DayUsage {
  /** `YYYY-MM-DD` */
  day: string;
  sent: number;
  failed: number;
  refused: number;
}

const DAYS = 7;

/** The last 7 days up to `now` in the account's zone, newest first; a day without usage has zeros. */
export function daysOf(
  {
    timeZone,
    rows,
  }: { timeZone: string; rows: readonly (DayUsage & { keyId: string | null; numberId: string | null })[] },
  of: Of,
  now: Date,
): DayUsage[] {
  const own = rows.filter(
    ({ keyId, numberId }) => of === 'all' || of === `number ${numberId}` || of === `key ${keyId}`,
  );
  // Swedish dates are ISO dates.
  const today = new Date(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now));
  return Array.from({ length: DAYS }, (_, ago) => {
    const day = new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    const total = { day, sent: 0, failed: 0, refused: 0 };
    for (const row of own)
      if (row.day === day) {
        total.sent += row.sent;
        total.failed += row.failed;
        total.refused += row.refused;
      }
    return total;
  });
}
