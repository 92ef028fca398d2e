import type { MessageStatus } from './message-state.ts';
import type { NumberStatus } from './number-state.ts';
import type { ErrorCode, OutcomeCode } from './outcomes.ts';

/** What a transport adds to the sentence and the code. */
export interface ErrorDetails {
  /** The outcome of the message, if it is one of several cases of the code. */
  outcome?: OutcomeCode;
  /** Whole seconds after which a retry can succeed. */
  retryAfterSeconds?: number;
  numberStatus?: NumberStatus;
  sendOutcome?: 'not_sent' | 'unknown';
  messageId?: string;
  /** The number of a key that has ended; not shown. */
  numberId?: string;
  /** The field of a form that it is about. */
  field?: string;
  /** The message that an Idempotency-Key already made, if the request differs. */
  earlier?: { id: string; status: MessageStatus };
}

/**
 * An error that a caller may read. Its code determines the status and what helps (`outcomes.ts`). `message` is the
 * public sentence. The internal `cause` is logged and never shown.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  override readonly name = 'AppError';

  constructor(code: ErrorCode, publicMessage: string, details: ErrorDetails & { cause?: unknown } = {}) {
    const { cause, ...rest } = details;
    super(publicMessage, { cause });
    this.code = code;
    this.details = rest;
  }
}
