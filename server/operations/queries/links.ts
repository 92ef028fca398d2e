import { sql } from 'drizzle-orm';
import { type Recipient, toOf } from '#server/core/recipient.ts';
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
  /** The numbers that they wait on, those with the most first. */
  expiring: MessagesOn[];
  /** They are kept until their owner decides. */
  scheduled: number;
  numbers: NumberToLink[];
}

export interface MessagesOn extends NumberToLink {
  messages: number;
  /** Some of their recipients, as a request names them, and how many more there are. */
  to: string[];
  others: number;
}

const RECIPIENTS_MAX = 20;

export async function moveCosts(db: Db): Promise<MoveCosts> {
  const later = isScheduled('m');
  const [row] = await db.run<{ scheduled: number }>(sql`
    select count(*)::int as scheduled from messages m where m.status = 'queued' and ${later}`);
  const expiring = await messagesOn(db, sql`m.status = 'queued' and not ${later}`);
  const waiting = expiring.reduce((sum, { messages }) => sum + messages, 0);
  const numbers = await numbersWhere(
    db,
    sql`(n.intent <> 'idle' or n.status = 'LOGGED_OUT') and n.phone_number is not null`,
  );
  return { waiting, expiring, scheduled: row?.scheduled ?? 0, numbers };
}

/** The messages with these IDs, by number, those with the most first. */
export function messagesById(db: Db, ids: readonly string[]): Promise<MessagesOn[]> {
  return messagesOn(db, sql`m.id = any(${sql.param(ids)})`);
}

async function messagesOn(db: Db, condition: ReturnType<typeof sql>): Promise<MessagesOn[]> {
  const rows = await db.run<NumberToLink & { messages: number; recipients: Recipient[]; known: number }>(sql`
    select n.label, n.phone_number as "phoneNumber", a.name as account, count(*)::int as messages,
      (array_agg(distinct m.recipient))[1:${RECIPIENTS_MAX}::int] as recipients,
      count(distinct m.recipient)::int as known
    from messages m join numbers n on n.id = m.number_id join accounts a on a.id = n.account_id
    where ${condition}
    group by n.id, a.id order by count(*) desc, a.name, n.label, n.id`);
  return rows.map(({ recipients, known, label, phoneNumber, account, messages }) => ({
    ...{ label, phoneNumber, account, messages },
    ...{ to: recipients.map(toOf), others: known - recipients.length },
  }));
}

// SQL: the conditions are those of the restore, which is SQL too.
async function numbersWhere(db: Db, condition: ReturnType<typeof sql>): Promise<NumberToLink[]> {
  return db.run<NumberToLink>(sql`
    select n.label, n.phone_number as "phoneNumber", a.name as account from numbers n join accounts a on a.id = n.account_id
    where n.removed_at is null and ${condition} order by a.name, n.label, n.id`);
}
