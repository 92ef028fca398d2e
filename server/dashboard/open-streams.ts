import { AppError } from '#server/core/errors.ts';

/** Each open page has one. A browser opens no more connections to a host over HTTP/1.1. */
const OF_SIGN_IN_MAX = 10;
const OF_ACCOUNT_MAX = 50;
const RETRY_AFTER_SECONDS = 5;

const open = new Map<string, number>();

/**
 * Counts a live stream of this process and returns a function that ends it. Throws `rate_limited` if its sign-in
 * or account has too many.
 */
export function takeStream(of: { signInId: string; accountId: string }): () => void {
  const limits: [key: string, max: number, whose: string][] = [
    [of.signInId, OF_SIGN_IN_MAX, 'This browser has'],
    [of.accountId, OF_ACCOUNT_MAX, 'The people of this account have'],
  ];
  for (const [key, max, whose] of limits)
    if ((open.get(key) ?? 0) >= max)
      throw new AppError(
        'rate_limited',
        `${whose} ${max} pages of the dashboard open. Close one to see live changes here.`,
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
  for (const [key] of limits) open.set(key, (open.get(key) ?? 0) + 1);
  let given = false;
  return () => {
    if (given) return;
    given = true;
    for (const [key] of limits) {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
