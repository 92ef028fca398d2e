import type { Outgoing } from '#server/core/engine.ts';
import { isMedia } from '#server/core/message.ts';
import type { Address } from '#server/core/recipient.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';

/** A claimed message as the session sends it. */
export function outgoingOf(
  { id: messageId, waMessageId, recipient, content, requestId, mediaMimeType, mediaBytes }: ClaimedMessage,
  address: Address,
  mediaFile: (messageId: string) => string,
): Outgoing {
  const media = isMedia(content)
    ? {
        file: mediaFile(messageId),
        mimeType: mediaMimeType ?? 'application/octet-stream',
        bytes: mediaBytes ?? 0,
      }
    : null;
  return { waMessageId, address, recipient, content, media, trace: { messageId, requestId } };
}
