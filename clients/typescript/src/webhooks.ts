import type { WebhookEvent } from './generated/types.gen.ts';

/** Headers as fetch and edge workers have them, or as Node and Express do. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/** How far the clocks of the two servers may differ. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature of a webhook request (Standard Webhooks) and returns its event. `payload` is the raw
 * body, before it is parsed. Throws a `WebhookSignatureError` if the request is not signed with `secret`, or if
 * its timestamp is more than 5 minutes from this server's clock.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const read = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const time = read('webhook-timestamp');
  if (!/^\d+$/.test(time)) throw new WebhookSignatureError('The request has no webhook-timestamp.');
  if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS)
    throw new WebhookSignatureError('The request is more than 5 minutes old, or a clock is wrong.');
  const body =
    typeof payload === 'string' ? payload : new TextDecoder('utf-8', { ignoreBOM: true }).decode(payload);
  const signed = new TextEncoder().encode(`${read('webhook-id')}.${time}.${body}`);
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0) throw new TypeError('secret is not the secret of a webhook endpoint (whsec_…).');
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  for (const signature of read('webhook-signature').split(' ')) {
    const [version, text = ''] = signature.split(',');
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed)))
      return JSON.parse(body) as WebhookEvent;
  }
  throw new WebhookSignatureError('The request is not signed with this secret.');
}

/** The request does not come from Wirebird, or was changed or repeated: answer 400. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError';
}

/** Bytes of base64; none if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
