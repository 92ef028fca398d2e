import { FileText, Image, type LucideIcon, MapPin, MessageSquareText, Mic, User } from 'lucide-react';
import type { MessageType } from '#server/core/message.ts';
import { KINDS } from './kind-words.ts';

export const KIND_ICONS: Record<MessageType, LucideIcon> = {
  text: MessageSquareText,
  image: Image,
  document: FileText,
  location: MapPin,
  contact: User,
  audio: Mic,
};

/** What kind of message, as a sign with its word for those who don't see it. */
export function KindIcon({ type }: { type: MessageType }) {
  const Icon = KIND_ICONS[type];
  return (
    <span className="shrink-0 text-ink-3" title={KINDS[type]}>
      <Icon className="size-3.5" strokeWidth={1.75} aria-label={KINDS[type]} />
    </span>
  );
}
