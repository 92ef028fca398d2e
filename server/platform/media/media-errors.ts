import { AppError } from '#server/core/errors.ts';
import { type FileProblem, sayFileProblem } from '#server/core/file-problem.ts';
import type { ErrorCode } from '#server/core/outcomes.ts';

/** A file that cannot be sent. */
export class FileError extends AppError {
  readonly file: FileProblem;

  constructor(
    code: Extract<ErrorCode, 'no_room' | `media_${string}`>,
    file: FileProblem,
    { cause, ...details }: { sendOutcome?: 'not_sent'; cause?: unknown } = {},
  ) {
    super(code, sayFileProblem(file), { ...details, cause });
    this.file = file;
  }
}

/** `media_unavailable`, for failures of the network. The real reason is only in `cause`. */
export function unreachable(cause: unknown): FileError {
  return new FileError('media_unavailable', { problem: 'unreachable' }, { cause });
}

/** `media_unusable` with the same sentence, for an address that is refused without network access. */
export function forbidden(cause: unknown): FileError {
  return new FileError('media_unusable', { problem: 'unreachable' }, { cause });
}

/** Whether this is the answer of {@link unreachable} or {@link forbidden}. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof FileError && error.file.problem === 'unreachable';
}

/** `media_unusable`: a retry fails again. */
export function unusable(file: FileProblem, cause?: unknown): FileError {
  return new FileError('media_unusable', file, { cause });
}

/** `media_unavailable`: the file's server failed in a way that may pass. */
export function mayPass(file: FileProblem, cause?: unknown): FileError {
  return new FileError('media_unavailable', file, { cause });
}

/** `media_too_large`: the body, or its announced length, exceeds `bytesMax`. */
export function fileTooLarge(bytesMax: number): FileError {
  return new FileError('media_too_large', { problem: 'too_large', bytesMax });
}

/** `no_room`: the service cannot keep the file. Nothing was sent, and a retry can succeed. */
export function noRoom(cause: unknown): FileError {
  return new FileError('no_room', { problem: 'no_room' }, { sendOutcome: 'not_sent', cause });
}

/** `media_share_full`: `usedBytes` of files of this account wait to be sent. */
export function shareFull(usedBytes: number): FileError {
  return new FileError('media_share_full', { problem: 'share_full', usedBytes }, { sendOutcome: 'not_sent' });
}
