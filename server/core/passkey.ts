import { z } from 'zod';

/** The passkey that WhatsApp asks for when a number is linked. It belongs to this site, whichever browser signs. */
const RP_ID = 'whatsapp.com';
/** Its SHA-256, with which the authenticator data begins. */
const RP_ID_HASH = 'e868906c730209966eff408c55d781630fcb3c9de961e9e9738b4dd0e0fd5e7f';
export const PASSKEY_SITE = 'https://web.whatsapp.com';

/** WhatsApp's page accepts a signature for this long. */
export const PASSKEY_MS = 10 * 60_000;
/** Longer than the page waits for the phone, for the code and for the end: two minutes each. */
export const PASSKEY_STEP_MS = 3 * 60_000;

const base64url = (max: number) => z.base64url().min(1).max(max);

/** What WhatsApp's page asks its browser to sign. Bytes are base64url. */
export const PasskeyRequest = z.object({
  challenge: base64url(4096),
  rpId: z.literal(RP_ID),
  timeout: z.number().optional(),
  userVerification: z.enum(['required', 'preferred', 'discouraged']).optional(),
  allowCredentials: z
    .array(z.object({ type: z.literal('public-key'), id: base64url(2048) }))
    .max(64)
    .default([]),
  extensions: z.object({ uvm: z.boolean().optional() }).optional(),
});
export type PasskeyRequest = z.output<typeof PasskeyRequest>;

/** What a browser signed. Used once; never stored in the clear, and never logged. */
export const PasskeyAssertion = z.object({
  id: base64url(2048),
  clientDataJSON: base64url(8192),
  authenticatorData: base64url(8192),
  signature: base64url(2048),
  userHandle: base64url(256).nullable(),
});
export type PasskeyAssertion = z.output<typeof PasskeyAssertion>;

/** Why a ceremony failed, as far as the page says: the phone was silent, the server refused, or neither. */
export const PASSKEY_FAILURES = ['timeout', 'server_error', 'unknown'] as const;
export type PasskeyFailure = (typeof PASSKEY_FAILURES)[number];

export type PasskeyStep =
  | { at: 'begun' } // WhatsApp asks for it, and the page prepares
  | { at: 'sign'; request: PasskeyRequest }
  | { at: 'phone' } // signed, and the phone continues
  | { at: 'code'; code: string } // the phone shows the same code
  | { at: 'finish' } // confirmed
  | { at: 'failed'; why: PasskeyFailure };

export interface PasskeyAttempt {
  attempt: string;
  step: PasskeyStep;
}

/** What the number's owner does about a step. */
export type PasskeyReply =
  | { kind: 'signed'; assertion: PasskeyAssertion }
  | { kind: 'confirm' } // the codes are equal
  | { kind: 'retry' };

/** The step that each reply belongs to. */
export const REPLY_TO = { signed: 'sign', confirm: 'code', retry: 'failed' } as const satisfies Record<
  PasskeyReply['kind'],
  PasskeyStep['at']
>;

const ClientData = z.object({ type: z.string(), challenge: z.string(), origin: z.string() });

/** Was this signed for this request, on WhatsApp's site? Only WhatsApp knows the key and can check the signature. */
export function isAssertionFor(request: PasskeyRequest, assertion: PasskeyAssertion): boolean {
  const clientData = ClientData.safeParse(parsed(assertion.clientDataJSON));
  const data = Buffer.from(assertion.authenticatorData, 'base64url').toString('hex');
  return (
    clientData.success &&
    clientData.data.type === 'webauthn.get' &&
    clientData.data.challenge === request.challenge.replace(/=+$/, '') &&
    clientData.data.origin === PASSKEY_SITE &&
    data.startsWith(RP_ID_HASH)
  );
}

function parsed(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
