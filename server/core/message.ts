import { KINDS } from './kinds/index.ts';
import type { MediaRule, Values } from './kinds/kind.ts';

/** The kinds of messages. A new one is an entry in `kinds/index.ts`. */
export type MessageType = keyof typeof KINDS;
export const MESSAGE_TYPES = Object.keys(KINDS) as [MessageType, ...MessageType[]];

/** What a message carries, as stored and as handed to the engine (media by its URL until fetched). */
export type MessageContent = {
  [T in MessageType]: { type: T } & Values<(typeof KINDS)[T]['fields']>;
}[MessageType];

export type MediaContent = Extract<MessageContent, { url: string }>;
export type MediaKind = MediaContent['type'];
/** The rule of each kind whose content is a file. */
export const MEDIA_RULES = Object.fromEntries(
  MESSAGE_TYPES.flatMap((type) => (KINDS[type].media ? [[type, KINDS[type].media]] : [])),
) as Record<MediaKind, MediaRule>;

export function isMedia(content: MessageContent): content is MediaContent {
  return 'url' in content;
}

/** The content of a request that passed its schema. */
export function contentOf(type: MessageType, request: object): MessageContent {
  const values: Record<string, unknown> = { ...request };
  const fields = Object.keys(KINDS[type].fields).map((name) => [name, values[name]]);
  return { type, ...Object.fromEntries(fields) } as MessageContent;
}

/** The content that a recipient sees, without the file. */
export type ShownContent = MessageContent extends infer C ? (C extends C ? Omit<C, 'url'> : never) : never;

/** The same from a request or an inbox entry, which may lack fields. */
export function shownContent(type: MessageType, fields: object): ShownContent {
  const empty = { body: '', filename: '', latitude: 0, longitude: 0, contactName: '', contactPhone: '' };
  return contentOf(type, { ...empty, ...fields });
}

/** One line for lists; empty if only the kind can be shown. */
export function previewLine(content: ShownContent): string {
  const { preview } = KINDS[content.type] as { preview: (content: ShownContent) => string };
  return preview(content);
}
