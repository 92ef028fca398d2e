import type { MessageType } from '#server/core/message.ts';

/** What a message of each kind is called. */
export const KINDS = {
  text: 'Text',
  image: 'Image',
  document: 'Document',
  location: 'Location',
  contact: 'Contact',
  audio: 'Audio',
} satisfies Record<MessageType, string>;

/** In place of a text that is no longer kept. */
export const ERASED = 'Erased';
