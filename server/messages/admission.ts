import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { accessMessage } from '#server/core/access.ts';
import type { AnswerMode } from '#server/core/answer-mode.ts';
import { KIND_RETRY_MS, kindRefusal } from '#server/core/build-kinds.ts';
import { AppError } from '#server/core/errors.ts';
import { isMedia, type MessageContent } from '#server/core/message.ts';
import { shownStatus } from '#server/core/number-state.ts';
import { numberStatusErrorOf } from '#server/core/number-status-errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { ANSWER_WITHIN_MS, ASYNC_DEADLINE_SECONDS, syncWindowMs } from '#server/core/pacing/waits.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { TRIAL, TRIAL_REFUSALS } from '#server/core/trial.ts';
import { webProcessId } from '#server/operations/web-process.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { NumberScope, SenderContext } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import { noRoom } from '#server/platform/media/media-errors.ts';
import { clientBoss, enqueue } from '#server/platform/queue/boss.ts';
import { nudgeAll } from '#server/platform/queue/wait-for-message.ts';
import { settings } from '#server/settings.ts';
import { admitContact } from './admit-contact.ts';
import { unknownOutcome } from './answer-for.ts';
import { findEarlier, join } from './join-earlier.ts';
import { keyedMutex } from './keyed-mutex.ts';
import {
  type AdmissionRow,
  insertMessage,
  isAdmitted,
  lockForAdmission,
  noteRepeat,
} from './queries/admission.ts';
import { laneFor, likelyWaitMs, refuseIfFull } from './queue-room.ts';
import { refused } from './refused.ts';
import { retryUntil } from './retry-until.ts';

export interface AdmissionRequest {
  recipient: Recipient;
  content: MessageContent;
  mode: AnswerMode;
  /** When the request arrived, on the clock of `performance.now()`. */
  arrivedAtMs: number;
  idempotencyKey: string | null;
  requestId: string | null;
  /** SHA-256 of endpoint, body, reference and send time. */
  requestHash: string | null;
  /** The caller's own ID for the message. */
  reference: string | null;
  /** The message that is sent again. */
  repeats?: string | null;
  /** Aborts when the caller hangs up. */
  signal?: AbortSignal;
}

/** `joined`: the message of an earlier, equal request, which this caller now waits for. */
export interface Admission {
  messageId: string;
  joined: boolean;
}

/**
 * A repeat may reach another web process before the first has recorded its caller's hang-up, or after it was killed.
 * If the first process shows life this long after the repeat arrived, its caller is still there and the repeat is a
 * new message. Until then it is judged again.
 */
const HANG_UP_SEEN_MS = 300;

let stoppingSinceMs: number | null = null;

/**
 * This process is being stopped: it admits no further messages, and waiting callers check their message at once.
 */
export function stopAdmitting(): void {
  stoppingSinceMs ??= performance.now();
  nudgeAll();
}

/** When the stop began, on the clock of `performance.now()`; null while the process is not being stopped. */
export function stopBegan(): number | null {
  return stoppingSinceMs;
}

/**
 * Admits a message: locks the number's row, checks, and inserts the message and its job, in one transaction.
 * `messageId` is the id of a new message.
 *
 * Throws `unauthorized`, `plan_inactive`, `instance_not_found`, `invalid_parameters` (an Idempotency-Key of
 * another body), `not_connected`, `no_room`, `queue_full`, `new_contacts`, `stopping`; `send_unknown` if it is
 * unknown whether it was admitted.
 */
export async function admitMessage(
  context: SenderContext,
  messageId: string,
  request: AdmissionRequest,
): Promise<Admission> {
  if (stoppingSinceMs !== null)
    throw new AppError('stopping', OUTCOMES.stopping.says, { sendOutcome: 'not_sent' });
  const { database, accountId, numberId, keyId } = context;
  const boss = await clientBoss(database);
  let decided: Admission | null = null;
  const judge = async (tx: Tx, sinceMs: number): Promise<Admission | null> => {
    const askedAtMs = performance.now();
    const row = await lockServed(tx, context, request);
    const earlier = await findEarlier(tx, row, { ...request, numberId });
    if (earlier.id !== null) {
      await join(tx, earlier.id, { ...request, deadlineMs: deadlineMs(request) });
      await noteRepeat(tx, { messageId: earlier.id });
      decided = { messageId: earlier.id, joined: true };
      return decided;
    }
    if (request.idempotencyKey === null) {
      // A caller that hung up may have sent its retry already, and the retry may have overtaken this request.
      if (row.repeatedMeanwhile)
        throw new AppError('hung_up', 'Your client disconnected, and its retry is already on its way.');
      const silentMs = row.otherProcessSilentMs;
      // Not by the time of the answer: a late one would make the other process seem to have been alive later.
      if (silentMs !== null && askedAtMs - sinceMs - silentMs < HANG_UP_SEEN_MS) return null;
    }
    const notBeforeMs = await requireRoom(tx, row, numberId, request);
    const { requestId, requestHash, reference, repeats = null, idempotencyKey } = request;
    const inserted = insertMessage(tx, {
      id: messageId,
      accountId,
      numberId,
      apiKeyId: keyId,
      type: request.content.type,
      recipient: request.recipient,
      content: request.content,
      lane: laneFor(row, request.mode),
      deadlineMs: deadlineMs(request),
      notBeforeMs,
      sendAt: sendAtOf(request.mode),
      mediaStatus: isMedia(request.content) ? 'pending' : 'none',
      ...{ requestId, requestHash, reference, repeats, idempotencyKey },
      keyTakenFrom: earlier.keyTakenFrom,
      webId: webProcessId(),
    });
    // Its error is ignored here, because it also fails the commit, which is sent together with it.
    inserted.catch(() => {});
    await enqueue(boss, 'send', { numberId }, tx);
    decided = { messageId, joined: false };
    return decided;
  };
  const admit = async (): Promise<Admission> => {
    const sinceMs = performance.now();
    for (;;) {
      const admission = await keyedMutex(numberId, () => database.db.transaction((tx) => judge(tx, sinceMs)));
      if (admission) return admission;
      await delay(HANG_UP_SEEN_MS);
    }
  };
  const admission = await admit().catch((error: unknown) => {
    // Before the decision, nothing was sent that could be committed. After it, perhaps only the answer was lost.
    if (decided === null) throw error;
    log.warn({ err: error, messageId }, 'the answer to an admission was lost');
    return whetherAdmitted({ database, numberId }, decided, request, error);
  });
  const { requestId } = request;
  log.info({ requestId, numberId, ...admission }, 'message accepted');
  return admission;
}

/** Thrown to roll back everything that a dry run wrote. */
class DryRunEnds extends Error {}

/**
 * Judges a message as {@link admitMessage} does, and stores nothing. Throws the same errors. `waitMs`: how long it would
 * probably wait; `earlierId`: the message of an earlier, equal request, which it would join.
 */
export async function checkAdmission(
  context: SenderContext,
  request: AdmissionRequest,
): Promise<{ waitMs: number; earlierId: string | null }> {
  if (stoppingSinceMs !== null)
    throw new AppError('stopping', OUTCOMES.stopping.says, { sendOutcome: 'not_sent' });
  const { database, numberId } = context;
  let waitMs = 0;
  let earlierId: string | null = null;
  const judge = async (tx: Tx): Promise<never> => {
    const row = await lockServed(tx, context, request);
    earlierId = (await findEarlier(tx, row, { ...request, numberId })).id;
    if (earlierId !== null) throw new DryRunEnds();
    const notBeforeMs = await requireRoom(tx, row, numberId, request);
    waitMs = Math.max(likelyWaitMs(row, request.mode), notBeforeMs ?? 0, scheduledInMs(request.mode, row));
    throw new DryRunEnds();
  };
  await keyedMutex(numberId, () => database.db.transaction(judge)).catch((error: unknown) => {
    if (!(error instanceof DryRunEnds)) throw error;
  });
  return { waitMs, earlierId };
}

/** Locks the number's row and reads it. Throws if the caller may not use the number, or may no longer use it. */
async function lockServed(
  tx: Tx,
  { accountId, numberId, keyId }: SenderContext,
  { recipient, content, requestHash, arrivedAtMs, signal }: AdmissionRequest,
): Promise<AdmissionRow> {
  const hasLeft = signal?.aborted === true;
  // The age counts until the transaction began. Without its answer, a slow database would make the request look younger
  // than its own retry.
  if (hasLeft) await tx.run(sql`select 1`);
  const row = await lockForAdmission(tx, {
    ...{ accountId, numberId, keyId, recipient, requestHash, kind: content.type },
    webId: webProcessId(),
    leftAgeMs: hasLeft ? performance.now() - arrivedAtMs : null,
  });
  if (!row || row.removed) throw new AppError('instance_not_found', OUTCOMES.instance_not_found.says);
  if (row.keyDead) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.endedKey);
  if (row.accountSuspended) throw new AppError('plan_inactive', accessMessage('suspended'));
  if (row.accessEnded) requireTrial(row, keyId);
  else if (row.numbersBefore >= row.numbersIncluded)
    throw new AppError('plan_inactive', accessMessage('excess'));
  return row;
}

/** Without a plan, a person can send a few messages a day from the dashboard, and a program none. */
function requireTrial({ trialSent }: AdmissionRow, keyId: string | null): void {
  if (!settings.trial || keyId !== null || trialSent === null)
    throw new AppError('plan_inactive', accessMessage('ended'));
  if (trialSent >= TRIAL.messagesPerDay) throw new AppError('plan_inactive', TRIAL_REFUSALS.messages);
}

/**
 * Throws if the number accepts no further message now. Resolves to how long a message to a new contact waits, in
 * ms, or null.
 */
async function requireRoom(
  tx: Tx,
  row: AdmissionRow,
  numberId: string,
  { recipient, content, mode }: AdmissionRequest,
): Promise<number | null> {
  refuseIfPast(mode, row);
  refuseIfStopped(row, mode);
  refuseIfFailing(row, content);
  if (row.mediaRefused && isMedia(content)) throw noRoom(new Error('the disk of the worker is short'));
  const params = { numberId, recipient, mode, scheduledInMs: scheduledInMs(mode, row) };
  const notBeforeMs = await admitContact(tx, row, params);
  refuseIfFull(row, mode, notBeforeMs !== null);
  return notBeforeMs;
}

/**
 * After a commit whose answer was lost: returns the admission if it was committed, otherwise throws the reason.
 */
async function whetherAdmitted(
  { database, numberId }: NumberScope,
  decided: Admission,
  request: AdmissionRequest,
  why: unknown,
): Promise<Admission> {
  const { messageId, joined } = decided;
  const there = await retryUntil(
    // The message of an earlier request exists, but another repeat must not join it too.
    () =>
      joined
        ? database.db
            .transaction((tx) => join(tx, messageId, { ...request, deadlineMs: deadlineMs(request) }))
            .then(() => true)
        : isAdmitted(database, { numberId, messageId }),
    request.arrivedAtMs + ANSWER_WITHIN_MS,
    () => unknownOutcome(messageId),
  );
  if (there) return decided;
  throw why;
}

/** Not before an earlier message was looked for: a repeat gets its outcome also after its time. */
function refuseIfPast(mode: AnswerMode, { now }: AdmissionRow): void {
  const sendAt = sendAtOf(mode);
  if (sendAt !== null && sendAt.getTime() < now.getTime() - PAST_MS_MAX)
    throw new AppError('invalid_parameters', 'X-Send-At is in the past. Send a time in the next 30 days.');
}

function refuseIfStopped(row: AdmissionRow, mode: AnswerMode): void {
  const { held, blockedLeftMs } = row;
  const conditions = { access: 'ok', status: shownStatus(row), held, blockedLeftMs } as const;
  const error = numberStatusErrorOf(conditions, mode.kind === 'sync' ? 'sync' : 'async');
  if (error) throw refused(error);
}

/** The number is connected, and its build of WhatsApp Web cannot send this kind. */
function refuseIfFailing({ failingBuild }: AdmissionRow, content: MessageContent): void {
  if (failingBuild === null) return;
  throw refused({
    code: 'not_connected',
    message: kindRefusal(content, failingBuild),
    numberStatus: 'CONNECTED',
    retryAfterSeconds: KIND_RETRY_MS / 1000,
  });
}

/** How long the message may wait. A sync one counts from the request's arrival, not from its admission. */
function deadlineMs({ mode, arrivedAtMs }: AdmissionRequest): number {
  if (mode.kind === 'sync') return Math.round(syncWindowMs(mode) - (performance.now() - arrivedAtMs));
  return (mode.expiresInSeconds ?? ASYNC_DEADLINE_SECONDS) * 1000;
}

/** Allows for the caller's wrong clock, and for the time that a request takes to arrive. */
const PAST_MS_MAX = 60_000;
const sendAtOf = (mode: AnswerMode): Date | null => (mode.kind === 'async' && mode.sendAt) || null;

/** The time until a scheduled message is due, in ms; 0 if it is not scheduled. */
function scheduledInMs(mode: AnswerMode, { now }: AdmissionRow): number {
  const sendAt = sendAtOf(mode);
  return sendAt === null ? 0 : Math.max(0, sendAt.getTime() - now.getTime());
}
