import { type Caller, identifyCaller } from '#server/api-keys/caller.ts';
import { parseKey } from '#server/api-keys/mint-key.ts';
import { takeBadKey } from '#server/api-keys/rate-limit.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { RestRequest } from './request.ts';

/** The different keys in the headers. Ignores `Authorization` of another scheme, which a proxy may add. */
export function keysInHeaders(request: RestRequest): Set<string> {
  const keys = new Set<string>();
  for (const value of listed(request.headers['x-api-key'])) keys.add(value);
  for (const value of listed(request.headers.authorization)) {
    const bearer = /^bearer\s+(.+)$/i.exec(value)?.[1];
    if (bearer) keys.add(bearer);
  }
  return keys;
}

/** The key in a JSON object, if there is one. */
export function keyInBody(body: Record<string, unknown> | null): string | null {
  const token = body?.token;
  return typeof token === 'string' && /\S/.test(token) ? token : null;
}

/** Whether these keys are refused without reading the body. */
export function areHopeless(keys: Set<string>): boolean {
  const [key] = keys;
  return keys.size > 1 || (key !== undefined && parseKey(key) === null);
}

/**
 * The caller of a request's keys. Throws `unauthorized` if there is no key, if they differ, or if the key is
 * invalid; `rate_limited` after too many invalid ones from `address`, which is called only for a wrong key.
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

/** Counts a wrong key. An unreachable database must not turn the answer into a 503. */
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
