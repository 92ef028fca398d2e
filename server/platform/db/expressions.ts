import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The current time on the database's clock, which all processes share. */
export const now = sql<Date>`clock_timestamp()`;

export const msFromNow = (ms: number) =>
  sql<Date>`clock_timestamp() + ${ms}::float8 * interval '1 millisecond'`;
export const msAgo = (ms: number) => sql<Date>`clock_timestamp() - ${ms}::float8 * interval '1 millisecond'`;
export const daysAgo = (days: number) => sql<Date>`clock_timestamp() - ${days}::int * interval '1 day'`;

/** How long ago a column's time is, in ms. */
export const msSince = (at: SQLWrapper) =>
  sql<number | null>`(extract(epoch from clock_timestamp() - ${at}) * 1000)::float8`;
/** How far ahead a column's time is, in ms; negative when it is past. */
export const msUntil = (at: SQLWrapper) =>
  sql<number | null>`(extract(epoch from ${at} - clock_timestamp()) * 1000)::float8`;

/** Like `inArray` with one parameter: the statement's text does not depend on the list, so it is prepared once. */
export const anyOf = (column: SQLWrapper, list: readonly string[]) =>
  sql`${column} = any(${sql.param([...list])}::text[])`;

/** How many rows there are, or how many meet a condition. */
export const countIf = (condition?: SQL) =>
  condition ? sql<number>`count(*) filter (where ${condition})::int` : sql<number>`count(*)::int`;
