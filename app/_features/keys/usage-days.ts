import { dayName } from '#app/_components/ui/time.tsx';

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

/** The last 7 days up to `now` in the viewer's zone, newest first; a day without usage has zeros. */
export function daysOf(
  rows: readonly (DayUsage & { keyId: string | null; numberId: string | null })[],
  of: Of,
  now: Date,
): DayUsage[] {
  const own = rows.filter(
    ({ keyId, numberId }) => of === 'all' || of === `number ${numberId}` || of === `key ${keyId}`,
  );
  return Array.from({ length: DAYS }, (_, ago) => {
    const day = dayName(new Date(now.getFullYear(), now.getMonth(), now.getDate() - ago));
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
