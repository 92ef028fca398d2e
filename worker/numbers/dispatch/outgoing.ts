import type { Outgoing } from '#server/core/engine.ts';
import type { Address } from '#server/core/recipient.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';

/** A claimed message as the session sends it. */
export function outgoingOf(
  { id: messageId, waMessageId, recipient, content, requestId, mediaMimeType }: ClaimedMessage,
  address: Address,
  bytes: Buffer | null,
): Outgoing {
  const media = bytes && { mimeType: mediaMimeType ?? 'application/octet-stream', bytes };
  return { waMessageId, address, recipient, content, media, trace: { messageId, requestId } };
}
