import { type ShownContent, shownContent } from '#server/core/message.ts';
import { readVcard } from '#server/core/vcard.ts';
import type { InboxEntry } from './contract.ts';

/** The content of a message as the recipient's phone shows it. */
export const entryContent = (entry: Omit<InboxEntry, 'ack'>): ShownContent =>
  shownContent(entry.type, { ...entry, ...readVcard(entry.vcard ?? '') });
