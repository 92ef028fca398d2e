import { hash } from 'node:crypto';
import type { CallerNumber } from '#server/api-keys/caller.ts';
import type { MessageContent } from '#server/core/message.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { sendMessage } from '#server/messages/send-message.ts';
import type { RestContext } from './context.ts';
import type { SendAnswer } from './envelope.ts';
import { readSendOptions } from './send-options.ts';

/**
 * Sends `content` from the caller's number and reports the outcome. A message that WhatsApp's server
 * has accepted is `sent`, even where its phone has shown it since.
 */
export async function send(
  ctx: RestContext & { number: CallerNumber },
  recipient: Recipient,
  content: MessageContent,
): Promise<SendAnswer> {
  const { accountId, keyId } = ctx.caller;
  const sender = { database: ctx.database, accountId, numberId: ctx.number.id, keyId };
  const { message, queued } = await sendMessage(sender, {
    recipient,
    content,
    ...readSendOptions(ctx.request),
    arrivedAtMs: ctx.arrivedAtMs,
    requestId: ctx.requestId,
    requestHash: requestHash(recipient, content),
    signal: ctx.request.signal(),
  });
  ctx.answer.messageId = message.id;
  ctx.answer.queued = queued;
  const { id, type } = message;
  return { success: true, data: { id, to: message.to, type, status: queued ? 'queued' : 'sent' } };
}

/**
 * What makes two requests the same: endpoint and body as understood. The order of fields, white space,
 * unknown fields and where the key stood make no difference.
 */
function requestHash(recipient: Recipient, content: MessageContent): string {
  const { type, ...fields } = content;
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([type, recipient, sorted]), 'base64url');
}
