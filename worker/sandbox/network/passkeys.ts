import crypto from 'node:crypto';
import { AppError } from '#server/core/errors.ts';
import { PASSKEY_SITE, type PasskeyAssertion, type PasskeyRequest } from '#server/core/passkey.ts';
import type { StoredPasskey } from '../store.ts';

/** The passkey of a virtual phone: its key, what a browser signs with it, and how the server checks that. */

const RP_ID = 'whatsapp.com';
const USER_PRESENT_AND_VERIFIED = 0x05;
const sha256 = (data: Uint8Array | string) => crypto.createHash('sha256').update(data).digest();

export function newPasskey(phone: string): StoredPasskey {
  const { privateKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    credentialId: crypto.randomBytes(16).toString('base64url'),
    userHandle: Buffer.from(phone).toString('base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64url'),
  };
}

/** The options of a request, as the server sends them. */
export function passkeyOptions(challenge: string): string {
  return JSON.stringify({
    challenge,
    timeout: 600_000,
    rpId: RP_ID,
    allowCredentials: [],
    userVerification: 'required',
    extensions: { uvm: true },
  });
}

/** Signs as the browser of the phone's owner does. Throws `invalid_parameters` for another site's request. */
export function signPasskey(passkey: StoredPasskey, { challenge, rpId }: PasskeyRequest): PasskeyAssertion {
  if (rpId !== RP_ID) throw new AppError('invalid_parameters', `This passkey is for ${RP_ID}, not ${rpId}.`);
  const clientData = Buffer.from(
    JSON.stringify({ type: 'webauthn.get', challenge, origin: PASSKEY_SITE, crossOrigin: false }),
  );
  const data = Buffer.concat([sha256(RP_ID), Buffer.from([USER_PRESENT_AND_VERIFIED, 0, 0, 0, 1])]);
  const signature = crypto.sign('sha256', Buffer.concat([data, sha256(clientData)]), keyOf(passkey));
  return {
    id: passkey.credentialId,
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: signature.toString('base64url'),
    userHandle: passkey.userHandle,
  };
}

/** Throws unless `assertion`, the page's JSON text, was signed by this passkey for this challenge. */
export function verifyPasskey(passkey: StoredPasskey, challenge: string, assertion: string): void {
  const { id, response } = JSON.parse(assertion) as { id: string; response: Record<string, string> };
  const bytes = (name: string) => Buffer.from(response[name] ?? '', 'base64url');
  const clientData = JSON.parse(bytes('clientDataJSON').toString()) as Record<string, unknown>;
  const data = bytes('authenticatorData');
  const flags = data[32] ?? 0;
  const signed = Buffer.concat([data, sha256(bytes('clientDataJSON'))]);
  const isRight =
    id === passkey.credentialId &&
    clientData.type === 'webauthn.get' &&
    clientData.challenge === challenge &&
    clientData.origin === PASSKEY_SITE &&
    data.subarray(0, 32).equals(sha256(RP_ID)) &&
    (flags & USER_PRESENT_AND_VERIFIED) === USER_PRESENT_AND_VERIFIED &&
    crypto.verify('sha256', signed, crypto.createPublicKey(keyOf(passkey)), bytes('signature'));
  if (!isRight) throw new Error('the assertion is not accepted');
}

function keyOf({ privateKey }: StoredPasskey): crypto.KeyObject {
  return crypto.createPrivateKey({ key: Buffer.from(privateKey, 'base64url'), format: 'der', type: 'pkcs8' });
}
