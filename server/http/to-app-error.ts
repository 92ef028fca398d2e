import { AppError, FIXED_MESSAGES, internalError } from '#server/core/errors.ts';

/** How postgres.js names a connection that is not there, and the system a host that does not answer. */
const OUT_OF_REACH = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);

/** SQLSTATE: connection lost, no free connection, server stopping or starting, statement out of time. */
const OUT_OF_REACH_STATE = /^(08...|53300|57P0[1-3]|57014)$/;

const RETRY_AFTER_SECONDS = 5;

/**
 * What a caller may read of whatever was thrown: an {@link AppError} as it is, a database out of reach as
 * `unavailable`, and everything else as a fault of ours, with the story in `cause`.
 */
export function toAppError(thrown: unknown): AppError {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof AppError) return error;
    if (isOutOfReach(error)) {
      return new AppError('unavailable', FIXED_MESSAGES.unavailable, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: thrown,
      });
    }
  }
  return internalError(thrown);
}

function isOutOfReach(error: Error): boolean {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OUT_OF_REACH_STATE.test(code)) return true;
  // Only of a socket: a file that is missing is a fault of ours.
  const ofSocket = 'syscall' in error && /^(connect|read|write|getaddrinfo)$/.test(String(error.syscall));
  return OUT_OF_REACH.has(code) && (ofSocket || code.startsWith('CONNECT'));
}
