import { type SQL, sql } from 'drizzle-orm';
import type { AlertKind } from '#server/core/alerts.ts';

/** What an alert counts of requests and messages. Each field is null or absent where that is not counted. */
export interface Counted {
  /** Requests that were refused while the number was not connected, or the plan did not work. */
  refused?: number | null;
  /** Some recipients of refused requests, how many there are, and the most frequent answer. */
  to?: string[] | null;
  recipients?: number | null;
  answer?: string | null;
  /** Messages that became unknown by the outage or restore. */
  unknown?: number | null;
  /** Messages that a plan's end, or a change of the phone number, cancelled. */
  cancelled?: number | null;
  /** Some of their recipients, and how many there are. */
  cancelledTo?: string[] | null;
  cancelledRecipients?: number | null;
}

/** Selects some fields of {@link Counted} for the alert of this alias. */
export type Count = (alias: string) => SQL;

/** The {@link Counted} of the alert of this alias, as JSON. `counts`: what is counted, and of which kinds. */
export function countedOf(alias: string, counts: ReadonlyMap<Count, readonly AlertKind[]>): SQL {
  const parts = [...counts].map(
    ([count, kinds]) => sql`case when ${sql.identifier(alias)}.kind = any(${sql.param(kinds)}) then (
      select to_jsonb(counted) from (${count(alias)}) counted) else '{}' end`,
  );
  return sql.join(parts, sql` || `);
}
