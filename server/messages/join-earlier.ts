import type { AnswerMode } from '#server/core/answer-mode.ts';
import { AppError } from '#server/core/errors.ts';
import { isCertainlyNotSent } from '#server/core/message-state.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { webProcessId } from '#server/operations/web-process.ts';
import type { Tx } from '#server/platform/db/client.ts';
import {
  type AdmissionRow,
  type EarlierMessage,
  findByIdempotencyKey,
  releaseIdempotencyKey,
  takeOverWaiting,
  waitLonger,
} from './queries/admission.ts';

interface Repeat {
  idempotencyKey: string | null;
  requestHash: string | null;
}

/**
 * The ID of the message that an earlier, equal request made, if this one repeats it. Otherwise null, and the message that
 * had its key before, if one had it. Throws `idempotency_key_reused`.
 */
export async function findEarlier(
  tx: Tx,
  row: AdmissionRow,
  { numberId, idempotencyKey, requestHash }: Repeat & { numberId: string },
): Promise<{ id: string } | { id: null; keyTakenFrom: string | null }> {
  const none = { id: null, keyTakenFrom: null };
  if (idempotencyKey === null) return row.unansweredId === null ? none : { id: row.unansweredId };
  const earlier = await findByIdempotencyKey(tx, { numberId, idempotencyKey });
  if (earlier && !isCertainlyNotSent(earlier.status)) {
    if (earlier.requestHash === requestHash) return { id: earlier.id };
    throw reusedKey(earlier);
  }
  return { id: null, keyTakenFrom: await releaseIdempotencyKey(tx, { numberId, idempotencyKey }) };
}

/** Lets this caller wait for the message of an earlier request. Safe to repeat. */
export async function join(
  tx: Tx,
  messageId: string,
  {
    idempotencyKey,
    mode,
    deadlineMs,
  }: Pick<Repeat, 'idempotencyKey'> & { mode: AnswerMode; deadlineMs: number },
): Promise<void> {
  if (idempotencyKey === null) await takeOverWaiting(tx, { messageId, webId: webProcessId() });
  if (mode.kind !== 'sync') await waitLonger(tx, { messageId, isAsync: mode.kind === 'async', deadlineMs });
}

/** Another body under the same key: usually a retry of the same request in which a detail has changed. */
function reusedKey({ id, status }: EarlierMessage): AppError {
  return new AppError('idempotency_key_reused', OUTCOMES.idempotency_key_reused.says(id, status), {
    earlier: { id, status },
  });
}
