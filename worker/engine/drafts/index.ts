import type { MessageContent, MessageType } from '#server/core/message.ts';
import { audio } from './audio.ts';
import { contact } from './contact.ts';
import { document } from './document.ts';
import { type Draft, type DraftKind, type SeenDraft, UPLOADED } from './draft.ts';
import { image } from './image.ts';
import { location } from './location.ts';
import { text } from './text.ts';

/** How each kind of message is built in the page. */
export const DRAFTS: { [T in MessageType]: DraftKind<T> } = {
  text,
  image,
  document,
  location,
  contact,
  audio,
};

/** The draft of a message. `file`: its bytes, for a kind with a file. */
export function draftOf(content: MessageContent, file: { bytes: Buffer; mimeType: string } | null): Draft {
  const kind = DRAFTS[content.type] as DraftKind<MessageType>;
  const draft = { type: kind.type, fields: kind.fields(content), file: null };
  if (!kind.file) return draft;
  if (!file) throw new Error('the file is missing');
  const { bytes, mimeType } = file;
  return { ...draft, file: { ...kind.file(content), mimeType, base64: bytes.toString('base64') } };
}

/** What is wrong with a message that is about to leave, in a clause; null if nothing is. */
export function faultOf(
  type: MessageType,
  seen: SeenDraft,
  waMessageId: string,
  { uploaded = true } = {},
): string | null {
  const { type: expected, needs } = DRAFTS[type];
  if (seen.type !== expected) return `its type is ${String(seen.type)} and not ${expected}`;
  if (seen.id !== waMessageId) return 'its key has another ID';
  // Copied out of one of the page's models.
  const stray = seen.names.find((name) => /^(__x_|\$\d)/.test(name));
  if (stray !== undefined) return `it has the attribute ${stray}`;
  const missing = needs.find((name) => !seen.names.includes(name) && (uploaded || !UPLOADED.includes(name)));
  return missing === undefined ? null : `it has no ${missing}`;
}
