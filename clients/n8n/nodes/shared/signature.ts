import { createHmac, timingSafeEqual } from 'node:crypto';

/** An older or newer event may be a replayed one. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Whether a request is signed with the secret, as Standard Webhooks describes (https://www.standardwebhooks.com).
 * @param headers `webhook-id`, `webhook-timestamp` and `webhook-signature`.
 * @param body The bytes of the request, before they are parsed.
 * @param secret `whsec_…`
 */
export function isSigned(
  headers: Record<string, unknown>,
  body: Buffer,
  secret: string,
  nowMs = Date.now(),
): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  // Anything that is no number fails here too.
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(`${id}.${timestamp}.`)
    .update(body)
    .digest();
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
