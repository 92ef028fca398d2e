import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { PasskeyAttempt, PasskeyReply } from '#server/core/passkey.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { msFromNow, now } from '#server/platform/db/expressions.ts';
import { leases, numberLinks, numbers } from '#server/schema/index.ts';
import { leaseOf } from './leases.ts';
import { sealLinking, unsealLinking } from './linking-seal.ts';
import { itself, type NumberRef } from './numbers.ts';

export function sealPasskey(numberId: string, found: PasskeyAttempt | PasskeyAnswer): string {
  return sealLinking(numberId, JSON.stringify(found));
}

export function unsealPasskey(numberId: string, sealed: string | null): PasskeyAttempt | null {
  const text = unsealLinking(numberId, sealed);
  return text === null ? null : (JSON.parse(text) as PasskeyAttempt);
}

/** What the owner did, and about which attempt. */
interface PasskeyAnswer {
  attempt: string;
  reply: PasskeyReply;
}

/** The attempt of a linking that is still open. */
export async function findPasskey(db: Db, params: NumberRef): Promise<PasskeyAttempt | null> {
  const [row] = await db
    .select({ passkey: numberLinks.passkey })
    .from(numberLinks)
    .innerJoin(numbers, eq(numbers.id, numberLinks.numberId))
    .where(and(itself(params), sql`${numbers.linkUntil} > clock_timestamp()`));
  return unsealPasskey(params.numberId, row?.passkey ?? null);
}

/** Stores what the owner did until the worker reads it. False if the worker has not read the last reply yet. */
export async function writePasskeyReply(db: Db, params: NumberRef & PasskeyAnswer): Promise<boolean> {
  const { numberId, attempt, reply } = params;
  const rows = await db
    .update(numberLinks)
    .set({ passkeyReply: sealPasskey(numberId, { attempt, reply }), passkeyRepliedAt: now })
    .from(numbers)
    .where(and(eq(numbers.id, numberLinks.numberId), itself(params), isNull(numberLinks.passkeyReply)))
    .returning({ numberId: numberLinks.numberId });
  return rows.length > 0;
}

/** Reads what the owner did, and deletes it. */
export async function takePasskeyReply(database: Database, holding: Holding): Promise<PasskeyAnswer | null> {
  const { numberId, workerId, fence } = holding;
  // The builder returns the new values of a row, not the old ones.
  const [row] = await database.db.run<{ reply: string }>(sql`
    with taken as (
      select k.number_id, k.passkey_reply as reply from number_links k join leases l on l.number_id = k.number_id
      where k.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence} and k.passkey_reply is not null
      for no key update of k
    )
    update number_links k set passkey_reply = null, passkey_replied_at = null from taken
    where k.number_id = taken.number_id returning taken.reply`);
  const text = unsealLinking(numberId, row?.reply ?? null);
  return text === null ? null : (JSON.parse(text) as PasskeyAnswer);
}

/** Linking lasts at least this much longer. */
export async function extendLinking({ db }: Database, holding: Holding, ms: number): Promise<void> {
  await db
    .update(numbers)
    .set({ linkUntil: sql`greatest(${numbers.linkUntil}, ${msFromNow(ms)})` })
    .from(leases)
    .where(and(eq(numbers.id, leases.numberId), leaseOf(holding), eq(numbers.intent, 'link')));
}
