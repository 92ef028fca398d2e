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
  putBlock,
  type ReadMessage,
  readBlock,
  readNextMessages,
  renewBlock,
  whileNothingIsErased,
} from './queries/search-blocks.ts';

const INDEX_EVERY_MS = 60_000;
/** Messages at a time. Fewer than a search looks through first, so the newest ones need no block. */
export const INDEX_BATCH = 2_000;
/** Of a run, so that messages of an earlier version come into blocks without slowing what else the machine does. */
const BATCHES_MAX = 25;
const STALE_BATCH = 100;
const ENDS_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

/**
 * Puts messages into blocks, oldest first, for the search. Safe to repeat, to interrupt and to run concurrently. Returns how
 * many messages came into blocks, and how many blocks were made again.
 */
export async function indexMessages(
  { database }: InstallationContext,
  { batch = INDEX_BATCH, batches = BATCHES_MAX } = {},
): Promise<{ indexed: number; renewed: number }> {
  const done = { indexed: 0, renewed: await renewStale(database, { batches }) };
  for (let left = batches; left > 0; ) {
    const next = await listNextMessages(database, { batch });
    if (next.length === 0 || !(await writersHaveEnded(database))) break;
    for (const part of next.slice(0, left)) {
      const indexed = await whileNothingIsErased(database, (tx) => makeBlocks(tx, part));
      if (indexed === null) return done;
      done.indexed += indexed;
      await mergePending(database);
    }
    left -= next.length;
  }
  return done;
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
  for (const [numberId, ofNumber] of Map.groupBy(read, (message) => message.numberId)) {
    for (let from = 0; from < ofNumber.length; from += BLOCK_MESSAGES) {
      const some = ofNumber.slice(from, from + BLOCK_MESSAGES);
      const seqs = some.map(({ seq }) => seq);
      const times = some.map(({ createdAt }) => createdAt.getTime());
      // One at a time, so that sessions of this worker wait for no more than one.
      await putBlock(tx, {
        ...{ accountId, numberId },
        ...{ fromSeq: Math.min(...seqs), toSeq: Math.max(...seqs) },
        ...{ fromAt: new Date(Math.min(...times)), toAt: new Date(Math.max(...times)) },
        grams: gramsOfBlock({ accountId, numberId }, some),
      });
    }
  }
  return read.length;
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
async function renewStale(database: Database, { batches }: { batches: number }): Promise<number> {
  let renewed = 0;
  for (let left = batches; left > 0; left -= 1) {
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
    if (some === null || some < STALE_BATCH) break;
  }
  return renewed;
}

/** Keeps the blocks until stopped. Each worker does this, in case others have ended. */
export function watchSearch({ database }: InstallationContext): () => Promise<void> {
  return runPeriodically(() => indexMessages({ database }), {
    everyMs: INDEX_EVERY_MS,
    failed: 'messages could not be indexed for the search',
  });
}
