import type { Caller } from '#server/api-keys/caller.ts';
import type { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { RestRequest } from './request.ts';

/** What a procedure knows of its request, and where it leaves what belongs on the answer beside its body. */
export interface RestContext {
  database: Database;
  caller: Caller;
  request: RestRequest;
  requestId: string;
  /** On the clock of `performance.now()`. */
  arrivedAtMs: number;
  /** Why the body could not be read; thrown when it is the parameters' turn. */
  bodyProblem: AppError | null;
  answer: AnswerHead;
}

/** What a procedure says besides its data. */
export interface AnswerHead {
  headers: Record<string, string>;
  /** Accepted, but not sent yet: 202. */
  queued: boolean;
  /** The message that the answer is about, once there is one. */
  messageId: string | null;
  /** What ended the call instead of data, as trpc-openapi reported it. */
  failure: unknown;
}
