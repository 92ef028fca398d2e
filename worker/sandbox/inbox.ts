import type { ChatMessage, InboxEntry } from '#server/sandbox/contract.ts';
import type { SentMessage } from './page/protocol.ts';
import type { InboundMessage, StoredMessage } from './store.ts';

/** The product's six kinds by the page's names for them. */
const KINDS: Record<string, InboxEntry['type']> = {
  chat: 'text',
  image: 'image',
  document: 'document',
  location: 'location',
  vcard: 'contact',
  audio: 'audio',
  ptt: 'audio', // a voice note
};

interface Arrival {
  at: number;
  /** `<digits>@c.us` or a group id. */
  to: string;
  media: { sha256: string; bytes: number } | undefined;
}

/**
 * A sent message as the recipient's phone shows it; null for kinds that the sandbox does not deliver.
 * Only what the page really sent is in it, so a field lost on the way is seen to be missing.
 */
export function inboxEntry(message: SentMessage, { at, to, media }: Arrival): StoredMessage['entry'] | null {
  const type = KINDS[message.type];
  if (!type) return null;
  const frame = { id: message.id, at, to, type };
  switch (type) {
    case 'text':
      return { ...frame, ...given({ body: message.body, linkPreview: message.linkPreview }) };
    case 'location': {
      const { latitude, longitude } = message;
      return { ...frame, ...given({ latitude, longitude }), ...splitPlace(message.place ?? '') };
    }
    case 'contact':
      return { ...frame, ...given({ vcard: message.body }) };
    case 'image':
      return { ...frame, ...given({ caption: message.caption, mimetype: message.mimetype }), ...media };
    case 'document':
      return {
        ...frame,
        ...given({ filename: message.filename, caption: message.caption, mimetype: message.mimetype }),
        ...media,
      };
    case 'audio':
      return { ...frame, ...given({ mimetype: message.mimetype }), ...media };
    default:
      return type satisfies never;
  }
}

/**
 * A place's one line of text, taken apart again: the name stands before the first line break, the address
 * behind it. What has no line break is a name; an address alone comes as a line break and the address.
 */
export function splitPlace(place: string): { name?: string; address?: string } {
  const lineBreak = place.indexOf('\n');
  if (lineBreak < 0) return given({ name: place });
  return given({ name: place.slice(0, lineBreak), address: place.slice(lineBreak + 1) });
}

/** 1 accepted by the server, 2 delivered, 3 read: a matter of time alone, fixed when the message came. */
export function ackAt({ deliveredAt, readAt }: StoredMessage, now: number): 1 | 2 | 3 {
  if (readAt !== null && now >= readAt) return 3;
  return deliveredAt !== null && now >= deliveredAt ? 2 : 1;
}

export function withAck(message: StoredMessage, now: number): InboxEntry {
  const { entry, repeats } = message;
  return { ...entry, ack: ackAt(message, now), ...(repeats > 0 ? { repeats } : {}) };
}

/** A message of ours as a line in a chat. */
export function sentLine(message: StoredMessage, now: number): ChatMessage {
  const { id, at, type } = message.entry;
  return { id, at, direction: 'out', type, text: lineOf(message.entry), ack: ackAt(message, now) };
}

export const receivedLine = ({ id, at, body }: InboundMessage): ChatMessage => ({
  id,
  at,
  direction: 'in',
  type: 'text',
  text: body,
});

function lineOf(entry: StoredMessage['entry']): string {
  switch (entry.type) {
    case 'text':
      return entry.body ?? '';
    case 'image':
      return entry.caption ?? '';
    case 'document':
      return [entry.filename, entry.caption].filter(Boolean).join(': ');
    case 'location':
      return (
        [entry.name, entry.address].filter(Boolean).join(', ') || `${entry.latitude}, ${entry.longitude}`
      );
    case 'contact':
      return /^FN:(.*)$/m.exec(entry.vcard ?? '')?.[1]?.trim() ?? '';
    case 'audio':
      return '';
    default:
      return entry.type satisfies never;
  }
}

/** Leaves out what is absent or empty. */
function given<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
