import { type MessageContent, previewLine } from '#server/core/message.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { type ListedMessageRow, listMessageRows, type MessageFilter } from './queries/message-list.ts';

export interface ListedMessage extends Omit<ListedMessageRow, 'content'> {
  /** A line of its content; null when erased. */
  preview: string | null;
}

/** Enough for one line on the widest screen. */
const PREVIEW_CHARS = 160;

/** A page of an account's messages, newest first; `next` is the `before` of the following page. */
export async function listMessages(
  { database, accountId }: AccountScope,
  input: Omit<MessageFilter, 'accountId'> & { before?: number | undefined; limit: number },
): Promise<{ rows: ListedMessage[]; next: number | null }> {
  const { limit, before = null } = input;
  const filter = { ...input, accountId, search: input.search?.trim() || undefined };
  const rows = await listMessageRows(database.db, { ...filter, before, limit: limit + 1 });
  const page = rows.slice(0, limit).map(({ content, ...row }) => ({ ...row, preview: previewOf(content) }));
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null };
}

/** A message's line in a list. */
export function previewOf(content: MessageContent | null): string | null {
  if (!content) return null;
  const line = previewLine(content).replace(/\s+/gu, ' ').trim();
  const chars = [...line];
  return chars.length > PREVIEW_CHARS ? `${chars.slice(0, PREVIEW_CHARS - 1).join('')}…` : line;
}
