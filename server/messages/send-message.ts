import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { isAccepted, isSettled, type MessageStatus } from '#server/core/message-state.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { ADMISSION_WINDOW_MS, ANSWER_WITHIN_MS, syncWindowMs } from '#server/core/pacing/waits.ts';
import { webProcessId } from '#server/operations/web-process.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext, SenderContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { type Wait, waitForMessage } from '#server/platform/queue/wait-for-message.ts';
import { type AdmissionRequest, admitMessage, stopBegan } from './admission.ts';
import { answerFor, unknownOutcome } from './answer-for.ts';
import { hangUpsRecorded, trackHangUp } from './hang-ups.ts';
import {
  continueAsync,
  endWaiting,
  findMessage,
  type MessageView,
  noteAnswer,
  recordHangUp,
} from './queries/outcomes.ts';
import { requireMediaUrl } from './require-media-url.ts';
import { retryUntil } from './retry-until.ts';

export interface SendRequest extends AdmissionRequest {
  signal: AbortSignal;
  /** Called when the request joins the message of an earlier one. */
  onJoined?: () => void;
}

/** `queued`: accepted, and the outcome comes later (202). Otherwise WhatsApp's server has accepted the message. */
export interface SendResult {
  message: MessageView;
  queued: boolean;
}

/** How long after its deadline a worker that was about to claim a waiting message may still claim it. */
const EXPIRY_SLACK_MS = 250;

/**
 * Accepts a message and waits for its outcome, as its mode says. Returns for `sent` or better, and for `queued`;
 * throws every other outcome, with `messageId` if it was accepted.
 *
 * Throws what {@link admitMessage} throws, and `media_too_large`, `media_unusable`, `media_unavailable`,
 * `recipient_unknown`, `send_failed`, `send_unknown`, `deadline_passed`, `not_connected`, `hung_up`, `stopping`,
 * `unavailable`.
 */
export async function sendMessage(context: SenderContext, request: SendRequest): Promise<SendResult> {
  const { database, numberId } = context;
  requireMediaUrl(request.content);
  const waiter = { database, webId: webProcessId() };
  const own = newId('message');
  const accepted = Promise.withResolvers<string | null>();
  // Taken before this caller can hang up: its own hang-up is recorded only after its message is admitted.
  const slotLeftMs = request.arrivedAtMs + ADMISSION_WINDOW_MS - performance.now();
  const earlierHangUps = hangUpsRecorded(numberId, slotLeftMs);
  onHangUp(request.signal, () =>
    trackHangUp(numberId, noteHangUp(database, accepted.promise, hungUpAfterMs(request))),
  );
  let wait: Wait | undefined;
  try {
    if (!(await earlierHangUps)) throw new AppError('unavailable', OUTCOMES.unavailable.says.database.answer);
    wait = await waitForMessage(waiter, own);
    const { messageId, joined } = await admitMessage(context, own, request);
    accepted.resolve(messageId);
    if (joined) {
      request.onJoined?.();
      wait.release();
      wait = await waitForMessage(waiter, messageId);
    }
    const params = { numberId, messageId };
    if (request.mode.kind === 'async') {
      const message = joined
        ? await findWithRetry(database, params, request)
        : asKnown(own, request, 'queued');
      // Only a repeat can find this: its earlier message has its outcome already.
      if (isSettled(message.status))
        return { message: await answerFor({ database, numberId }, message), queued: false };
      return { message, queued: true };
    }
    return await awaitOutcome(database, params, request, wait, joined);
  } finally {
    accepted.resolve(null);
    wait?.release();
  }
}

interface MessageRef {
  numberId: string;
  messageId: string;
}

/** The view of a message without an error, made without reading its row. */
function asKnown(id: string, { recipient, content }: SendRequest, status: MessageStatus): MessageView {
  const { type } = content;
  return { id, to: recipient, type, status, errorCode: null, error: null };
}

async function awaitOutcome(
  database: Database,
  params: MessageRef,
  request: SendRequest,
  wait: Wait,
  joined: boolean,
): Promise<SendResult> {
  const { mode, arrivedAtMs, signal } = request;
  const windowMs = mode.kind === 'sync' ? syncWindowMs(mode) : ADMISSION_WINDOW_MS;
  const slotUntil = arrivedAtMs + windowMs + EXPIRY_SLACK_MS;
  const answerUntil =
    arrivedAtMs +
    (mode.kind === 'wait' ? Math.min(mode.waitSeconds * 1000, ANSWER_WITHIN_MS) : ANSWER_WITHIN_MS);
  const lookAtMessage = async () => {
    const message = await mustFind(database, params);
    const ended = isSettled(message.status)
      ? { message, settled: true }
      : await endIfDue(database, message, params, { mode, windowMs, slotUntil, answerUntil });
    if (!ended) return null;
    if (!ended.settled) return { message: ended.message, queued: true };
    return {
      message: await answerFor({ database, numberId: params.numberId }, ended.message),
      queued: false,
    };
  };
  let look = joined;
  for (;;) {
    if (look) {
      const lookUntil = Math.min(arrivedAtMs + ANSWER_WITHIN_MS, stopUntil());
      const result = await retryUntil(lookAtMessage, lookUntil, () => unknownOutcome(params.messageId));
      if (result) return result;
    }
    if (signal.aborted) throw new AppError('hung_up', OUTCOMES.hung_up.says, { messageId: params.messageId });
    const now = performance.now();
    const until = mode.kind === 'sync' && now < slotUntil ? Math.min(slotUntil, answerUntil) : answerUntil;
    const known = await wait.change(Math.min(until, stopUntil()), signal);
    if (known && isAccepted(known))
      return { message: asKnown(params.messageId, request, known), queued: false };
    look = true;
  }
}

/** Ends the wait or the message when its time is over; null before that. */
async function endIfDue(
  database: Database,
  message: MessageView,
  params: MessageRef,
  limits: { mode: SendRequest['mode']; windowMs: number; slotUntil: number; answerUntil: number },
): Promise<{ message: MessageView; settled: boolean } | null> {
  const now = performance.now();
  if (stopBegan() !== null && message.status === 'queued' && limits.mode.kind === 'sync') {
    const ended = await endWaiting(database.db, {
      ...params,
      deadlineWithinMs: ADMISSION_WINDOW_MS,
      status: 'cancelled',
      errorCode: 'stopping',
    });
    if (ended) return { message: ended, settled: true };
  }
  if (limits.mode.kind === 'wait') {
    if (now < limits.answerUntil && stopBegan() === null) return null;
    await continueAsync(database.db, params);
    // It may have ended since it was read.
    const continued = await mustFind(database, params);
    return { message: continued, settled: isSettled(continued.status) };
  }
  if (message.status === 'queued' && now >= limits.slotUntil) {
    const ended = await endWaiting(database.db, {
      ...params,
      deadlineWithinMs: 0,
      status: 'expired',
      errorCode: 'deadline_passed',
      outcome: { say: 'sync', seconds: limits.windowMs / 1000 },
    });
    if (ended) return { message: ended, settled: true };
  }
  if (now < Math.min(limits.answerUntil, stopUntil())) return null;
  throw unknownOutcome(message.id);
}

/** How long a process that is being stopped waits for a dispatch. */
const ANSWER_GRACE_MS = 8000;

function stopUntil(): number {
  const began = stopBegan();
  return began === null ? Number.POSITIVE_INFINITY : began + ANSWER_GRACE_MS;
}

async function mustFind(database: Database, params: MessageRef): Promise<MessageView> {
  const message = await findMessage(database.db, params);
  // Deleted meanwhile, or lost in a failover, perhaps after it was sent: neither a look-up nor a repeat finds it.
  if (!message)
    throw new AppError('send_unknown', OUTCOMES.send_unknown.says.missing, {
      messageId: params.messageId,
      sendOutcome: 'unknown',
    });
  return message;
}

function findWithRetry(database: Database, params: MessageRef, request: SendRequest): Promise<MessageView> {
  return retryUntil(
    () => mustFind(database, params),
    request.arrivedAtMs + ANSWER_WITHIN_MS,
    () => unknownOutcome(params.messageId),
  );
}

function onHangUp(signal: AbortSignal, then: () => void): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}

/**
 * How long the caller waited before it hung up; null while this process stops, because then it ends the
 * connections.
 */
function hungUpAfterMs({ arrivedAtMs }: SendRequest): number | null {
  return stopBegan() === null ? Math.round(performance.now() - arrivedAtMs) : null;
}

/** Records the hang-up at the message; a refused request has no message. */
async function noteHangUp(
  database: Database,
  accepted: Promise<string | null>,
  hungUpAfterMs: number | null,
): Promise<void> {
  const messageId = await accepted;
  if (messageId === null) return;
  const hangUp = { messageId, webId: webProcessId(), hungUpAfterMs };
  await untilNoted(messageId, () => recordHangUp(database.db, hangUp));
}

/** Notes that the answer about this message was written to its caller. */
export async function recordAnswer({ database }: InstallationContext, messageId: string): Promise<void> {
  await untilNoted(messageId, () => noteAnswer(database.db, { messageId }));
}

/** Retries, because without the note an equal request may join this message, or a repeat may not. */
async function untilNoted(messageId: string, note: () => Promise<void>): Promise<void> {
  const until = performance.now() + ANSWER_WITHIN_MS;
  await retryUntil(note, until, () => unknownOutcome(messageId)).catch((error: unknown) =>
    log.warn({ err: error, messageId }, 'it was not noted whether the caller got its answer'),
  );
}
