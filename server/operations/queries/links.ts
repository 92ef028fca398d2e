import { sql } from 'drizzle-orm';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import type { Db } from '#server/platform/db/client.ts';

/** A number that somebody has to link, and the account of who has to. */
export interface NumberToLink {
  label: string;
  phoneNumber: string | null;
  account: string;
}

/** The numbers of all accounts that are logged out, as all are after a restore. */
export async function numbersToLink(db: Db): Promise<NumberToLink[]> {
  return numbersWhere(db, sql`n.status = 'LOGGED_OUT'`);
}

/** What a move costs: the links of all numbers, and the waiting messages whose time has come. */
export interface MoveCosts {
  /** They expire. */
  waiting: number;
  /** They are kept until their owner decides. */
  scheduled: number;
  numbers: NumberToLink[];
}

export async function moveCosts(db: Db): Promise<MoveCosts> {
  const later = sql.raw(isScheduled('m'));
  const { rows } = await db.execute<{ waiting: number; scheduled: number }>(sql`
    select count(*) filter (where not ${later})::int as waiting, count(*) filter (where ${later})::int as scheduled
    from messages m where m.status = 'queued'`);
  const [counts] = rows;
  const numbers = await numbersWhere(
    db,
    sql`(n.intent <> 'idle' or n.status = 'LOGGED_OUT') and n.phone_number is not null`,
  );
  return { waiting: counts?.waiting ?? 0, scheduled: counts?.scheduled ?? 0, numbers };
}

// SQL: the conditions are those of the restore, which is SQL too.
async function numbersWhere(db: Db, condition: ReturnType<typeof sql>): Promise<NumberToLink[]> {
  const { rows } = await db.execute<NumberToLink & Record<string, unknown>>(sql`
    select n.label, n.phone_number as "phoneNumber", a.name as account from numbers n join accounts a on a.id = n.account_id
    where n.removed_at is null and ${condition} order by a.name, n.label, n.id`);
  return rows.map(({ label, phoneNumber, account }) => ({ label, phoneNumber, account }));
}
