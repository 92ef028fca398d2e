import { isSettled, type MessageStatus } from '#server/core/message-state.ts';
import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { onMessageChange } from '#server/platform/queue/changes.ts';
import type { MediaDownloads } from '../dispatch/media-downloads.ts';
import type { LeasedNumbers } from './leased-numbers.ts';

/** Outcomes that say whether a build works. */
const BUILD_OUTCOMES: ReadonlySet<MessageStatus> = new Set(['sent', 'failed', 'unknown']);

/**
 * Follows the messages of a worker's numbers: counts them in the metrics, removes the files of settled ones, and starts
 * on accepted ones. Resolves to a function that stops. After a lost connection, numbers check their queues themselves.
 */
export function followMessages(
  workerId: string,
  { leased, media, log }: { leased: LeasedNumbers; media: MediaDownloads; log: Log },
): Promise<() => void> {
  return onMessageChange(workerId, (change) => {
    if (change.kind === 'resync') return;
    const { messageId, status, awaitsMedia } = change;
    const number = leased.runner(change.numberId);
    const build = number?.build;
    if (number) metrics().messages.inc({ status });
    if (build && BUILD_OUTCOMES.has(status)) metrics().messagesByBuild.inc({ build, status });
    if (isSettled(status))
      media
        .release(messageId)
        .catch((error: unknown) => log.warn({ err: error }, 'a file could not be removed'));
    if (status !== 'queued') return;
    if (awaitsMedia) number?.dispatch.lookForWork();
    else number?.dispatch.wake();
  });
}
