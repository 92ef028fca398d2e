import { tellSecret } from './adv-secret.ts';
import { randomBytes, toBase64 } from './bytes.ts';
import { put, read } from './database.ts';
import type { Credentials } from './protocol.ts';
import { hideScreen } from './shortcake-screen.ts';
import { Conn, config, setState } from './state.ts';
import { call, hello, onFrame, setLoggedIn } from './wire.ts';

/** Links this page to a phone as a device. */

const stored = await read('credentials', 'current');
let credentials: Credentials | null = stored ?? null;

export const noiseKey = stored ? new Uint8Array(stored.noiseKey) : randomBytes(32);
export const identityKey = stored ? new Uint8Array(stored.identityKey) : randomBytes(32);

export const currentCredentials = (): Credentials | null => credentials;

/** This page is linked, and local storage has lost its part of the link. */
export const isSaltMissing = (): boolean =>
  config.saltNeeded && stored !== undefined && localStorage.getItem('WebEncKeySalt') === null;

export function forgetCredentials(): void {
  credentials = null;
}

export function listenForLinking(): void {
  onFrame('unpaired', ({ ref, ttlMs }) => {
    setLoggedIn(false);
    tellSecret();
    Conn.set({ ref, refTTL: ttlMs });
    setState('UNPAIRED');
  });
  onFrame('ref', ({ ref, ttlMs }) => Conn.set({ ref, refTTL: ttlMs }));
  onFrame('refsOver', () => setState('UNPAIRED_IDLE'));
  onFrame('paired', async (frame) => {
    hideScreen();
    setState('PAIRING');
    credentials = frame.credentials;
    await put('credentials', 'current', {
      ...frame.credentials,
      noiseKey: [...noiseKey],
      identityKey: [...identityKey],
    });
    localStorage.setItem('WebEncKeySalt', toBase64(randomBytes(16)));
    localStorage.setItem('last-wid-md', JSON.stringify(frame.credentials.wid));
    setState('OPENING');
    hello();
  });
}

/** Requests a new QR from the server. Returns at once; the QR comes later. */
export function refreshQR(): void {
  void call('refreshRef', null);
}

/** A pairing code for a phone number. Only the text of a refusal names its status, as on the real page. */
export async function startAltLinkingFlow(phone: string): Promise<string> {
  const answer = await call('pairingCode', { phone });
  if ('code' in answer) return answer.code;
  const kind = answer.refused === 429 ? 'IQErrorRateOverlimit' : 'IQErrorBadRequest';
  throw Object.assign(new Error(`companion hello failed: ${kind}`), { name: 'CompanionHelloError' });
}
