import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/client.ts';
import { messages, numbers } from '#server/schema/index.ts';
import { itself, type NumberRef } from './numbers.ts';

/** Is anything set aside on the number of this row? */
const someSetAside = sql`exists (select from messages m where m.number_id = ${numbers.id} and m.status = 'queued' and m.set_aside)`;

/** Holds a number, or releases it. Messages that are set aside stay so. */
export async function setHeld(db: Db, params: NumberRef & { held: boolean }): Promise<void> {
  await db
    .update(numbers)
    .set(
      params.held
        ? { heldAt: sql`coalesce(${numbers.heldAt}, clock_timestamp())`, heldToDecide: false }
        : { heldAt: sql`case when ${someSetAside} then ${numbers.heldAt} end`, heldToDecide: someSetAside },
    )
    .where(itself(params));
}

/** Sets the waiting async messages aside until the owner decides. */
export async function setAside(tx: Tx, params: NumberRef): Promise<void> {
  const own = tx.select({ id: numbers.id }).from(numbers).where(itself(params));
  await tx
    .update(messages)
    .set({ setAside: true })
    .where(and(inArray(messages.numberId, own), eq(messages.status, 'queued'), eq(messages.lane, 'async')));
  await tx
    .update(numbers)
    .set({
      heldAt: sql`coalesce(${numbers.heldAt}, clock_timestamp())`,
      heldToDecide: sql`${numbers.heldToDecide} or ${numbers.heldAt} is null`,
    })
    .where(and(itself(params), someSetAside));
}

/** Puts the messages that are set aside back to their place in the queue, and returns how many there were. */
export async function putBack(tx: Tx, params: NumberRef): Promise<number> {
  const own = tx.select({ id: numbers.id }).from(numbers).where(itself(params));
  const { rowCount } = await tx
    .update(messages)
    .set({ setAside: false })
    .where(and(inArray(messages.numberId, own), eq(messages.status, 'queued'), eq(messages.setAside, true)));
  await settleSetAside(tx, params);
  return rowCount ?? 0;
}

/** Releases a number if no message is set aside any more and its owner does not hold it. */
export async function settleSetAside(tx: Tx, params: NumberRef): Promise<void> {
  await tx
    .update(numbers)
    .set({ heldAt: null, heldToDecide: false })
    .where(and(itself(params), numbers.heldToDecide, sql`not ${someSetAside}`));
}
