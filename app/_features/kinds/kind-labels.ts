import type { MessageType } from '#server/core/message.ts';

/** The name of each kind. */
export const KIND_LABELS: Record<MessageType, string> = {
  text: 'Text',
  image: 'Image',
  document: 'Document',
  location: 'Location',
  contact: 'Contact',
  audio: 'Audio',
};

/** The kinds as options. Pages read them here, because the descriptors in `server/core/kinds` are large. */
export const KIND_OPTIONS = Object.entries(KIND_LABELS).map(([value, label]) => ({
  value: value as MessageType,
  label,
}));

/** Shown in place of erased content. */
export const ERASED = 'Erased';

/** A message in one line: its content, or its kind. */
export const lineOf = ({ preview, type }: { preview: string | null; type: MessageType }) =>
  (preview ?? ERASED) || KIND_LABELS[type];

/** The same after its reference, for messages that differ in nothing else. */
export const lineWithReference = (message: Parameters<typeof lineOf>[0] & { reference: string | null }) =>
  [message.reference, lineOf(message)].filter(Boolean).join(' · ');
