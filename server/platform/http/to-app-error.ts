import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { noRoomOf } from '#server/core/sqlstate.ts';

/**
 * Our pool's code for a caller that waited too long while others were served
 * (`server/platform/db/connection-slots.ts`).
 */
const BUSY = 'POOL_BUSY';
/** The codes of a lost connection, and the system's codes of a host that does not answer. */
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

/**
 * SQLSTATE: connection lost, no free connection, server stopping or starting, database or session ended, a
 * read-only standby, a statement timeout.
 */
const OUT_OF_REACH_STATE = /^(08...|53300|57P0[1-5]|25006|57014)$/;

/**
 * SQLSTATE: PostgreSQL rolled the transaction back because of others that ran beside it, in a deadlock for example, or
 * because it took too long. Not 40003, where it may have committed.
 */
const ROLLED_BACK = new Set(['40000', '40001', '40002', '40P01', '25P03', '25P04']);
/** This process, or the machine, has no file handle left: for a connection, a file or a new process. */
const OPEN_FILES = new Set(['EMFILE', 'ENFILE']);

/** Room returns when someone frees space, or when old data is deleted. */
const NO_ROOM_RETRY_SECONDS = 30;
/** Spreads the retries of refused callers. */
const BUSY_RETRY_SECONDS = { min: 2, max: 6 };

/**
 * The error that a caller may read: an {@link AppError} as it is; `unavailable` for a database that is out of
 * reach, busy or full, or too many open files; `rate_limited` if no connection of our pool became free in time; `internal` for everything else,
 * with the original in `cause`. The sentence is for its reader: of an answer of the API, or of a page.
 */
export function toAppError(
  thrown: unknown,
  reader: keyof typeof OUTCOMES.internal.says = 'answer',
): AppError {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof AppError) return error;
    const code = codeOf(error);
    if (code === BUSY) {
      const { min, max } = BUSY_RETRY_SECONDS;
      const retryAfterSeconds = min + Math.floor(Math.random() * (max - min + 1));
      return new AppError('rate_limited', OUTCOMES.rate_limited.says.busy[reader], {
        retryAfterSeconds,
        cause: thrown,
      });
    }
    if (isOutOfReach(error, code)) {
      return new AppError('unavailable', OUTCOMES.unavailable.says.database[reader], { cause: thrown });
    }
    if (ROLLED_BACK.has(code)) {
      return new AppError('unavailable', OUTCOMES.unavailable.says.databaseBusy[reader], { cause: thrown });
    }
    if (OPEN_FILES.has(code)) {
      return new AppError('unavailable', OUTCOMES.unavailable.says.openFiles[reader], { cause: thrown });
    }
    if (noRoomOf(code) !== null) {
      return new AppError('unavailable', OUTCOMES.unavailable.says.databaseFull[reader], {
        retryAfterSeconds: NO_ROOM_RETRY_SECONDS,
        cause: thrown,
      });
    }
  }
  return new AppError('internal', OUTCOMES.internal.says[reader], { cause: thrown });
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isOutOfReach(error: Error, code: string): boolean {
  if (OUT_OF_REACH_STATE.test(code)) return true;
  // Only errors of a socket: a missing file (`ENOENT`) is an internal error.
  const ofSocket = 'syscall' in error && /^(connect|read|write|getaddrinfo)$/.test(String(error.syscall));
  return OUT_OF_REACH.has(code) && (ofSocket || code.startsWith('CONNECT'));
}
