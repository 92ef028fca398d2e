import { ERROR_CODES } from './generated/error-codes.gen.ts';

/** What can happen before an answer of the API arrives. */
const OWN_CODES = ['no_answer', 'unexpected_answer', 'aborted'] as const;
const CODES = [...ERROR_CODES, ...OWN_CODES] as const;

/** The codes of the API (`X-Error-Code`), and of what happens before its answer arrives. */
export type ErrorCode = (typeof CODES)[number];

const MAY_BE_SENT: readonly ErrorCode[] = [
  ...OWN_CODES,
  ...(['send_unknown', 'internal', 'idempotency_key_reused'] as const),
];

export interface ErrorDetails {
  /** The HTTP status; null if no answer came. */
  status: number | null;
  /** False if the message was definitely not sent. If true, repeat only with the same `idempotencyKey`. */
  mayBeSent: boolean;
  /** The key of the send, also if the client made it; null for calls that send nothing. */
  idempotencyKey: string | null;
  messageId: string | null;
  messageStatus: string | null;
  numberStatus: string | null;
  /** Which limit a 429 is about. */
  limit: string | null;
  retryAfterSeconds: number | null;
  /** Quote it when you contact the operator. */
  requestId: string | null;
}

export interface WirebirdError extends ErrorDetails {}

/** A call that failed. `code` says why, `message` says it in a sentence. `errors` has a class for each code. */
export class WirebirdError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'WirebirdError';
  readonly code: Code;

  constructor(code: Code, message: string, { cause, ...given }: Partial<ErrorDetails> & { cause?: unknown }) {
    super(message, { cause });
    this.code = code;
    const none = { status: null, idempotencyKey: null, messageId: null, messageStatus: null };
    const more = { numberStatus: null, limit: null, retryAfterSeconds: null, requestId: null };
    Object.assign(this, { mayBeSent: MAY_BE_SENT.includes(code), ...none, ...more, ...given });
  }
}

type ErrorClass<Code extends ErrorCode> = new (
  ...given: ConstructorParameters<typeof WirebirdError<Code>>
) => WirebirdError<Code>;

/** A class for each code: `if (error instanceof errors.send_unknown) …`. */
export const errors = Object.fromEntries(
  CODES.map((code) => [code, class extends WirebirdError {}]),
) as unknown as { [Code in ErrorCode]: ErrorClass<Code> };
