import { setTimeout as pause } from 'node:timers/promises';
import { addGrams, ownerGram } from '#server/core/search-grams.ts';
import type { Database, Tx } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { BLOCK_MESSAGES } from '#server/schema/search-blocks.ts';
import {
  lastBlocked,
  listNextMessages,
  listStaleBlocks,
  listWriters,
  mergePending,
  type NextMessages,
  putBlocks,
  type ReadMessage,
  readBlock,
  readNextMessages,
  renewBlock,
  whileNothingIsErased,
} from './queries/search-blocks.ts';
import { endSearchWait, noteSearchWait } from './queries/search-wait.ts';

const INDEX_EVERY_MS = 60_000;
/** Messages at a time. Fewer than a search looks through first, so the newest ones need no block. */
export const INDEX_BATCH = 2_000;
/** A run ends before the next one, so that emptied blocks are filled each minute. */
const RUN_MS = 50_000;
/** Pauses are this many times as long as the work before them, so that sending has most of a busy machine. */
const RESTS = 2;
const STALE_BATCH = 100;
/** Blocks of a statement. With more, sessions of this worker would wait while it writes them as text. */
const PUT_BATCH = 8;
const ENDS_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

export interface IndexPace {
  batch?: number;
  /** How many times as long as the work the pause after it is. */
  rests?: number;
  /** Ends the run before its next batch. */
  signal?: AbortSignal;
}

/**
 * Puts messages into blocks, oldest first, for the search. Safe to repeat, to interrupt and to run concurrently. Returns how
 * many messages came into blocks, and how many blocks were made again. Reports if it has to wait, see `findSearchWait`.
 */
export async function indexMessages(
  { database }: InstallationContext,
  pace: IndexPace = {},
): Promise<{ indexed: number; renewed: number }> {
  try {
    const renewed = await renewStale(database, pace);
    const { indexed, waits } = await indexNext(database, pace);
    if (waits) await noteSearchWait(database);
    else if (waits === false) await endSearchWait(database);
    return { indexed, renewed };
  } catch (error) {
    await noteSearchWait(database).catch(() => {});
    throw error;
  }
}

/** `waits`: for another transaction; null if another process makes blocks. */
async function indexNext(
  database: Database,
  { batch = INDEX_BATCH, ...pace }: IndexPace,
): Promise<{ indexed: number; waits: boolean | null }> {
  let indexed = 0;
  for (let fromMs = performance.now(); ; ) {
    const next = await listNextMessages(database, { batch });
    if (next.length === 0) return { indexed, waits: false };
    if (!(await writersHaveEnded(database))) return { indexed, waits: true };
    for (const part of next) {
      // The pause is before the batch: if another process makes blocks meanwhile, only that one continues.
      if (!(await rest(fromMs, pace))) return { indexed, waits: false };
      fromMs = performance.now();
      const made = await whileNothingIsErased(database, (tx) => makeBlocks(tx, part));
      if (!made) return { indexed, waits: null };
      indexed += made;
      await mergePending(database);
    }
  }
}

/** Pauses after the work since `fromMs`; false once the run is to end. */
async function rest(fromMs: number, { rests = 0, signal }: IndexPace): Promise<boolean> {
  const restMs = (performance.now() - fromMs) * rests;
  if (restMs > 0) await pause(restMs, undefined, { signal }).catch(() => {});
  return !signal?.aborted;
}

/** Waits until all transactions that write messages now have ended; false if one takes too long. */
async function writersHaveEnded(database: Database): Promise<boolean> {
  const before = await listWriters(database);
  for (let waitedMs = 0; waitedMs <= ENDS_WITHIN_MS; waitedMs += LOOK_EVERY_MS) {
    const now = before.length === 0 ? [] : await listWriters(database);
    if (!before.some((writer) => now.includes(writer))) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}

async function makeBlocks(tx: Tx, part: NextMessages): Promise<number> {
  const { accountId, after } = part;
  // Another process may have been first.
  if ((await lastBlocked(tx, { accountId })) !== after) return 0;
  const read = await readNextMessages(tx, part);
  for (const [numberId, ofNumber] of Map.groupBy(read, (message) => message.numberId))
    for (let from = 0; from < ofNumber.length; from += PUT_BATCH * BLOCK_MESSAGES) {
      const some = ofNumber.slice(from, from + PUT_BATCH * BLOCK_MESSAGES);
      await putBlocks(tx, blocksOf({ accountId, numberId }, some));
    }
  return read.length;
}

function blocksOf(owner: { accountId: string; numberId: string }, read: ReadMessage[]) {
  return Array.from({ length: Math.ceil(read.length / BLOCK_MESSAGES) }, (_, n) => {
    const some = read.slice(n * BLOCK_MESSAGES, (n + 1) * BLOCK_MESSAGES);
    const seqs = some.map(({ seq }) => seq);
    const times = some.map(({ createdAt }) => createdAt.getTime());
    return {
      ...owner,
      ...{ fromSeq: Math.min(...seqs), toSeq: Math.max(...seqs) },
      ...{ fromAt: new Date(Math.min(...times)), toAt: new Date(Math.max(...times)) },
      grams: gramsOfBlock(owner, some),
    };
  });
}

function gramsOfBlock(
  { accountId, numberId }: { accountId: string; numberId: string },
  read: ReadMessage[],
): number[] {
  const grams = new Set([ownerGram(accountId), ownerGram(numberId)]);
  for (const { text } of read) addGrams(grams, text);
  return [...grams];
}

/** Reads the blocks again of which a text was erased or a message deleted. */
async function renewStale(database: Database, pace: IndexPace): Promise<number> {
  let renewed = 0;
  for (let fromMs = performance.now(); ; fromMs = performance.now()) {
    const some = await whileNothingIsErased(database, async (tx) => {
      const stale = await listStaleBlocks(tx, { limit: STALE_BATCH });
      for (const block of stale) {
        const read = await readBlock(tx, block);
        await renewBlock(tx, block, read.length === 0 ? null : gramsOfBlock(block, read));
      }
      return stale.length;
    });
    renewed += some ?? 0;
    if (some) await mergePending(database);
    if (some === null || some < STALE_BATCH || !(await rest(fromMs, pace))) return renewed;
  }
}

/** Keeps the blocks until stopped. Each worker does this, in case others have ended. */
export function watchSearch({ database }: InstallationContext): () => Promise<void> {
  const stopping = new AbortController();
  const stop = runPeriodically(
    () => {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(RUN_MS)]);
      return indexMessages({ database }, { rests: RESTS, signal });
    },
    { everyMs: INDEX_EVERY_MS, failed: 'messages could not be indexed for the search' },
  );
  return async () => {
    stopping.abort();
    await stop();
  };
}
