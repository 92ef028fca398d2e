import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';

/** A claimed message as the session sends it. */
export function outgoingOf(
  { id: messageId, recipient, content, requestId, mediaMimeType, mediaBytes }: ClaimedMessage,
  given: Pick<Outgoing, 'waMessageId' | 'address'>,
  mediaFile: (messageId: string) => string,
): Outgoing {
  const media = isMedia(content)
    ? {
        file: mediaFile(messageId),
        mimeType: mediaMimeType ?? 'application/octet-stream',
        bytes: mediaBytes ?? 0,
      }
    : null;
  return { ...given, recipient, content, media, trace: { messageId, requestId } };
}
