import { rotateSecret } from './adv-secret.ts';
import { fromBase64Url, randomBytes, toBase64, toBase64Url } from './bytes.ts';
import { refreshQR } from './linking.ts';
import { Emitter } from './models.ts';
import {
  failed,
  hideScreen,
  type ScreenActions,
  showCode,
  showPhoneWait,
  showPrompt,
} from './shortcake-screen.ts';
import { config } from './state.ts';
import { call, onFrame } from './wire.ts';

/**
 * Links this page with a passkey ("Shortcake"). As on the real page, the backend's steps are events for the screen, which
 * shows the QR again only when a person cancels.
 */

type Stage =
  | 'NotStarted'
  | 'Initialized'
  | 'WaitingForPrimaryIdentity'
  | 'WaitingForVerificationCodeConfirmation'
  | 'WaitingForPairingCompletion';

const events = new Emitter();
/** Tells a cancelled step from the present one. */
let epoch = 0;
let stage: Stage = 'NotStarted';
let code: string | null = null;
let skipped = false;
/** Derived from the secret of the scanned QR: with it, nobody has to compare codes. */
let handoffKey: string | null = null;
let options: { text: string; at: number } | null = null;
let limit: ReturnType<typeof setTimeout> | undefined;

export const PasskeyLinking = {
  WAWebLinkDeviceEvents: { WAWebLinkDeviceEvents: events },
  WAWebShortcakeLinkingApi: {
    getShortcakeLinkingStage: () => stage,
    getVerificationCode: () => code,
    shouldSkipHandoffUx: () => skipped,
  },
  WAWebShortcakeLinkingAction: {
    startShortcakePasskeyPairing: start,
    confirmShortcakeVerificationCode: confirm,
    cancelShortcakePasskeyPairing: cancel,
  },
};

// The screen calls the module, as the real one does.
const { WAWebShortcakeLinkingAction: action } = PasskeyLinking;
const screenActions: ScreenActions = {
  start: () => action.startShortcakePasskeyPairing(),
  confirm: () => action.confirmShortcakeVerificationCode(),
  async cancel() {
    action.cancelShortcakePasskeyPairing();
    hideScreen();
    refreshQR();
  },
};

export function listenForPasskey(): void {
  onFrame('passkey', (frame) => {
    options = { text: frame.options, at: Date.now() };
    if (stage === 'NotStarted') {
      const old = rotateSecret();
      handoffKey = config.passkeyCode === 'skipped' ? old : null;
    }
    trigger('passkey_prologue_request');
  });
  onFrame('primaryIdentity', () => void continueWithPhone());
  events.on('link_device_events:passkey_prologue_request', () => showPrompt(screenActions));
  events.on('link_device_events:shortcake_prologue_sent', showPhoneWait);
  events.on('link_device_events:shortcake_verification_code_ready', (shown: string, skip: boolean) => {
    showCode(shown, skip);
    if (skip) screenActions.confirm().catch(failed);
  });
  events.on('link_device_events:shortcake_error', failed);
}

/** Continue: has the browser sign, and sends the signature. A failure ends the attempt. */
async function start(): Promise<void> {
  try {
    const assertion = await sign(JSON.parse(await currentOptions()));
    const ref = await call('passkeyRef', null);
    clear();
    stage = 'Initialized';
    await call('passkeyPrologue', { ref, assertion });
    skipped = handoffKey !== null;
    handoffKey = null;
    stage = 'WaitingForPrimaryIdentity';
    startLimit();
    trigger('shortcake_prologue_sent');
  } catch (error) {
    options = null;
    cancel();
    throw error;
  }
}

async function currentOptions(): Promise<string> {
  if (!options || Date.now() - options.at > config.passkeyTtlMs)
    options = { text: await call('passkeyOptions', null), at: Date.now() };
  return options.text;
}

async function sign(publicKey: PublicKeyCredentialRequestOptions & { challenge: unknown }): Promise<string> {
  publicKey.challenge = fromBase64Url(String(publicKey.challenge));
  for (const allowed of publicKey.allowCredentials ?? [])
    allowed.id = fromBase64Url(allowed.id as unknown as string);
  const got = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null;
  if (got?.type !== 'public-key') throw new Error('WebAuthn ceremony returned no credential');
  const { id, rawId, type } = got;
  const response = got.response as AuthenticatorAssertionResponse;
  return JSON.stringify({
    id,
    rawId: toBase64Url(rawId),
    type,
    response: {
      clientDataJSON: toBase64Url(response.clientDataJSON),
      authenticatorData: toBase64Url(response.authenticatorData),
      signature: toBase64Url(response.signature),
      userHandle: response.userHandle ? toBase64Url(response.userHandle) : null,
    },
  });
}

async function continueWithPhone(): Promise<void> {
  if (stage !== 'WaitingForPrimaryIdentity') return;
  clearTimeout(limit);
  stage = 'WaitingForVerificationCodeConfirmation';
  const mine = epoch;
  try {
    const found = await call('companionNonce', { nonce: toBase64(randomBytes(16)) });
    if (epoch !== mine) return;
    code = found;
    startLimit();
    trigger('shortcake_verification_code_ready', code, skipped);
  } catch {
    if (epoch === mine) fail('server_error');
  }
}

async function confirm(): Promise<void> {
  if (stage !== 'WaitingForVerificationCodeConfirmation') throw new Error(`Shortcake: ${stage}`);
  clearTimeout(limit);
  stage = 'WaitingForPairingCompletion';
  const mine = epoch;
  try {
    await call('pairingRequest', null);
    if (epoch === mine) startLimit();
  } catch (error) {
    if (epoch === mine) fail('server_error');
    throw error;
  }
}

function cancel(): void {
  handoffKey = null;
  clear();
}

function clear(): void {
  epoch += 1;
  clearTimeout(limit);
  stage = 'NotStarted';
  code = null;
  skipped = false;
}

function startLimit(): void {
  limit = setTimeout(() => fail('timeout'), config.passkeyStepMs);
}

function fail(reason: 'timeout' | 'server_error'): void {
  clear();
  trigger('shortcake_error', reason);
}

function trigger(name: string, ...given: unknown[]): void {
  events.trigger(`link_device_events:${name}`, ...given);
}
