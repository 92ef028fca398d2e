import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookSignatureError } from '../src/index.ts';

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;
const SECRET = newSecret();
const BODY = '{"type":"message.sent","data":{"error":"ü 🐦"}}';

/** Headers as the reference implementation of Standard Webhooks signs them. */
function signed(body: string, { secret = SECRET, at = new Date(), id = 'evt_1' } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
}

test('every body that Standard Webhooks signs is accepted, as text and as bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (body) => {
      const headers = signed(body);
      expect(await verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(body));
      expect(await verifyWebhook(Buffer.from(body), new Headers(headers), SECRET)).toEqual(JSON.parse(body));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['another secret', BODY, signed(BODY, { secret: newSecret() })],
  ['a changed body', `${BODY} `, signed(BODY)],
  ['another id', BODY, { ...signed(BODY), 'webhook-id': 'evt_2' }],
  ['an old timestamp', BODY, signed(BODY, { at: new Date(Date.now() - 3_600_000) })],
  ['a timestamp of the future', BODY, signed(BODY, { at: new Date(Date.now() + 3_600_000) })],
  [
    'another timestamp',
    BODY,
    { ...signed(BODY), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 9) },
  ],
  [
    'another version',
    BODY,
    { ...signed(BODY), 'webhook-signature': signed(BODY)['webhook-signature'].replace('v1,', 'v2,') },
  ],
  ['a signature that is not base64', BODY, { ...signed(BODY), 'webhook-signature': 'v1,???' }],
  ['no headers', BODY, {}],
])('%s is refused', async (_name, body, headers: Record<string, string>) => {
  await expect(verifyWebhook(body, headers, SECRET)).rejects.toBeInstanceOf(WebhookSignatureError);
});

test('one valid signature among several is enough, as while a secret is rotated', async () => {
  const other = signed(BODY, { secret: newSecret() })['webhook-signature'];
  const headers = { ...signed(BODY), 'webhook-signature': `${other} ${signed(BODY)['webhook-signature']}` };
  expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(JSON.parse(BODY));
});

test('a secret that is none is a mistake of the caller', async () => {
  await expect(verifyWebhook(BODY, signed(BODY), '')).rejects.toThrow(TypeError);
});
