import { addressBlock } from '#server/core/client-address.ts';
import { AppError } from '#server/core/errors.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { type Bucket, takeTokens } from '#server/platform/db/rate-buckets.ts';
import { digest } from '#server/platform/digest.ts';
import { type Attempts, returnAttempt, takeAttempt, waitSeconds } from './queries/attempts.ts';

/** Takes one attempt from a bucket. Throws `rate_limited` with the time to wait. */
export async function takeTry(
  { database }: InstallationContext,
  bucket: Bucket,
  toDo: string,
): Promise<void> {
  const { taken, tokens } = await takeTokens(database, bucket);
  if (!taken) throw tooMany(toDo, (1 - tokens) / bucket.perSecond);
}

/**
 * Adds one attempt to all of these counts, or to none. Resolves to whether one of them is now slowed down. Throws
 * `rate_limited` with the time to wait.
 */
export async function takeAttempts(
  { database }: InstallationContext,
  all: readonly Attempts[],
  toDo: string,
): Promise<boolean> {
  const taken: Attempts[] = [];
  let slowed = false;
  for (const attempts of all) {
    const count = await takeAttempt(database, attempts);
    if (count === null) {
      await giveBack({ database }, taken);
      throw tooMany(toDo, await waitSeconds(database, attempts));
    }
    taken.push(attempts);
    slowed ||= count >= attempts.free;
  }
  return slowed;
}

/** Takes back attempts that succeeded. */
export async function giveBack({ database }: InstallationContext, all: readonly Attempts[]): Promise<void> {
  for (const attempts of all) await returnAttempt(database, attempts);
}

/** The name under which the attempts from an address are counted. */
export function fromAddress(name: string, address: string | null): string {
  return `${name}:${digest(addressBlock(address))}`;
}

function tooMany(toDo: string, seconds: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
  const wait =
    retryAfterSeconds < 120 ? `${retryAfterSeconds} s` : `${Math.ceil(retryAfterSeconds / 60)} minutes`;
  return new AppError('rate_limited', `Too many attempts to ${toDo}. Wait ${wait}, then try again.`, {
    retryAfterSeconds,
  });
}
