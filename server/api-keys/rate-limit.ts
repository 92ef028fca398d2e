import { AppError } from '#server/core/errors.ts';
import { sendsAtOnce } from '#server/core/limits.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { type Bucket, spendTokens, takeTokens } from '#server/platform/db/rate-buckets.ts';
import { settings } from '#server/settings.ts';
import type { Caller } from './caller.ts';

/** The values of the `RateLimit` headers. */
export interface RateState {
  policy: 'sends' | 'reads';
  /** Tokens that the bucket holds when full. */
  limit: number;
  remaining: number;
  /** Whole seconds until it is full again. */
  resetSeconds: number;
  /** Seconds in which an empty bucket fills. */
  windowSeconds: number;
}

/** Called with the state of the bucket, also before a refusal is thrown. */
type OnState = (state: RateState) => void;

/** Takes a send from the account's bucket, exact over all web processes. Throws `rate_limited`. */
export async function takeSend(
  { database }: InstallationContext,
  caller: Caller,
  onState: OnState = () => {},
): Promise<void> {
  const bucket = sendsOf(caller);
  const { taken, tokens } = await takeTogether(database, bucket);
  onState(stateOf('sends', bucket, tokens));
  if (!taken) throw refusal(bucket, tokens);
}

/** Takes a read. Counted in this process and written in batches, so it may exceed the limit by a tenth. */
export async function takeRead(
  { database }: InstallationContext,
  caller: Caller,
  onState: OnState = () => {},
): Promise<void> {
  const bucket = readsOf(caller);
  const tokens = await localRead(database, bucket);
  onState(stateOf('reads', bucket, Math.max(0, tokens)));
  if (tokens < 0) throw refusal(bucket, tokens + 1);
}

/** Counts a wrong key from `address`. Throws `rate_limited` when there were too many from there. */
export async function takeBadKey({ database }: InstallationContext, address: string): Promise<void> {
  const perMinute = settings.rateBadKeysPerMinute;
  const bucket = { key: `bad-keys:${address}`, perSecond: perMinute / 60, capacity: perMinute };
  const { taken, tokens } = await takeTogether(database, bucket);
  if (taken) return;
  throw new AppError('rate_limited', OUTCOMES.rate_limited.says.badKeys, {
    retryAfterSeconds: secondsUntil(1 - tokens, bucket),
  });
}

function sendsOf(caller: Caller): Bucket {
  const perMinute = settings.rateSendsPerMinute * caller.numbersIncluded;
  return {
    key: `sends:${caller.accountId}`,
    perSecond: perMinute / 60,
    capacity: sendsAtOnce(perMinute),
  };
}

function readsOf(caller: Caller): Bucket {
  const perMinute = settings.rateReadsPerMinute * caller.numbersIncluded;
  return { key: `reads:${caller.accountId}`, perSecond: perMinute / 60, capacity: perMinute };
}

interface Taken {
  taken: boolean;
  tokens: number;
}

const waiting = new WeakMap<Database, Map<string, ((result: Promise<Taken>) => void)[]>>();

/** Takes a token. One statement serves all calls for a bucket that come at the same moment. */
function takeTogether(database: Database, bucket: Bucket): Promise<Taken> {
  const heaps = waiting.get(database) ?? new Map<string, ((result: Promise<Taken>) => void)[]>();
  waiting.set(database, heaps);
  return new Promise((resolve) => {
    const heap = heaps.get(bucket.key);
    if (heap) {
      heap.push(resolve);
      return;
    }
    const fresh = [resolve];
    heaps.set(bucket.key, fresh);
    setImmediate(() => {
      heaps.delete(bucket.key);
      const result = takeUpTo(database, bucket, fresh.length);
      fresh.forEach((settle, i) => {
        settle(
          result.then(({ granted, tokens }) => ({
            taken: i < granted,
            tokens: tokens + Math.max(0, granted - 1 - i),
          })),
        );
      });
    });
  });
}

/** Takes as many of the `wanted` tokens as there are. */
async function takeUpTo(
  database: Database,
  bucket: Bucket,
  wanted: number,
): Promise<{ granted: number; tokens: number }> {
  let asked = Math.min(wanted, Math.floor(bucket.capacity));
  for (;;) {
    const { taken, tokens } = await takeTokens(database, bucket, asked);
    if (taken) return { granted: asked, tokens };
    asked = Math.min(asked - 1, Math.floor(tokens));
    if (asked < 1) return { granted: 0, tokens };
  }
}

interface LocalCount {
  tokens: number;
  atMs: number;
  spent: number;
  settling: boolean;
}

const counts = new Map<string, LocalCount>();
/** Buckets with a running statement, which later calls wait for. */
const looks = new Map<string, Promise<LocalCount>>();
/** Two web processes that each keep a twentieth exceed the limit by a tenth. */
const SETTLE_SHARE = 1 / 20;
const SETTLE_MS = 1000;
const FORGOTTEN_MS = 60_000;

/** Tokens left after this read; negative when it must be refused. */
async function localRead(database: Database, bucket: Bucket): Promise<number> {
  const known = counts.get(bucket.key);
  const stale = !known || performance.now() - known.atMs > FORGOTTEN_MS;
  const count = stale ? await lookAt(database, bucket) : known;
  const now = performance.now();
  const left =
    Math.min(bucket.capacity, count.tokens + (bucket.perSecond * (now - count.atMs)) / 1000) -
    count.spent -
    1;
  // A refused read costs nothing, so that a caller that waits for `Retry-After` is accepted.
  if (left < 0) {
    if (now - count.atMs > SETTLE_MS) settle(database, bucket, count);
    return left;
  }
  count.spent += 1;
  if (count.spent >= Math.max(1, bucket.capacity * SETTLE_SHARE) || now - count.atMs > SETTLE_MS)
    settle(database, bucket, count);
  return left;
}

function lookAt(database: Database, bucket: Bucket): Promise<LocalCount> {
  const look =
    looks.get(bucket.key) ??
    spendTokens(database, bucket, 0)
      .then((tokens) => {
        const count = { tokens, atMs: performance.now(), spent: 0, settling: false };
        counts.set(bucket.key, count);
        if (counts.size > 10_000) counts.delete(counts.keys().next().value ?? '');
        return count;
      })
      .finally(() => looks.delete(bucket.key));
  looks.set(bucket.key, look);
  return look;
}

function settle(database: Database, bucket: Bucket, count: LocalCount): void {
  if (count.settling) return;
  count.settling = true;
  const spent = count.spent;
  spendTokens(database, bucket, spent)
    .then((tokens) => {
      Object.assign(count, { tokens, atMs: performance.now(), spent: count.spent - spent });
    })
    .catch(() => {}) // the next read tries again
    .finally(() => {
      count.settling = false;
    });
}

function refusal(bucket: Bucket, tokens: number): AppError {
  const retryAfterSeconds = secondsUntil(1 - tokens, bucket);
  const sentence = OUTCOMES.rate_limited.says.account(retryAfterSeconds, Math.round(bucket.perSecond * 60));
  return new AppError('rate_limited', sentence, { retryAfterSeconds });
}

function secondsUntil(tokens: number, bucket: Bucket): number {
  return Math.max(1, Math.ceil(tokens / bucket.perSecond));
}

function stateOf(policy: RateState['policy'], bucket: Bucket, tokens: number): RateState {
  return {
    policy,
    limit: Math.floor(bucket.capacity),
    remaining: Math.max(0, Math.floor(tokens)),
    resetSeconds: Math.ceil((bucket.capacity - tokens) / bucket.perSecond),
    windowSeconds: Math.round(bucket.capacity / bucket.perSecond),
  };
}
