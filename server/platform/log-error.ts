import { clip } from '#server/core/printable.ts';

/** The part of an error that the log contains. */
interface LoggedError {
  name: string;
  message: string;
  code?: string;
  /** Shown on a page that failed. */
  digest?: string;
  stack?: string;
  cause?: LoggedError;
}

/** How deep a chain of causes is followed. */
const CAUSES_MAX = 5;

/**
 * An error for the log: name, message, code, digest, stack and causes, and no other property. Database errors
 * carry the statement's parameters and whole rows, with message texts and phone numbers.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!isErrorLike(error)) return { name: typeof error, message: 'not an Error' };
  const message = repeatsQuery(error, error.message) ? 'a query failed' : withoutRecipients(error.message);
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name ?? 'Error',
    message,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...('digest' in error && typeof error.digest === 'string' ? { digest: error.digest } : {}),
    ...(frames ? { stack: frames.join('\n') } : {}),
    ...(error.cause !== undefined && depth < CAUSES_MAX
      ? { cause: loggedError(error.cause, depth + 1) }
      : {}),
  };
}

/**
 * Masks mail addresses and phone numbers, which mail servers and WhatsApp Web quote in their errors. The text is
 * cut first, because the search takes quadratic time.
 */
export function withoutRecipients(text: string): string {
  return clip(text)
    .replace(/[^\s<>"'`(),;:=]+@[^\s<>"'`(),;:=]+/g, '[recipient]')
    .replace(/(?<![\w.-])\+?\d{8,15}(?![\w-])/g, '[number]');
}

/** An error, or a copy of one: pg-boss emits plain objects with an error's message and stack. */
interface ErrorLike {
  name?: string;
  message: string;
  stack?: string;
  cause?: unknown;
}

function isErrorLike(value: unknown): value is ErrorLike {
  if (value instanceof Error) return true;
  return (
    typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
  );
}

/** Whether a message repeats a failed query with its parameters, from the error itself or from a cause. */
function repeatsQuery(error: unknown, message: string, depth = 0): boolean {
  if (!isErrorLike(error) || depth > CAUSES_MAX) return false;
  if ('params' in error && 'query' in error) return message.includes(error.message);
  return repeatsQuery(error.cause, message, depth + 1);
}
