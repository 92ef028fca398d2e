import type { Caller } from '#server/api-keys/caller.ts';
import type { AppError } from '#server/core/errors.ts';
import { outcomeOf } from '#server/core/outcomes.ts';
import { earlierMayBeSent } from '#server/messages/earlier-may-be-sent.ts';
import type { Database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import type { AnswerHead } from './context.ts';
import type { RestRequest } from './request.ts';
import { isSendRoute } from './routes.ts';
import { idempotencyKey } from './send-options.ts';

interface Refused {
  database: Database;
  request: RestRequest;
  /** Below `/v1`. */
  path: string;
  caller: Caller | null;
  answer: AnswerHead;
  arrivedAtMs: number;
}

/** By account and Idempotency-Key: how many requests are being processed. */
const inProgress = new Map<string, number>();

/** Counts the request as one in progress during `work`: its message may still be accepted. */
export async function whileInProgress<T>(
  request: RestRequest,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  const key = validKey(request);
  if (key === null) return work();
  const name = nameOf(caller, key);
  inProgress.set(name, (inProgress.get(name) ?? 0) + 1);
  try {
    return await work();
  } finally {
    const left = (inProgress.get(name) ?? 1) - 1;
    if (left > 0) inProgress.set(name, left);
    else inProgress.delete(name);
  }
}

const nameOf = ({ accountId }: Caller, key: string) => `${accountId} ${key}`;

/**
 * `X-Send-Outcome` of an error. A send that is refused before acceptance is `not_sent`, unless the message of an
 * earlier request with its Idempotency-Key may be sent, or this is not known: then there is no header.
 */
export async function sendOutcomeHeader(refused: Refused, error: AppError): Promise<Record<string, string>> {
  const { sendOutcome, messageId } = error.details;
  const { request, path, answer } = refused;
  const isSend = isSendRoute(request.method, path);
  if (messageId !== undefined || !isSend)
    return sendOutcome === undefined ? {} : { 'X-Send-Outcome': sendOutcome };
  if (outcomeOf(error.code).mayBeSent) return {};
  // It joined an earlier message, which its error does not name.
  if (answer.headers['Idempotency-Replayed'] !== undefined || answer.messageId !== null) return {};
  return (await isCertain(refused, error)) ? { 'X-Send-Outcome': 'not_sent' } : {};
}

async function isCertain(refused: Refused, error: AppError): Promise<boolean> {
  const { database, request, caller, arrivedAtMs } = refused;
  const key = validKey(request);
  if (key === null) return true;
  if (caller && inProgress.has(nameOf(caller, key))) return false;
  const numberId = caller?.numberId ?? error.details.numberId;
  // Without a valid API key it is not known whose Idempotency-Key it is. The program's key may have been right before.
  if (numberId === undefined || error.code === 'unavailable') return false;
  try {
    // The other refusals would refuse an earlier request, too. Only this process stops; another one may still admit it.
    const isPassing = outcomeOf(error.code).status === 429 || error.code === 'stopping';
    const ageMs = isPassing ? performance.now() - arrivedAtMs : null;
    return !(await earlierMayBeSent({ database, numberId }, { idempotencyKey: key, ageMs }));
  } catch (failure) {
    log.warn({ err: failure, numberId }, 'an earlier message was not looked up');
    return false;
  }
}

/** The stored form of the Idempotency-Key; null without one, and for an invalid one, which no message has. */
function validKey(request: RestRequest): string | null {
  try {
    return idempotencyKey(request);
  } catch {
    return null;
  }
}
