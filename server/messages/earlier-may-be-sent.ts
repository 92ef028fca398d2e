import { isCertainlyNotSent } from '#server/core/message-state.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { findByIdempotencyKey } from './queries/admission.ts';

/** Whether an earlier request with this Idempotency-Key made a message that was or may still be sent. */
export async function earlierMayBeSent(
  { database, numberId }: NumberScope,
  { idempotencyKey }: { idempotencyKey: string },
): Promise<boolean> {
  const earlier = await findByIdempotencyKey(database.sql, { numberId, idempotencyKey });
  return earlier !== null && !isCertainlyNotSent(earlier.status);
}
