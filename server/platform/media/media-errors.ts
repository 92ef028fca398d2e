import { AppError } from '#server/core/errors.ts';

/**
 * The same answer for every failure before the file's server answers: a forbidden address, an unknown name, a
 * refused, silent or untrusted connection. Different answers would let a stranger map our network.
 */
export const UNREACHABLE_SENTENCE =
  'The file at url could not be fetched. Nothing was sent. Check that the host name exists and is public, that ' +
  'the server answers within 10 seconds, and that an https certificate is valid. If all is correct, retry the request later.';

/**
 * `media_unavailable` with {@link UNREACHABLE_SENTENCE}, for failures of the network. The real reason is only in
 * `cause`.
 */
export function unreachable(cause: unknown): AppError {
  return new AppError('media_unavailable', UNREACHABLE_SENTENCE, { cause });
}

/** `media_unusable` with the same sentence, for an address that is refused without network access. */
export function forbidden(cause: unknown): AppError {
  return new AppError('media_unusable', UNREACHABLE_SENTENCE, { cause });
}

/** Whether this is the answer of {@link unreachable} or {@link forbidden}. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof AppError && error.message === UNREACHABLE_SENTENCE;
}

/** `media_unusable`: the file's server answered, and the sentence says what is wrong with the answer. */
export function unusable(sentence: string, cause?: unknown): AppError {
  return new AppError('media_unusable', `${sentence} Nothing was sent.`, { cause });
}

/** `media_unusable`: the answer is not HTTP/1.1, in the way that `broken` names. */
export function invalidHttp(broken: string, cause?: unknown): AppError {
  return unusable(
    `The file's server, or a proxy before it, answered with invalid HTTP (${broken}). Correct it, or use another server.`,
    cause,
  );
}

/** `media_unavailable`: the file's server failed in a way that may pass. */
export function mayPass(sentence: string, cause?: unknown): AppError {
  return new AppError('media_unavailable', `${sentence} Nothing was sent. Retry the request later.`, {
    cause,
  });
}

/** `media_too_large`: the body, or its announced length, exceeds `bytesMax`. */
export function fileTooLarge(bytesMax: number): AppError {
  const megabytes = bytesMax / 1024 ** 2;
  const size = Number.isInteger(megabytes) ? `${megabytes} MB (${bytesMax} bytes)` : `${bytesMax} bytes`;
  return new AppError(
    'media_too_large',
    `The file at url is larger than ${size}. Nothing was sent. Send a smaller file.`,
  );
}

/** `no_room`: the service cannot keep the file. Nothing was sent, and a retry can succeed. */
export function noRoom(cause: unknown): AppError {
  return new AppError(
    'no_room',
    'The service has no room for files right now. This is not about your account. Nothing was sent. Retry the request later.',
    { sendOutcome: 'not_sent', cause },
  );
}

/** `media_share_full`: `usedBytes` of files of this account wait to be sent. */
export function shareFull(usedBytes: number): AppError {
  const megabytes = Math.round(usedBytes / 1024 ** 2);
  return new AppError(
    'media_share_full',
    `Files of your account that wait to be sent take up ${megabytes} MB, which is your account’s limit. Nothing was sent. Retry when some of them have been sent.`,
    { sendOutcome: 'not_sent' },
  );
}
