import { isCertainlyNotSent } from '#server/core/message-state.ts';
import { othersMayAdmit } from '#server/operations/web-process.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { findByIdempotencyKey } from './queries/admission.ts';

/**
 * Whether an earlier request with this Idempotency-Key made a message that was or may still be sent. `ageMs`: one that came
 * before this time counts, too, if another web process may still accept it; null if none can.
 */
export async function earlierMayBeSent(
  { database, numberId }: NumberScope,
  { idempotencyKey, ageMs }: { idempotencyKey: string; ageMs: number | null },
): Promise<boolean> {
  // Before the message is looked for: what was accepted by now is found.
  if (ageMs !== null && (await othersMayAdmit({ database }, { ageMs }))) return true;
  const earlier = await findByIdempotencyKey(database.db, { numberId, idempotencyKey });
  return earlier !== null && !isCertainlyNotSent(earlier.status);
}
