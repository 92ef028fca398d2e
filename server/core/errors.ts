import type { MessageStatus } from './message-state.ts';
import type { NumberStatus } from './number-state.ts';
import type { ErrorCode } from './outcomes.ts';

/** What a transport may say besides the sentence, and besides what the code implies. */
export interface ErrorDetails {
  /** Whole seconds after which a repeat can succeed. */
  retryAfterSeconds?: number;
  numberStatus?: NumberStatus;
  sendOutcome?: 'not_sent' | 'unknown';
  messageId?: string;
  /** The message that an Idempotency-Key already made, where the request is another one. */
  earlier?: { id: string; status: MessageStatus };
}

/**
 * An error that a caller may read. Its code leads to the status and to what helps (`outcomes.ts`). `message` is the
 * public sentence; the inner story goes to `cause`, which is logged and never shown.
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
