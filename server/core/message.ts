/** The six kinds of message, as REST names them in `type`. */
export const MESSAGE_TYPES = ['text', 'image', 'document', 'location', 'contact', 'audio'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** What a message carries, as stored and as handed to the engine (media by its URL until fetched). */
export type MessageContent =
  | { type: 'text'; body: string }
  | { type: 'image'; url: string; caption?: string | undefined }
  | { type: 'document'; url: string; filename: string; caption?: string | undefined }
  | {
      type: 'location';
      latitude: number;
      longitude: number;
      name?: string | undefined;
      address?: string | undefined;
    }
  | { type: 'contact'; contactName: string; contactPhone: string }
  | { type: 'audio'; url: string };

export type MediaContent = Extract<MessageContent, { url: string }>;

export function isMedia(content: MessageContent): content is MediaContent {
  return 'url' in content;
}

/** Limits of the interface, in Unicode code points and bytes. */
export const LIMITS = {
  bodyChars: 8000,
  captionChars: 8000,
  filenameChars: 255,
  placeChars: 1000,
  contactNameChars: 255,
  urlChars: 2048,
  mediaBytesMax: 16 * 1024 * 1024,
  requestBytesMax: 256 * 1024,
} as const;

/**
 * A file name as the recipient may see it: no path separators, no control characters, none that turn the
 * reading direction around (they can make `exe.pdf` of `fdp.exe`). Empty when nothing is left.
 */
export function safeFilename(name: string): string {
  return name
    .replace(/[/\\\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
    .replace(/^\.+$/, '');
}
