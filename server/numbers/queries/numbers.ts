import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Cause } from '#server/core/number/cause.ts';
import { pick } from '#server/core/pick.ts';
import { isScheduled } from '#server/messages/queries/is-scheduled.ts';
import { CLOSED_UNTIL, IS_KEPT_BACK, KEPT_UNTIL } from '#server/messages/queries/new-contacts.ts';
import { FAILING_KINDS } from '#server/operations/queries/build-kinds.ts';
import { NUMBERS_BEFORE } from '#server/plans/queries/numbers-before.ts';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { leases, numberEvents, numberHealth, numbers, recipients } from '#server/schema/index.ts';
import { isStranded } from './moves.ts';
import { storedState } from './number-status.ts';

/** Makes a number with its lease row, unlinked. */
export async function insertNumber(
  db: Db,
  number: Pick<
    typeof numbers.$inferSelect,
    'id' | 'accountId' | 'network' | 'label' | 'sandboxPhone' | 'sendIntervalSeconds'
  >,
): Promise<void> {
  await db.insert(numbers).values({ ...number, protected: number.network === 'whatsapp' });
  await db.insert(leases).values({ numberId: number.id });
  await db.insert(numberEvents).values({ numberId: number.id, status: 'UNLINKED' });
}

/** Whether a number already has this virtual phone. */
export async function isSandboxPhoneTaken(db: Db, params: { sandboxPhone: string }): Promise<boolean> {
  const found = await db
    .select({ id: numbers.id })
    .from(numbers)
    .where(eq(numbers.sandboxPhone, params.sandboxPhone))
    .limit(1);
  return found.length > 0;
}

const numberRow = {
  ...pick(numbers, 'id', 'label', 'network', 'phoneNumber', 'sandboxPhone'),
  ...storedState,
  ...pick(numbers, 'cause', 'suspendedReason', 'statusSince', 'intent', 'linkUntil'),
  /** Its session is on a server that does not answer; it can be linked again without it. */
  stranded: sql<boolean>`(${numbers.status} = 'RECONNECTING' and exists (
    select from leases l join profiles p on p.number_id = l.number_id where l.number_id = ${numbers.id} and ${isStranded}))`,
  sendIntervalSeconds: numbers.sendIntervalSeconds,
  protected: numbers.protected,
  /** Held by its owner. */
  held: sql<boolean>`(${numbers.heldAt} is not null and not ${numbers.heldToDecide})`,
  replacementPhone: numbers.replacementPhone,
  firstLinkedAt: numbers.firstLinkedAt,
  /** How many of the numbers that the plan counts precede it. */
  numbersBefore: sql<number>`(select ${NUMBERS_BEFORE} from numbers n where n.id = ${numbers.id})`,
  numbersIncluded: sql<number>`coalesce((
    select s.numbers_included from subscriptions s where s.account_id = ${numbers.accountId}), 0)`,
  accountSuspended: sql<boolean>`(
    select a.suspended_at is not null from accounts a where a.id = ${numbers.accountId})`,
  /** Last day paid for; null without a plan. */
  paidUntil: sql<string | null>`(
    select s.paid_until::text from subscriptions s where s.account_id = ${numbers.accountId})`,
  planEndedAt: sql<Date | null>`(
    select s.ended_at from subscriptions s where s.account_id = ${numbers.accountId})`,
  /** By the database's clock. */
  now,
  /** It was linked while there was no plan. */
  tried: sql<boolean>`(${numbers.trialActiveAt} is not null)`,
  /** Messages that wait, including those set aside. */
  waiting: sql<number>`(
    select count(*)::int from messages m where m.number_id = ${numbers.id} and m.status = 'queued')`,
  /** Messages set aside, until its owner decides. */
  toDecide: sql<number>`(
    select count(*)::int from messages m where m.number_id = ${numbers.id} and m.status = 'queued' and m.set_aside)`,
  /** Of these, messages scheduled for later. */
  toDecideScheduled: sql<number>`(
    select count(*)::int from messages m where m.number_id = ${numbers.id} and m.status = 'queued' and m.set_aside
      and ${isScheduled('m')})`,
  /** Messages kept back because their recipients are new, and the time until the first may be sent, in ms. */
  keptBack: sql<number>`(
    select count(*)::int from messages m where m.number_id = ${numbers.id} and m.status = 'queued' and not m.set_aside
      and ${IS_KEPT_BACK})`,
  keptBackMs: sql<number | null>`(
    select (extract(epoch from min(${KEPT_UNTIL}) - clock_timestamp()) * 1000)::float8 from messages m
    where m.number_id = ${numbers.id} and m.status = 'queued' and not m.set_aside and ${IS_KEPT_BACK})`,
  scheduled: sql<number>`(
    select count(*)::int from messages m where m.number_id = ${numbers.id} and m.status = 'queued' and not m.set_aside
      and ${isScheduled('m')})`,
  /** No messages to new contacts for now. */
  closedToNew: sql<boolean>`coalesce((
    select ${CLOSED_UNTIL} > clock_timestamp() from number_health h where h.number_id = ${numbers.id}), false)`,
  /** Kinds of messages that cannot be sent on its build of WhatsApp Web; null if none fails. */
  failing: FAILING_KINDS,
  createdAt: numbers.createdAt,
};

export type NumberRow = SelectResultFields<typeof numberRow>;

/** An account's numbers, oldest first. */
export function listNumberRows(db: Db, params: { accountId: string }): Promise<NumberRow[]> {
  return db
    .select(numberRow)
    .from(numbers)
    .leftJoin(leases, eq(leases.numberId, numbers.id))
    .where(and(eq(numbers.accountId, params.accountId), isNull(numbers.removedAt)))
    .orderBy(asc(numbers.createdAt), asc(numbers.id));
}

/** A number within its account. Queries put both into their condition. */
export interface NumberRef {
  accountId: string;
  numberId: string;
}

/** One number of an account that is not removed. */
export const itself = (ref: NumberRef) =>
  and(eq(numbers.id, ref.numberId), eq(numbers.accountId, ref.accountId), isNull(numbers.removedAt));

/** One number; null when the account has none with this id, or it is removed. */
export async function findNumberRow(db: Db, params: NumberRef): Promise<NumberRow | null> {
  const [found] = await db
    .select(numberRow)
    .from(numbers)
    .leftJoin(leases, eq(leases.numberId, numbers.id))
    .where(itself(params));
  return found ?? null;
}

/** Numbers of all accounts that are not removed, for background work. */
export function findNumberRows(db: Db, params: { numberIds: readonly string[] }): Promise<NumberRow[]> {
  return db
    .select(numberRow)
    .from(numbers)
    .leftJoin(leases, eq(leases.numberId, numbers.id))
    .where(and(inArray(numbers.id, [...params.numberIds]), isNull(numbers.removedAt)));
}

/**
 * Locks a number's row until the transaction ends, so that no message is admitted. Null when there is no such
 * number. `for update` would hold up what refers to the number, such as an outcome whose message this changes next.
 */
export async function lockNumber(tx: Tx, params: NumberRef): Promise<NumberRow | null> {
  const locked = await tx.select({ id: numbers.id }).from(numbers).where(itself(params)).for('no key update');
  // Read after the lock, so that it includes what the lock's last holder wrote.
  return locked.length === 0 ? null : findNumberRow(tx, params);
}

/** Locks all numbers of an account, always in the same order. */
export async function lockNumbers(tx: Tx, params: { accountId: string }): Promise<void> {
  await tx
    .select({ id: numbers.id })
    .from(numbers)
    .where(eq(numbers.accountId, params.accountId))
    .orderBy(asc(numbers.id))
    .for('no key update');
}

/**
 * Notifies that an account changed, once for itself and once for each number: open pages refresh, and workers
 * check their queues.
 */
export async function notifyOfAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  // A union of notifications, which the builder cannot select without a table.
  await tx.run(sql`
    select pg_notify('wirebird_account_' || ${accountId}, 'account')
    union all select pg_notify('wirebird_number', id) from ${numbers} where ${numbers.accountId} = ${accountId}`);
}

/** Changes the fields of a number that its owner may change. */
export async function updateNumber(
  db: Db,
  params: NumberRef & {
    set: Partial<{
      label: string;
      sendIntervalSeconds: number;
      sandboxPhone: string;
      replacementPhone: string | null;
      cause: Cause;
    }>;
  },
): Promise<void> {
  await db.update(numbers).set(params.set).where(itself(params));
}

/** Suspends a number for a reason, or (null) ends its suspension. */
export async function setNumberSuspended(
  db: Db,
  params: NumberRef & { reason: string | null },
): Promise<void> {
  const { reason } = params;
  await db
    .update(numbers)
    .set({ suspendedAt: reason === null ? null : now, suspendedReason: reason })
    .where(itself(params));
}

/** Puts exactly these numbers of an account first among those that its plan counts. */
export async function setKept(db: Db, params: { accountId: string; numberIds: string[] }): Promise<void> {
  const kept = params.numberIds.length === 0 ? sql`false` : inArray(numbers.id, params.numberIds);
  await db
    .update(numbers)
    .set({ kept: sql`${kept}` })
    .where(eq(numbers.accountId, params.accountId));
}

/** Removes a number from its account, with its contacts. Its row stays for the keys and messages that name it. */
export async function markRemoved(db: Db, params: NumberRef): Promise<void> {
  const own = db.select({ id: numbers.id }).from(numbers).where(itself(params));
  await db.delete(recipients).where(inArray(recipients.numberId, own));
  await db.delete(numberHealth).where(inArray(numberHealth.numberId, own));
  await db.update(numbers).set({ removedAt: now }).where(itself(params));
}

/** How many other numbers use the plan: those that were ever linked or are being linked now. */
export async function countPlanPlaces(
  db: Db,
  params: { accountId: string; exceptId: string },
): Promise<number> {
  return db.$count(
    numbers,
    and(
      eq(numbers.accountId, params.accountId),
      isNull(numbers.removedAt),
      ne(numbers.id, params.exceptId),
      or(
        isNotNull(numbers.firstLinkedAt),
        // Also a phone that still loads its data after the time for linking.
        and(eq(numbers.intent, 'link'), or(gt(numbers.linkUntil, now), eq(numbers.status, 'SYNCING'))),
      ),
    ),
  );
}

/** How many of an account's numbers were never linked, so that the plan does not count them. */
export async function countNeverLinked(db: Db, params: { accountId: string }): Promise<number> {
  return db.$count(
    numbers,
    and(eq(numbers.accountId, params.accountId), isNull(numbers.removedAt), isNull(numbers.firstLinkedAt)),
  );
}
