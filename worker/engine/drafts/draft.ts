import type { MessageContent, MessageType } from '#server/core/message.ts';

/** A message as the page gets it to build. It is sent into the page, so it is JSON. */
export interface Draft {
  /** The page's type of the message. */
  type: string;
  /** The page's attributes of the message, written as they are. */
  fields: Readonly<Record<string, string | number | boolean>>;
  file: DraftFile | null;
}

export interface DraftFile {
  base64: string;
  mimeType: string;
  name: string;
  /** How the page prepares it: its own options. */
  prepare: Readonly<Record<string, string | boolean>>;
  /** Attributes of the message, with the names under which the prepared file has them. */
  prepared: Readonly<Record<string, string>>;
}

/** How one kind of message is built in the page. Each file of this folder is one. */
export interface DraftKind<T extends MessageType> {
  type: string;
  fields(content: Extract<MessageContent, { type: T }>): Draft['fields'];
  /** For a kind with a file. */
  file?(content: Extract<MessageContent, { type: T }>): Omit<DraftFile, 'base64' | 'mimeType'>;
  /** Attributes without which the message must not leave. */
  needs: readonly string[];
}

/** What a message is made of, as the page has it. */
export interface SeenDraft {
  type: unknown;
  /** The bare ID of its key; null if that is no message key. */
  id: string | null;
  /** The names of its own attributes that have a value. */
  names: string[];
}

export const captionOf = (caption: string | undefined): Draft['fields'] => (caption ? { caption } : {});

/** What names an uploaded file: without one of these, WhatsApp cannot deliver it. */
export const UPLOADED = [
  ...['mimetype', 'size', 'filehash', 'encFilehash'],
  ...['directPath', 'mediaKey', 'mediaKeyTimestamp'],
];
