import { PairingCodeError } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import type { Client, Page } from './library.ts';
import { runOwnCode } from './library-errors.ts';
import { QR_REPORT, type QrReport, watchQr } from './page/qr.ts';
import type { PageWatch } from './page-watch.ts';
import { asError } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface LinkingOptions {
  times: EngineTimes;
  log: Log;
  watch: PageWatch;
  isOver(): boolean;
  /** The page asks for a passkey: its new QR codes are not shown. */
  isPasskeyAsked(): boolean;
  /** The page's current document is linked and was ready. */
  wasReady(): boolean;
  /** The version of the page's build, once it is known. */
  build(): string | null;
  /** Runs a call into the page, with a time limit. */
  call<T>(what: string, work: (client: Client) => Promise<T>, ms?: number): Promise<T>;
  onQr(qr: string, expiresAt: number): void;
}

/** The library would ask for further codes itself, more than WhatsApp allows in an hour. The longest time of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/** For a page that does not say how long its QR is valid: the shortest time that WhatsApp uses. */
const QR_MS_MIN = 20_000;

/** Links a page to a phone, by QR or by pairing code. */
export class Linking {
  readonly #o: LinkingOptions;
  /** The library listens to the page: a phone that is linked now is noticed. */
  #begun = false;
  #qr: { qr: string; expiresAt: number } | null = null;
  readonly #noted = new Set<string>();

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  /** Makes each document of the page report its QR. The library's event lacks those after a change of the secret. */
  async tap(page: Page): Promise<void> {
    const { times } = this.#o;
    await page.exposeFunction(QR_REPORT, (report: QrReport) => this.#report(report));
    await page.evaluateOnNewDocument(watchQr, times.tapMs, times.qrDrawMs);
  }

  begin(): void {
    this.#begun = true;
    this.#show();
  }

  #report(report: QrReport): void {
    if (this.#o.isPasskeyAsked()) return;
    if (report.kind === 'not drawn') {
      this.#note('the page draws no QR that can be compared with the one that is shown');
      return;
    }
    if (report.from === 'page')
      this.#note('the page draws a QR of other parts than expected: its own is shown');
    this.#qr = { qr: report.qr, expiresAt: Date.now() + (report.leftMs ?? QR_MS_MIN) };
    this.#show();
  }

  #show(): void {
    const { watch, isOver, wasReady, onQr } = this.#o;
    if (!this.#begun || !this.#qr || isOver() || wasReady()) return;
    const { qr, expiresAt } = this.#qr;
    watch.qrShown(expiresAt - Date.now());
    runOwnCode(() => onQr(qr, expiresAt));
  }

  /** Warns once about a build whose QR differs. */
  #note(what: string): void {
    if (this.#noted.has(what)) return;
    this.#noted.add(what);
    this.#o.log.warn({ build: this.#o.build() }, what);
  }

  /** Rejects with {@link PairingCodeError}. */
  async requestCode(phone: string): Promise<string> {
    const { watch, call } = this.#o;
    watch.codeShown(true);
    try {
      return await call('the pairing code', (client) => client.requestPairingCode(phone, true, NEVER_MS));
    } catch (thrown) {
      watch.codeShown(false);
      // Otherwise the library never shows the QR.
      // Upstream: not reported (docs/upstream.md)
      await call('the QR', (client) => client.cancelPairingCode()).catch(() => {});
      throw pairingCodeError(asError(thrown));
    }
  }
}

/** How WhatsApp's page names its refusals of a pairing code. Only the text of its error leaves the page. */
const REFUSALS = { IQErrorRateOverlimit: 'too_many', IQErrorBadRequest: 'bad_number' } as const;

/** Turns an error of the page into the reason why there is no pairing code. */
function pairingCodeError(error: Error): PairingCodeError {
  const known = Object.entries(REFUSALS).find(([name]) => error.message.includes(name));
  return new PairingCodeError(known?.[1] ?? 'page', error.message, { cause: error });
}
