/**
 * Carries WhatsApp's request for a passkey out of the page, and the answer back. The functions are sent there as text,
 * so they may use only their arguments and the page's globals.
 */

import type { PasskeyAssertion } from '#server/core/passkey.ts';
import type { PreludePage } from './prelude.ts';

/** The name of our function that the page reports to. */
export const PASSKEY_REPORT = 'wirebirdPasskey';

export type PasskeyReport =
  /** WhatsApp's server asks for a passkey. */
  | { kind: 'begun' }
  /** The page calls the browser. The report is answered with the assertion, or rejects. */
  | { kind: 'asked'; request: unknown }
  /** The server has accepted the assertion. */
  | { kind: 'sent' }
  /** `skipped`: the page confirms it without a person. */
  | { kind: 'code'; code: string; skipped: boolean }
  | { kind: 'failed'; why: string };

interface Modules {
  WAWebLinkDeviceEvents: {
    WAWebLinkDeviceEvents: { on(name: string, listener: (...given: unknown[]) => void): unknown };
  };
  WAWebShortcakeLinkingAction: {
    startShortcakePasskeyPairing(): Promise<unknown>;
    confirmShortcakeVerificationCode(): Promise<unknown>;
  };
}
interface PasskeyPage extends PreludePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  wirebirdPasskey(report: PasskeyReport): Promise<PasskeyAssertion | undefined>;
}

/**
 * Answers the page's request for WhatsApp's passkey, and reports the ceremony. Run it in each new document; it polls for
 * the page's modules every `pollMs`.
 */
export function tapPasskey(pollMs: number): void {
  if (window.top !== window) return;
  const site = window as unknown as PasskeyPage;
  const { hook, poll } = site.wirebird;
  const send = (report: PasskeyReport) => {
    site.wirebirdPasskey(report).catch(() => {});
  };
  const toText = (bytes: BufferSource) => {
    const view = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    const text = btoa(Array.from(view, (byte) => String.fromCharCode(byte)).join(''));
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  };
  const toBytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
      .buffer;
  // Nothing but what is used: the page reads these fields, and checks only the type.
  const credentialOf = ({ id, userHandle, ...signed }: PasskeyAssertion) => ({
    id,
    rawId: toBytes(id),
    type: 'public-key',
    authenticatorAttachment: 'cross-platform',
    getClientExtensionResults: () => ({}),
    response: {
      clientDataJSON: toBytes(signed.clientDataJSON),
      authenticatorData: toBytes(signed.authenticatorData),
      signature: toBytes(signed.signature),
      userHandle: userHandle === null ? null : toBytes(userHandle),
    },
  });
  const { credentials } = navigator;
  if (credentials) {
    hook(credentials, 'get', 'passkey', (get) => async (options) => {
      const publicKey = options?.publicKey;
      if (publicKey?.rpId !== 'whatsapp.com') return get.call(credentials, options);
      const { challenge, rpId, timeout, userVerification, allowCredentials = [], extensions } = publicKey;
      const uvm = (extensions as { uvm?: boolean } | undefined)?.uvm;
      const request = {
        challenge: toText(challenge),
        rpId,
        timeout,
        userVerification,
        allowCredentials: allowCredentials.map(({ type, id }) => ({ type, id: toText(id) })),
        extensions: uvm === undefined ? undefined : { uvm },
      };
      const assertion = await site.wirebirdPasskey({ kind: 'asked', request });
      return (assertion ? credentialOf(assertion) : null) as Credential | null;
    });
  }
  poll(pollMs, () => {
    // A linked page may never load the module.
    if (localStorage.getItem('last-wid-md') !== null) return true;
    const { WAWebLinkDeviceEvents: events } = site.require('WAWebLinkDeviceEvents');
    const on = (name: string, listener: (...given: unknown[]) => void) =>
      events.on(`link_device_events:${name}`, listener);
    on('passkey_prologue_request', () => send({ kind: 'begun' }));
    on('shortcake_prologue_sent', () => send({ kind: 'sent' }));
    on('shortcake_verification_code_ready', (code, skipped) =>
      send({ kind: 'code', code: String(code), skipped: skipped === true }),
    );
    on('shortcake_error', (reason) => send({ kind: 'failed', why: String(reason) }));
    return true;
  });
}

/**
 * Presses one of the screen's buttons: Continue, or that the codes are equal. Returns at once, as the work lasts up to
 * ten minutes; the page loads the module only when it needs it.
 */
export function pressPasskey(button: 'start' | 'confirm', pollMs: number): void {
  const site = window as unknown as PasskeyPage;
  site.wirebird.poll(pollMs, () => {
    const action = site.require('WAWebShortcakeLinkingAction');
    const work =
      button === 'start' ? action.startShortcakePasskeyPairing() : action.confirmShortcakeVerificationCode();
    work.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      site.wirebirdPasskey({ kind: 'failed', why }).catch(() => {});
    });
    return true;
  });
}
