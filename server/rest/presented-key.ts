import { type Caller, identifyCaller } from '#server/api-keys/caller.ts';
import { parseKey } from '#server/api-keys/mint-key.ts';
import { takeBadKey } from '#server/api-keys/rate-limit.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { RestRequest } from './request.ts';

/** The different keys in the headers. An `Authorization` of another scheme is none: a proxy may add it. */
export function keysInHeaders(request: RestRequest): Set<string> {
  const keys = new Set<string>();
  for (const value of listed(request.headers['x-api-key'])) keys.add(value);
  for (const value of listed(request.headers.authorization)) {
    const bearer = /^bearer\s+(.+)$/i.exec(value)?.[1];
    if (bearer) keys.add(bearer);
  }
  return keys;
}

/** The key in a body, where it is a JSON object that holds one. */
export function keyInBody(body: Record<string, unknown> | null): string | null {
  const token = body?.token;
  return typeof token === 'string' && /\S/.test(token) ? token : null;
}

/** Whether these keys are refused whatever the body says, so that it need not be read. */
export function areHopeless(keys: Set<string>): boolean {
  const [key] = keys;
  return keys.size > 1 || (key !== undefined && parseKey(key) === null);
}

/**
 * The caller behind the keys of one request. Throws `unauthorized` when there is none, when they differ and
 * when it is not valid; after too many invalid ones from `address`, `rate_limited`. Only a wrong key asks for the address.
 */
export async function identify(
  database: Database,
  params: { keys: Set<string>; address: () => string },
): Promise<Caller> {
  const [key] = params.keys;
  if (key === undefined) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.noKey);
  if (params.keys.size > 1) throw new AppError('unauthorized', OUTCOMES.unauthorized.says.differentKeys);
  try {
    return await identifyCaller({ database }, key);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') await count(database, params.address());
    throw error;
  }
}

/** A database out of reach does not turn a wrong key into a 503. */
async function count(database: Database, address: string): Promise<void> {
  try {
    await takeBadKey({ database }, address);
  } catch (error) {
    if (error instanceof AppError) throw error;
  }
}

/** HTTP allows a header to be repeated or its values to be listed with commas, which no key contains. */
function listed(values: string[] | undefined): string[] {
  return (values ?? []).flatMap((value) => value.split(',')).flatMap((part) => part.trim() || []);
}
