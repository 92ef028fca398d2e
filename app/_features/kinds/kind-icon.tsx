import { FileText, Image, type LucideIcon, MapPin, MessageSquareText, Mic, User } from 'lucide-react';
import type { MessageType } from '#server/core/message.ts';
import { KIND_LABELS } from './kind-labels.ts';

/** Separate from the labels, because many pages need only those. */
export const KIND_ICONS: Record<MessageType, LucideIcon> = {
  text: MessageSquareText,
  image: Image,
  document: FileText,
  location: MapPin,
  contact: User,
  audio: Mic,
};

/** A kind's icon, with its label for screen readers. */
export function KindIcon({ type }: { type: MessageType }) {
  const Icon = KIND_ICONS[type];
  return (
    <span className="shrink-0 text-ink-3" title={KIND_LABELS[type]}>
      <Icon className="size-3.5" strokeWidth={1.75} aria-label={KIND_LABELS[type]} />
    </span>
  );
}
