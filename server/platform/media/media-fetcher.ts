import { type FetchedMedia, fetchMedia, type MediaRequest } from './fetch-media.ts';
import { createKeyedLimiter } from './limit.ts';
import type { Spool } from './spool.ts';

/** So that one account's slow hosts do not delay other accounts' files. */
const FETCHES_PER_ACCOUNT_MAX = 2;

/** Fetches the file of a message into the spool when it is its account's turn. */
export type MediaFetcher = (
  job: { accountId: string; messageId: string } & Pick<MediaRequest, 'url' | 'kind' | 'filename' | 'signal'>,
) => Promise<FetchedMedia>;

/**
 * A fetcher for one process: at most two files of an account at once, in the order of the calls, within the
 * spool's limit. The time limits of {@link fetchMedia} begin with the file's turn; its errors pass through.
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
        // Otherwise the leftovers of an earlier attempt would stay in the spool's count.
        await spool.remove(messageId);
        const budget = spool.budgetFor({ accountId, messageId });
        return fetchMedia({ ...rules, ...job, spoolFile: spool.pathFor(messageId), budget });
      },
      job.signal,
    );
}
