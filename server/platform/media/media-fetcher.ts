import { type FetchedMedia, fetchMedia, type MediaRequest } from './fetch-media.ts';
import { createKeyedLimiter } from './limit.ts';
import type { Spool } from './spool.ts';

/** So that one account's slow hosts hold up nobody else's files. */
const FETCHES_PER_ACCOUNT_MAX = 2;

/** Fetches the file of a message into the spool, when its account's turn has come. */
export type MediaFetcher = (
  job: { accountId: string; messageId: string } & Pick<MediaRequest, 'url' | 'kind' | 'signal'>,
) => Promise<FetchedMedia>;

/**
 * A fetcher for one process: at most two files at once for an account, in the order of the calls, into the
 * spool's budget. The time limits of {@link fetchMedia} begin when the turn has come; its errors pass through.
 */
export function createMediaFetcher(
  options: { spool: Spool } & Pick<MediaRequest, 'allowHosts' | 'ports' | 'times' | 'network'>,
): MediaFetcher {
  const { spool, ...rules } = options;
  const limit = createKeyedLimiter(FETCHES_PER_ACCOUNT_MAX);
  return ({ accountId, messageId, ...job }) =>
    limit(
      accountId,
      async () => {
        // What an earlier try left would stay in the count of the spool's bytes.
        await spool.remove(messageId);
        const budget = spool.budgetFor({ accountId, messageId });
        return fetchMedia({ ...rules, ...job, spoolFile: spool.pathFor(messageId), budget });
      },
      job.signal,
    );
}
