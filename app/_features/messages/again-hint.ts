import type { Outputs } from '#app/_trpc/client.ts';
import { isCertainlyNotSent } from '#server/core/message-state.ts';
import { messages } from './words.ts';

const texts = messages.again;

/** What sending this message again means. */
export function hintOf(
  {
    status,
    keyId,
    withIdempotencyKey,
    sendAt,
  }: Pick<Outputs['messages']['get'], 'status' | 'keyId' | 'withIdempotencyKey' | 'sendAt'>,
  now = new Date(),
): string {
  const notSent = isCertainlyNotSent(status);
  return [
    keyId === null ? texts.hint : texts.hintProgram,
    withIdempotencyKey && notSent && texts.orRepeat,
    keyId !== null && !withIdempotencyKey && notSent && texts.retries,
    status === 'unknown' && texts.unknown,
    status === 'sent' && texts.sent,
    (status === 'delivered' || status === 'read') && texts.arrived,
    sendAt !== null && (new Date(sendAt) > now ? texts.ahead : texts.scheduled),
  ]
    .filter(Boolean)
    .join(' ');
}
