import type { MessageStatus } from './message-state.ts';

/**
 * What can go wrong for a caller, as a closed list. Transports turn a code into a status with the table in
 * `server/platform/http`; nothing below them knows a status.
 */
export const ERROR_CODES = [
  'unauthorized', // no key or session, or not a valid one
  'forbidden', // signed in, but not allowed to do this
  'rate_limited',
  'second_factor', // the password is right; a code is missing, or wrong
  'confirm_password', // signed in, but too long ago for this
  'plan_inactive',
  'instance_not_found', // the key's number was removed
  'not_found',
  'invalid_parameters',
  'already_exists',
  'not_connected',
  'queue_full', // no slot before the deadline, or too many async messages
  'new_contacts', // somebody new, while WhatsApp or the number's protection allows nobody new
  'deadline_passed', // accepted, but its slot did not come in time; never sent
  'cancelled', // accepted, then taken out of the queue by a person or an unlinking
  'body_too_large',
  'media_too_large',
  'media_unusable', // the file or its address is wrong: a repeat gives the same
  'media_unavailable', // the file's server may do better later
  'media_share_full', // too many files of the account wait to be sent
  'no_room', // the service's disk is short of room for files
  'recipient_unknown', // not on WhatsApp, or a group this number is not in
  'send_failed', // certain: nothing left
  'send_unknown', // it may have left
  'stopping', // the product is being stopped; nothing was sent
  'unavailable', // the database is out of reach, or has no room
  'internal', // a fault of ours
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What a transport may tell besides the sentence. */
export interface ErrorDetails {
  /** Whole seconds after which a repeat can succeed. */
  retryAfterSeconds?: number;
  limit?: 'rate' | 'queue' | 'deadline' | 'media' | 'new-contacts';
  numberStatus?: string;
  sendOutcome?: 'not_sent' | 'unknown';
  messageId?: string;
  /** The message that an Idempotency-Key already made, where the request is another one. */
  earlier?: { id: string; status: MessageStatus };
}

/** Sentences that stand whatever the cause; those of a fault of ours never say more. */
export const FIXED_MESSAGES = {
  internal: 'Something went wrong on our side. Quote the X-Request-Id when you contact us.',
  unavailable:
    'The service cannot reach its database right now. Nothing was accepted. Retry the request shortly.',
  noRoom:
    'The service’s database has no room for anything new right now. Nothing was accepted. Retry the request later.',
  busy: 'The service received too many requests at once. Nothing was accepted. Retry this one shortly.',
  stopping: 'The service is being restarted and this message was not sent. Retry the request shortly.',
} as const;

/**
 * An error that a caller may read. `message` is the public sentence; the inner story goes to `cause`, which
 * is logged and never shown.
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

/** A fault of ours: fixed text outside, `cause` inside. */
export function internalError(cause: unknown): AppError {
  return new AppError('internal', FIXED_MESSAGES.internal, { cause });
}
