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
    return { object: objectIn(textOf(bytes)), problem: null };
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
  const encoding = headerOf(request, 'content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') {
    throw invalid('The body must not be compressed. Send it without Content-Encoding.');
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The body is not valid UTF-8. Encode it as UTF-8.');
  }
}

function objectIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
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
