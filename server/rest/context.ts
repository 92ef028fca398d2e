import type { Caller } from '#server/api-keys/caller.ts';
import type { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { RestRequest } from './request.ts';

/** A procedure's context: its request, and the parts of the answer besides the body. */
export interface RestContext {
  database: Database;
  caller: Caller;
  request: RestRequest;
  requestId: string;
  /** On the clock of `performance.now()`. */
  arrivedAtMs: number;
  /** Why the body could not be read; thrown when the parameters are checked. */
  bodyProblem: AppError | null;
  answer: AnswerHead;
}

/** What a procedure returns besides its data. */
export interface AnswerHead {
  headers: Record<string, string>;
  /** Accepted, but not sent yet: 202. */
  queued: boolean;
  /** The message of the answer, once there is one. */
  messageId: string | null;
  /** The error of the call, as trpc-openapi reported it. */
  failure: unknown;
}
