import type { Client, Page } from './library.ts';
import { runOwnCode } from './library-errors.ts';
import { readQr } from './page/state.ts';
import type { PageWatch } from './page-watch.ts';
import { pairingCodeError } from './pairing-code.ts';
import { asError } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface LinkingOptions {
  times: EngineTimes;
  watch: PageWatch;
  page(): Page;
  isOver(): boolean;
  /** The page's current document is linked and was ready. */
  wasReady(): boolean;
  /** Runs a call into the page, with a time limit. */
  call<T>(what: string, work: (client: Client) => Promise<T>, ms?: number): Promise<T>;
  onQr(qr: string, expiresAt: number): void;
}

/** For a page that does not say how long its QR is valid: the shortest time that WhatsApp uses. */
const QR_MS_MIN = 20_000;

/** Links a page to a phone, by QR or by pairing code. */
export class Linking {
  readonly #o: LinkingOptions;

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  /** The page has made a new QR, which it can also do after it was linked: such a QR is ignored. */
  async onQr(qr: string): Promise<void> {
    const { times, watch, page, isOver, wasReady, call, onQr } = this.#o;
    const shownAt = Date.now();
    const asked = call('the QR', () => page().evaluate(readQr), times.probeMs);
    const { isLinked, lifeMs } = await asked.catch(() => ({ isLinked: false, lifeMs: null }));
    if (isOver() || isLinked || wasReady()) return;
    const validMs = lifeMs ?? QR_MS_MIN;
    watch.qrShown(validMs);
    runOwnCode(() => onQr(qr, shownAt + validMs));
  }

  /** Rejects with {@link PairingCodeError}. */
  async requestCode(phone: string): Promise<string> {
    const { watch, call } = this.#o;
    watch.codeShown(true);
    try {
      return await call('the pairing code', (client) => client.requestPairingCode(phone));
    } catch (thrown) {
      watch.codeShown(false);
      // Otherwise the library asks again every three minutes and never shows the QR.
      // Upstream: not reported (docs/upstream.md)
      await call('the QR', (client) => client.cancelPairingCode()).catch(() => {});
      throw pairingCodeError(asError(thrown));
    }
  }
}
