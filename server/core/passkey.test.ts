import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isAssertionFor, type PasskeyAssertion, PasskeyRequest } from './passkey.ts';

const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text).digest();

const request = PasskeyRequest.parse({ challenge: base64url('a challenge'), rpId: 'whatsapp.com' });
const clientData = {
  type: 'webauthn.get',
  challenge: request.challenge,
  origin: 'https://web.whatsapp.com',
  crossOrigin: false,
};
const signed = (client: object = clientData, site = 'whatsapp.com'): PasskeyAssertion => ({
  id: base64url('a credential'),
  clientDataJSON: base64url(JSON.stringify(client)),
  authenticatorData: base64url(Buffer.concat([sha256(site), Buffer.from([5, 0, 0, 0, 1])])),
  signature: base64url('a signature'),
  userHandle: null,
});

test('an assertion for this request is accepted', () => {
  expect(isAssertionFor(request, signed())).toBe(true);
});

test.each<[string, PasskeyAssertion]>([
  ['another challenge', signed({ ...clientData, challenge: base64url('an older challenge') })],
  ['another site’s page', signed({ ...clientData, origin: 'https://web.whatsapp.com.example' })],
  ['the registration of a passkey', signed({ ...clientData, type: 'webauthn.create' })],
  ['another site’s passkey', signed(clientData, 'example.com')],
  ['no client data', { ...signed(), clientDataJSON: base64url('not JSON') }],
  ['client data without fields', signed({})],
  ['short authenticator data', { ...signed(), authenticatorData: base64url('short') }],
])('an assertion for %s is not', (_, assertion) => {
  expect(isAssertionFor(request, assertion)).toBe(false);
});

test.each(['example.com', 'web.whatsapp.com', 'com'])('a request for %s is none of ours', (rpId) => {
  expect(PasskeyRequest.safeParse({ challenge: request.challenge, rpId }).success).toBe(false);
});
