import { API_CODES } from './generated/error-codes.gen.ts';

/** Whether the message may have been sent, by `X-Error-Code` or, without an answer of the API, by what failed. */
const CODES = { ...API_CODES, no_answer: true, unexpected_answer: true, aborted: true } as const;

export type ErrorCode = keyof typeof CODES;

/** Where an error comes from. */
export interface ErrorSource {
  response?: Response;
  idempotencyKey?: string | undefined;
  /** The call made the key, so no earlier call has used it. */
  isOwnKey?: boolean | undefined;
  cause?: unknown;
}

/** A failed call. `code` is the reason, `message` a sentence that explains it. `errors` has a class per code. */
export class WirebirdError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'WirebirdError';
  readonly code: Code;
  /** The HTTP status; null if no answer came. */
  readonly status: number | null;
  /** False if the message was definitely not sent. If true, repeat only with the same `idempotencyKey`. */
  mayBeSent: boolean;
  /** The key of the send, also if the client made it; null for calls that send nothing. */
  readonly idempotencyKey: string | null;
  readonly messageId: string | null;
  /** The error is about the message of an earlier request with the same key, also of an earlier try. */
  readonly replayed: boolean;
  readonly messageStatus: string | null;
  readonly numberStatus: string | null;
  /** Which limit a 429 is about. */
  readonly limit: string | null;
  readonly retryAfterSeconds: number | null;
  /** Quote it when you contact the operator. */
  readonly requestId: string | null;

  constructor(code: Code, message: string, { response, idempotencyKey, isOwnKey, cause }: ErrorSource = {}) {
    super(message, { cause });
    const header = (name: string) => response?.headers.get(name) ?? null;
    const seconds = Number(header('retry-after') || Number.NaN);
    this.code = code;
    this.status = response?.status ?? null;
    this.idempotencyKey = idempotencyKey ?? null;
    // Only the header knows whether an earlier call with this key made a message. Without one the code is enough, but a
    // newer server may have codes that this client does not know.
    this.mayBeSent =
      idempotencyKey === undefined || isOwnKey
        ? (CODES[code] ?? true)
        : header('x-send-outcome') !== 'not_sent';
    this.messageId = header('x-message-id');
    this.replayed = header('idempotency-replayed') === 'true';
    this.messageStatus = header('x-message-status');
    this.numberStatus = header('x-number-status');
    this.limit = header('x-limit');
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
    this.requestId = header('x-request-id');
  }
}

type ErrorClass<Code extends ErrorCode> = new (
  ...given: ConstructorParameters<typeof WirebirdError<Code>>
) => WirebirdError<Code>;

/** A class for each code: `if (error instanceof errors.send_unknown) …`. */
export const errors = Object.fromEntries(
  Object.keys(CODES).map((code) => [code, class extends WirebirdError {}]),
) as unknown as { [Code in ErrorCode]: ErrorClass<Code> };
