import { type ShownContent, shownContent } from '#server/core/message.ts';
import { readVcard } from '#server/core/vcard.ts';
import type { InboxEntry } from './contract.ts';

/** What the recipient's phone shows of a message. */
export const entryContent = (entry: Omit<InboxEntry, 'ack'>): ShownContent =>
  shownContent(entry.type, { ...entry, ...readVcard(entry.vcard ?? '') });
