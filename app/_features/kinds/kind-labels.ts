import type { MessageType } from '#server/core/message.ts';

/** What a message of each kind is called. */
export const KIND_LABELS: Record<MessageType, string> = {
  text: 'Text',
  image: 'Image',
  document: 'Document',
  location: 'Location',
  contact: 'Contact',
  audio: 'Audio',
};

/** The kinds for a choice, as `Select` and `Segments` take them. */
export const KIND_OPTIONS = Object.entries(KIND_LABELS).map(([value, label]) => ({
  value: value as MessageType,
  label,
}));

/** In place of content that is no longer kept. */
export const ERASED = 'Erased';

/** A message in one line: its content, or else its kind. */
export const lineOf = ({ preview, type }: { preview: string | null; type: MessageType }) =>
  (preview ?? ERASED) || KIND_LABELS[type];
