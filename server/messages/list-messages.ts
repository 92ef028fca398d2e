import { type MessageContent, previewLine } from '#server/core/message.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { areInBlocks, findBlocks, gramsOfSearch } from './queries/block-search.ts';
import { findStretch, isScanned, type MessageFilter } from './queries/message-filter.ts';
import { listMessageRows } from './queries/message-list.ts';

/** Enough for one line on the widest screen. */
const PREVIEW_CHARS = 160;

/** So many messages are looked through at once, in less than 50 ms on a machine with nothing else to do. */
const LOOKED_THROUGH = 25_000;
/** So many are looked through first if blocks hold the others. A text that many messages have fills the page here. */
const LOOKED_THROUGH_FIRST = 5_000;
/** So many blocks of messages are looked through then. */
const BLOCKS_MAX = 400;

/**
 * A page of an account's messages, newest first. Where no index finds the matches, a page looks through a limited
 * number of messages and ends there, so that no page takes long. A search skips blocks of messages that cannot match.
 */
export async function listMessages(
  { database, accountId }: AccountScope,
  input: Omit<MessageFilter, 'accountId'> & {
    before?: number | undefined;
    limit: number;
    lookThrough?: number;
    blocksMax?: number;
  },
) {
  const { limit, before = null, lookThrough = LOOKED_THROUGH, blocksMax = BLOCKS_MAX } = input;
  const filter = { ...input, accountId, before };
  const grams = isScanned(filter) ? await gramsOfSearch(database.db, filter) : null;
  const first = grams
    ? await findStretch(database.db, { ...filter, rows: Math.min(lookThrough, LOOKED_THROUGH_FIRST) })
    : null;
  const blocksFollow = first !== null && (await areInBlocks(database.db, { ...filter, end: first }));
  let end = first;
  if (!blocksFollow)
    end = isScanned(filter) ? await findStretch(database.db, { ...filter, rows: lookThrough }) : null;
  const rows = await listMessageRows(database.db, { ...filter, downTo: end, limit: limit + 1 });
  if (end && grams && blocksFollow && rows.length <= limit) {
    const found = await findBlocks(database.db, { ...filter, end, grams, limit: blocksMax });
    if (found) {
      const more = { ...filter, ...found, before: end.seq, limit: limit + 1 - rows.length };
      if (found.blocks.length > 0) rows.push(...(await listMessageRows(database.db, more)));
      end = found.downTo;
    }
  }
  const page = rows.slice(0, limit).map(({ content, ...row }) => ({ ...row, preview: previewOf(content) }));
  const full = rows.length > limit;
  return {
    rows: page,
    /** The `before` of the next page; null at the end of the list. A page may have few rows, or none, before the end. */
    next: (full ? page.at(-1) : end)?.seq ?? null,
    /** A page that ends early: messages from then on were looked through. */
    lookedBackTo: full ? undefined : end?.createdAt,
  };
}

export function previewOf(content: MessageContent | null): string | null {
  if (!content) return null;
  const line = previewLine(content).replace(/\s+/gu, ' ').trim();
  const chars = [...line];
  return chars.length > PREVIEW_CHARS ? `${chars.slice(0, PREVIEW_CHARS - 1).join('')}…` : line;
}
