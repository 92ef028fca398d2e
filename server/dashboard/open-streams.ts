import { AppError } from '#server/core/errors.ts';

/** Each open page has one. A browser opens no more connections to a host over HTTP/1.1. */
const OF_SIGN_IN_MAX = 10;
const OF_ACCOUNT_MAX = 50;
const RETRY_AFTER_SECONDS = 5;

const open = new Map<string, number>();

interface Limit {
  key: string;
  max: number;
  sentence: string;
}

/**
 * Counts a live stream of this process and returns a function that ends it. Throws `rate_limited` if its sign-in
 * or account has too many.
 */
export function takeStream(of: { signInId: string; accountId: string }): () => void {
  const sentence = (whose: string, max: number) =>
    `${whose} ${max} pages of the dashboard open. Close one to see live changes here.`;
  return take([
    { key: of.signInId, max: OF_SIGN_IN_MAX, sentence: sentence('This browser has', OF_SIGN_IN_MAX) },
    {
      key: of.accountId,
      max: OF_ACCOUNT_MAX,
      sentence: sentence('The people of this account have', OF_ACCOUNT_MAX),
    },
  ]);
}

/**
 * The same for a download, of an account or with null of the administrator, who get one at a time: it reads all that
 * they have.
 */
export function takeDownload({ accountId }: { accountId: string | null }): () => void {
  const sentence =
    accountId === null
      ? 'Another file is being downloaded. Wait until it is complete, then try again.'
      : 'Another file of this account is being downloaded. Wait until it is complete, then try again.';
  return take([{ key: `download ${accountId}`, max: 1, sentence }]);
}

function take(limits: readonly Limit[]): () => void {
  for (const { key, max, sentence } of limits)
    if ((open.get(key) ?? 0) >= max)
      throw new AppError('rate_limited', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  for (const { key } of limits) open.set(key, (open.get(key) ?? 0) + 1);
  let given = false;
  return () => {
    if (given) return;
    given = true;
    for (const { key } of limits) {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
