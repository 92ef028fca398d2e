/**
 * Reads the QR inside WhatsApp's page. The function is sent there as text, so it may use only its arguments and the
 * page's globals.
 */

import type { PreludePage } from './prelude.ts';

/** The name of our function that the page reports to. */
export const QR_REPORT = 'wirebirdQr';

export type QrReport =
  /** `from`: built from its parts, or read from the page, which draws other ones. */
  | { kind: 'shown'; from: 'parts' | 'page'; qr: string; leftMs: number | null }
  /** The page does not draw its QR where it is expected. */
  | { kind: 'not drawn' };

interface Modules {
  WAWebSocketModel: { Socket: { state?: string } };
  WAWebConnModel: {
    Conn: { ref?: string; refTTL?: number; on(name: string, listener: () => void): unknown };
  };
  WAWebUserPrefsMultiDevice: {
    advSecretEventEmitter?: { on(name: string, listener: () => void): unknown };
  };
  WAWebSignalStoreApi: {
    waSignalStore: { getRegistrationInfo(): Promise<{ identityKeyPair: { pubKey: unknown } }> };
  };
  WAWebUserPrefsInfoStore: { waNoiseInfo: { get(): Promise<{ staticKeyPair: { pubKey: unknown } }> } };
  WAWebAdvSignatureApi: { getADVSecretKey(): Promise<string> };
  WAWebCompanionRegClientUtils: { DEVICE_PLATFORM: string };
  WABase64: { encodeB64(bytes: unknown): string };
}
interface QrPage extends PreludePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  wirebirdQr(report: QrReport): Promise<void>;
}

/**
 * Makes the page report each QR: at each new reference and at each new secret. Run it in each new document. What the
 * page draws, within `drawMs`, decides: builds put an address before the parts or after them, and could add a part.
 */
export function watchQr(pollMs: number, drawMs: number): void {
  if (window.top !== window) return;
  const site = window as unknown as QrPage;
  const { isFirst, poll, wait } = site.wirebird;
  let latest = 0;
  let refSince = 0;
  let before = '';
  let after = '';
  let drawsOther = false;
  const COMPARE_MS = 100;
  const send = (report: QrReport) => {
    site.wirebirdQr(report).catch(() => {});
  };
  // The page also makes QRs after it was linked.
  const isLinked = () => {
    const state = site.require('WAWebSocketModel').Socket.state ?? '';
    return !state.startsWith('UNPAIRED') && localStorage.getItem('last-wid-md') !== null;
  };
  const build = async (ref: string) => {
    const { encodeB64 } = site.require('WABase64');
    const { DEVICE_PLATFORM } = site.require('WAWebCompanionRegClientUtils');
    const noise = await site.require('WAWebUserPrefsInfoStore').waNoiseInfo.get();
    const registration = await site.require('WAWebSignalStoreApi').waSignalStore.getRegistrationInfo();
    const secret = await site.require('WAWebAdvSignatureApi').getADVSecretKey();
    const keys = [noise.staticKeyPair.pubKey, registration.identityKeyPair.pubKey].map((key) =>
      encodeB64(key),
    );
    return [ref, ...keys, secret, DEVICE_PLATFORM].join(',');
  };
  const show = async () => {
    const turn = ++latest;
    const { ref, refTTL = null } = site.require('WAWebConnModel').Conn;
    if (!ref) return;
    let built: string | null = null;
    while (built === null) {
      // The page loads these modules when it first needs them.
      built = await build(ref).catch(() => null);
      if (built === null) await wait(pollMs);
      if (turn !== latest || isLinked()) return;
    }
    const report = (qr: string, from: 'parts' | 'page') => {
      const leftMs = refTTL === null ? null : refTTL - (performance.now() - refSince);
      if (leftMs === null || leftMs > 0) send({ kind: 'shown', from, qr, leftMs });
    };
    const expected = before + built + after;
    if (!drawsOther) report(expected, 'parts');
    const until = performance.now() + drawMs;
    while (turn === latest && !isLinked()) {
      const drawn = document.querySelector('[data-ref]')?.getAttribute('data-ref') ?? '';
      if (drawn.includes(built)) {
        [before = '', after = ''] = drawn.split(built);
        if (drawsOther || drawn !== expected) report(drawn, 'parts');
        drawsOther = false;
        return;
      }
      if (performance.now() >= until) {
        drawsOther = drawn.includes(`${ref},`);
        if (drawsOther) report(drawn, 'page');
        else send({ kind: 'not drawn' });
        return;
      }
      await wait(COMPARE_MS);
    }
  };
  const taps = [
    () => {
      const { Conn } = site.require('WAWebConnModel');
      const renew = () => {
        refSince = performance.now();
        void show();
      };
      if (!isFirst(Conn, 'qr')) return;
      Conn.on('change:ref', renew);
      renew();
    },
    () => {
      // Upstream: not reported (docs/upstream.md)
      const { advSecretEventEmitter } = site.require('WAWebUserPrefsMultiDevice');
      if (advSecretEventEmitter && isFirst(advSecretEventEmitter, 'qr'))
        advSecretEventEmitter.on('change', () => void show());
    },
  ];
  poll(pollMs, () => {
    for (const tap of taps.splice(0)) {
      try {
        tap();
      } catch {
        taps.push(tap);
      }
    }
    return taps.length === 0;
  });
}
