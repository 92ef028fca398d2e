import { KINDS } from '#server/core/kinds/index.ts';
import { MESSAGE_TYPES, type MediaKind, type MessageType, previewLine } from '#server/core/message.ts';
import type { ChatMessage, InboxEntry } from '#server/sandbox/contract.ts';
import { entryContent } from '#server/sandbox/entry-content.ts';
import type { SentMessage } from './page/protocol.ts';
import type { InboundMessage, StoredMessage } from './store.ts';

/** The page's names of kinds that differ from the product's. */
const PAGE_NAMES: Record<string, MessageType> = { chat: 'text', vcard: 'contact', ptt: 'audio' };

interface Arrival {
  at: number;
  /** `<digits>@c.us` or a group id. */
  to: string;
  media: { sha256: string; bytes: number } | undefined;
}

/**
 * A sent message as the recipient's phone shows it; null for kinds that the sandbox does not deliver. It
 * contains only what the page sent, so a lost field is visible.
 */
export function inboxEntry(message: SentMessage, { at, to, media }: Arrival): StoredMessage['entry'] | null {
  const type = PAGE_NAMES[message.type] ?? MESSAGE_TYPES.find((name) => name === message.type);
  return type ? { id: message.id, at, to, type, ...carried(type, message, media) } : null;
}

function carried(type: MessageType, message: SentMessage, media: Arrival['media']) {
  switch (type) {
    case 'text':
      return given({ body: message.body, linkPreview: message.linkPreview });
    case 'location': {
      const { latitude, longitude, place = '' } = message;
      return { ...given({ latitude, longitude }), ...splitPlace(place) };
    }
    case 'contact':
      return given({ vcard: message.body });
    default: {
      const { filename, caption, mimetype } = message;
      const { fields } = KINDS[type satisfies MediaKind];
      const named = 'filename' in fields ? { filename } : {};
      const captioned = 'caption' in fields ? { caption } : {};
      return { ...given({ mimetype, ...named, ...captioned }), ...media };
    }
  }
}

/**
 * Splits a place's text: the name is before the first line break, the address after it. Text without a line
 * break is a name; an address alone starts with a line break.
 */
export function splitPlace(place: string): { name?: string; address?: string } {
  const lineBreak = place.indexOf('\n');
  if (lineBreak < 0) return given({ name: place });
  return given({ name: place.slice(0, lineBreak), address: place.slice(lineBreak + 1) });
}

/**
 * 1 accepted by the server, 2 delivered, 3 read. Follows from times that are fixed when the message arrives.
 */
export function ackAt({ deliveredAt, readAt }: StoredMessage, now: number): 1 | 2 | 3 {
  if (readAt !== null && now >= readAt) return 3;
  return deliveredAt !== null && now >= deliveredAt ? 2 : 1;
}

export function withAck(message: StoredMessage, now: number): InboxEntry {
  const { entry, repeats } = message;
  return { ...entry, ack: ackAt(message, now), ...(repeats > 0 ? { repeats } : {}) };
}

export function sentLine(message: StoredMessage, now: number): ChatMessage {
  const { id, at, type } = message.entry;
  return {
    id,
    at,
    direction: 'out',
    type,
    text: previewLine(entryContent(message.entry)),
    ack: ackAt(message, now),
  };
}

export const receivedLine = ({ id, at, body }: InboundMessage): ChatMessage => ({
  id,
  at,
  direction: 'in',
  type: 'text',
  text: body,
});

/** Removes absent and empty fields. */
function given<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
