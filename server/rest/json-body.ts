import { codingIn } from '#server/core/content-encoding.ts';
import { AppError } from '#server/core/errors.ts';
import { LIMITS } from '#server/core/limits.ts';
import { headerOf, type RestRequest } from './request.ts';

/** The time in which the body must arrive. */
const BODY_WITHIN_MS = 20_000;

/**
 * The JSON object in a request, or the problem with it. The problem is not thrown here, because a wrong key must
 * be reported first, and the key may be in the body.
 */
export interface JsonBody {
  object: Record<string, unknown> | null;
  problem: AppError | null;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads a body of at most 256 KiB, counted as read. Throws only `rate_limited`, if there is no room for it. */
export async function readJsonBody(request: RestRequest, address: string): Promise<JsonBody> {
  try {
    refuseOtherTypes(request);
    const bytes = await request.read({ bytesMax: LIMITS.requestBytesMax, withinMs: BODY_WITHIN_MS, address });
    return { object: objectIn(bytes), problem: null };
  } catch (error) {
    // Without the body, its key would be reported as missing.
    if (error instanceof AppError && error.code !== 'rate_limited') return { object: null, problem: error };
    throw error;
  }
}

/** Whether the body can contain a key. */
export function isSentAsJson(request: RestRequest): boolean {
  return /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headerOf(request, 'content-type') ?? '');
}

function refuseOtherTypes(request: RestRequest): void {
  const type = headerOf(request, 'content-type') ?? '';
  if (!isSentAsJson(request)) {
    throw invalid('The body must be JSON. Send it with "Content-Type: application/json".');
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1];
  if (charset && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw invalid('The body must be in UTF-8. Remove the charset from Content-Type, or set it to utf-8.');
  }
  if (codingIn(headerOf(request, 'content-encoding') ?? '')) {
    throw invalid('The body must not be compressed. Send it without Content-Encoding.');
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    if (endsWithinCharacter(bytes)) throw endsEarly(bytes);
    throw invalid('The body is not valid UTF-8. Encode it as UTF-8.');
  }
}

/** Whether only the last character is not whole. */
function endsWithinCharacter(bytes: Uint8Array): boolean {
  const start = bytes.findLastIndex((byte) => byte >= 0xc0);
  try {
    utf8.decode(bytes.subarray(0, start));
    return start >= 0 && bytes.length - start < 4;
  } catch {
    return false;
  }
}

/** Whether JSON is right up to its end, by what V8 says. */
function isCut(text: string, { message }: SyntaxError): boolean {
  const position = / at position (\d+)/.exec(message)?.[1];
  return position === undefined ? message.includes('end of JSON') : Number(position) === text.length;
}

function endsEarly(bytes: Uint8Array): AppError {
  return invalid(
    `The body is not valid JSON: it ends too early, after ${bytes.length} bytes. Send the rest too. A Content-Length counts the bytes of the body, not its characters; leave it to the HTTP library.`,
  );
}

function objectIn(bytes: Uint8Array): Record<string, unknown> {
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text.trim() !== '' && isCut(text, error as SyntaxError)) throw endsEarly(bytes);
    throw invalid(
      text.trim() === ''
        ? 'The body is empty. Send a JSON object.'
        : 'The body is not valid JSON. Use a JSON library: quotes, line breaks and backslashes inside texts must be escaped.',
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('The body must be a JSON object, like {"to": "4915228817386", "body": "Hello"}.');
  }
  return value as Record<string, unknown>;
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_parameters', sentence);
}
