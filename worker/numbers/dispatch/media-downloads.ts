import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { AppError } from '#server/core/errors.ts';
import type { Holding } from '#server/core/lease.ts';
import { isMedia } from '#server/core/message.ts';
import { because, type MessageOutcome } from '#server/core/message-outcome.ts';
import { isSettled } from '#server/core/message-state.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import {
  mediaInUse,
  type PendingMedia,
  pendingMedia,
  readyMedia,
  writeMediaFailed,
  writeMediaPending,
  writeMediaReady,
} from '#server/messages/queries/media.ts';
import { findMessage } from '#server/messages/queries/outcomes.ts';
import { retryUntil } from '#server/messages/retry-until.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { FileError } from '#server/platform/media/media-errors.ts';
import type { MediaFetcher } from '#server/platform/media/media-fetcher.ts';
import type { Spool } from '#server/platform/media/spool.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';

/** What becomes of a message whose download failed. */
function outcomeOf(failure: AppError | null): MessageOutcome {
  if (!failure) return because('send_failed', 'notStored');
  if (failure instanceof FileError)
    return { errorCode: failure.code, outcome: { say: 'file', file: failure.file } };
  return { errorCode: failure.code, outcome: { say: 'detail', detail: failure.message } };
}

/** A downloaded file waits so long for the database. */
const RECORD_WITHIN_MS = 60_000;

/** For a file that is found damaged in its message's turn: the caller still waits. */
const AGAIN_WITHIN_MS = 10_000;

/**
 * Downloads the files of waiting messages for this worker's numbers. A download starts as soon as its message is
 * accepted, because links expire.
 */
export class MediaDownloads {
  readonly #downloads = new Map<string, { numberId: string; controller: AbortController }>();
  readonly #o: { database: Database; log: Log; fetch: MediaFetcher; spool: Spool };

  constructor(options: { database: Database; log: Log; fetch: MediaFetcher; spool: Spool }) {
    this.#o = options;
  }

  /**
   * The file of a message whose turn it is, exactly as it was downloaded; null if the message has none. A damaged file is
   * downloaded once more. Rejects with {@link SendError}.
   */
  async read({ id, accountId, content, mediaSha256 }: ClaimedMessage): Promise<Buffer | null> {
    if (!isMedia(content)) return null;
    const stored = await this.#intact(id, mediaSha256);
    if (stored) return stored;
    const { log, fetch } = this.#o;
    log.error({ messageId: id }, 'a stored file is damaged or missing; it is downloaded again');
    const signal = AbortSignal.timeout(AGAIN_WITHIN_MS);
    const lost = await fetch({ accountId, messageId: id, url: content.url, kind: content.type, signal }).then(
      () => null,
      (error: unknown) => error,
    );
    const again = lost ? null : await this.#intact(id, mediaSha256);
    if (again) return again;
    throw new SendError(true, 'media_damaged', 'the stored file is damaged', { cause: lost });
  }

  /** A stored file, unless it is missing or not as it was recorded. */
  async #intact(messageId: string, sha256: string | null): Promise<Buffer | null> {
    const bytes = await readFile(this.#o.spool.pathFor(messageId)).catch(() => null);
    if (bytes === null) return null;
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null;
  }

  /** Starts to download the pending files of a number, unless it is handed over; calls `ready` for each finished file. */
  async fetchPending(
    holding: Holding,
    { ready, isOver }: { ready(): void; isOver(): boolean },
  ): Promise<void> {
    for (const media of await pendingMedia(this.#o.database, holding)) {
      if (!this.#downloads.has(media.messageId) && !isOver()) void this.#fetch(holding, media, ready);
    }
  }

  /** The messages whose files are being downloaded. */
  fetching(): string[] {
    return [...this.#downloads.keys()];
  }

  /** The number moves to another worker, which downloads its files itself. */
  leave(numberId: string): void {
    for (const one of this.#downloads.values())
      if (one.numberId === numberId) one.controller.abort(new Error('the number is handed over'));
  }

  /**
   * Marks files that only another worker has, so that they are downloaded again. Also those with another content: from before
   * another worker downloaded them, or damaged by a power failure.
   */
  async recover(holding: Holding): Promise<void> {
    const missing: string[] = [];
    for (const { messageId, sha256 } of await readyMedia(this.#o.database, holding))
      if (!(await this.#intact(messageId, sha256))) missing.push(messageId);
    if (missing.length > 0) await writeMediaPending(this.#o.database, holding, { messageIds: missing });
  }

  /** The message has its outcome, so its file is no longer needed. */
  async release(messageId: string): Promise<void> {
    if (this.#o.spool.has(messageId) && !this.#downloads.has(messageId))
      await this.#o.spool.remove(messageId);
  }

  /** Removes files that are no longer needed, and counts the bytes of each account. */
  async sweep(): Promise<void> {
    await this.#o.spool.sweep(await mediaInUse(this.#o.database));
  }

  /** While a message waits, its file may be needed: by another worker on this volume, or recorded by a lost attempt. */
  async #removeSettled(of: { numberId: string; messageId: string }): Promise<void> {
    const message = await findMessage(this.#o.database.db, of);
    if (!message || isSettled(message.status)) await this.#o.spool.remove(of.messageId);
  }

  stop(): void {
    for (const { controller } of this.#downloads.values())
      controller.abort(new Error('the worker is stopping'));
  }

  async #fetch(holding: Holding, media: PendingMedia, ready: () => void): Promise<void> {
    const { database, log, fetch } = this.#o;
    const { numberId } = holding;
    const { messageId, accountId, content } = media;
    const controller = new AbortController();
    this.#downloads.set(messageId, { numberId, controller });
    try {
      const fetched = await fetch({
        accountId,
        messageId,
        url: content.url,
        kind: content.type,
        filename: content.type === 'document' ? content.filename : undefined,
        signal: controller.signal,
      });
      const awaited = await retryUntil(
        () => writeMediaReady(database, holding, { messageId, ...fetched }),
        performance.now() + RECORD_WITHIN_MS,
        () => new AppError('send_failed', OUTCOMES.send_failed.says.notStored),
        'a downloaded file cannot be recorded yet',
      );
      metrics().mediaFetches.inc({ result: 'ok' });
      if (awaited) ready();
      else await this.#removeSettled({ numberId, messageId });
    } catch (error) {
      if (controller.signal.aborted) return; // stays pending for the next worker
      const failure = error instanceof AppError ? error : null;
      metrics().mediaFetches.inc({ result: failure?.code ?? 'internal' });
      if (!failure) log.error({ err: error, messageId }, 'downloading a file failed');
      await writeMediaFailed(database, holding, {
        messageId,
        ...outcomeOf(failure),
      }).catch((cause: unknown) =>
        log.warn({ err: cause, messageId }, 'a failed download could not be stored'),
      );
    } finally {
      this.#downloads.delete(messageId);
    }
  }
}
