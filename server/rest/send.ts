import { hash } from 'node:crypto';
import type { CallerNumber } from '#server/api-keys/caller.ts';
import type { MessageContent } from '#server/core/message.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { checkSend } from '#server/messages/check-send.ts';
import { estimateSendAt } from '#server/messages/estimate-send-at.ts';
import { sendMessage } from '#server/messages/send-message.ts';
import { waitedSeconds } from '#server/messages/waited-seconds.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { log } from '#server/platform/log.ts';
import type { RestContext } from './context.ts';
import type { SendAnswer } from './envelope.ts';
import { readSendOptions, type SendOptions } from './send-options.ts';

/**
 * Sends `content` from the caller's number and reports the outcome. A message that WhatsApp's server has accepted
 * is `sent`, also if it is already delivered or read. A dry run is `valid`, and has no id.
 */
export async function send(
  ctx: RestContext & { number: CallerNumber },
  request: { recipient: Recipient; content: MessageContent; reference?: string | undefined },
): Promise<SendAnswer> {
  const { recipient, content } = request;
  const options = readSendOptions(ctx.request, request.reference, ctx.caller.now);
  const { accountId, keyId } = ctx.caller;
  const sender = { database: ctx.database, accountId, numberId: ctx.number.id, keyId };
  const { mode, idempotencyKey, reference, dryRun } = options;
  const asked = {
    ...{ recipient, content, mode, idempotencyKey, reference },
    arrivedAtMs: ctx.arrivedAtMs,
    requestId: ctx.requestId,
    requestHash: requestHash(recipient, content, options),
    signal: ctx.request.signal(),
    // Also on an error, which is then the outcome of the earlier message.
    onJoined: () => {
      ctx.answer.headers['Idempotency-Replayed'] = 'true';
    },
  };
  if (dryRun) {
    const { waitMs, earlierId } = await checkSend(sender, asked);
    // A header only: this answer is not the one that the earlier message's caller waits for.
    if (earlierId !== null) {
      ctx.answer.headers['X-Message-Id'] = earlierId;
      asked.onJoined();
    } else ctx.answer.headers['X-Estimated-Wait'] = String(Math.ceil(waitMs / 1000));
    return { success: true, data: { id: '', to: recipient, type: content.type, status: 'valid' } };
  }
  const { message, queued } = await sendMessage(sender, asked);
  ctx.answer.messageId = message.id;
  ctx.answer.queued = queued;
  if (queued && options.mode.kind === 'async' && options.mode.sendAt) {
    const at = { sendAt: options.mode.sendAt };
    const estimate = await orNull(sender, estimateSendAt(sender, at), 'the send time was not estimated');
    if (estimate) ctx.answer.headers['X-Estimated-Send-At'] = estimate.toISOString();
  }
  if (!queued && ctx.answer.headers['Idempotency-Replayed'] !== undefined) {
    const waited = await orNull(
      sender,
      waitedSeconds(sender, { messageId: message.id }),
      'its wait was not read',
    );
    if (waited !== null) ctx.answer.headers['X-Waited'] = String(waited);
  }
  const { id, type } = message;
  return { success: true, data: { id, to: message.to, type, status: queued ? 'queued' : 'sent' } };
}

/** The message is accepted, so what fails here must not become an error. Null if it fails. */
function orNull<T>({ numberId }: NumberScope, fact: Promise<T>, otherwise: string): Promise<T | null> {
  return fact.catch((error: unknown) => {
    log.warn({ err: error, numberId }, otherwise);
    return null;
  });
}

/**
 * The hash by which identical requests are recognised: endpoint and parsed body, without the order of fields,
 * white space, unknown fields and the place of the key. Reference and send time count: two orders with the same
 * text are two messages.
 */
function requestHash(
  recipient: Recipient,
  content: MessageContent,
  { reference, mode }: SendOptions,
): string {
  const { type, ...fields } = content;
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const sendAt = mode.kind === 'async' ? mode.sendAt : undefined;
  const named = [type, recipient, sorted, ...(reference === null && !sendAt ? [] : [reference, sendAt])];
  return hash('sha256', JSON.stringify(named), 'base64url');
}
