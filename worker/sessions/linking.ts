import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { type SessionRow, writeLink } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { NO_PAIRING_CODE } from './reasons.ts';

interface LinkingOptions {
  database: Database;
  log: Log;
  holding: Holding;
  /** The row as last read. */
  row(): SessionRow | null;
  session(): EngineSession | null;
  setStatus(status: SessionRow['status'], reason: string | null): Promise<boolean>;
  onExpired(): void;
}

/** Shows the QR or pairing code to a number's owner, until linking expires. */
export class Linking {
  readonly #o: LinkingOptions;
  /** The QR that the page shows. */
  #qr: { code: string; expiresAtMs: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  expireIn(leftMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#o.onExpired(), leftMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  /** A new page does not show a QR yet. */
  forgetQr(): void {
    this.#qr = null;
  }

  /** Linking was opened again while the page already shows a QR: writes that QR again. */
  async showAgain(row: SessionRow): Promise<void> {
    if (this.#qr && this.#qr.expiresAtMs > Date.now()) await this.onQr(this.#qr.code, this.#qr.expiresAtMs);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  /** The page waits for a phone. */
  async onUnpaired(): Promise<void> {
    const row = this.#o.row();
    if (row?.intent !== 'link') return;
    await this.#o.setStatus('LINKING', null);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  async onQr(qr: string, expiresAtMs: number): Promise<void> {
    const { database, holding } = this.#o;
    this.#qr = { code: qr, expiresAtMs };
    if (this.#o.row()?.intent === 'link') {
      await writeLink(database, holding, { qr, qrExpiresAtMs: expiresAtMs });
    }
  }

  /** The library creates a new code every few minutes, which invalidates the old one. */
  async onPairingCode(pairingCode: string): Promise<void> {
    const row = this.#o.row();
    if (row?.intent === 'link' && row.pairingPhone) {
      await writeLink(this.#o.database, this.#o.holding, { pairingCode });
    }
  }

  /** A phone was linked, and its data is being loaded. */
  async onSyncing(percent: number | null): Promise<void> {
    const { database, holding } = this.#o;
    if (this.#o.row()?.intent !== 'link') return;
    await this.#o.setStatus('SYNCING', null);
    return writeLink(database, holding, { qr: null, pairingCode: null, syncPercent: percent });
  }

  async #requestPairingCode(phone: string): Promise<void> {
    const { database, holding, log } = this.#o;
    try {
      const pairingCode = await this.#o.session()?.requestPairingCode(phone);
      if (pairingCode) await writeLink(database, holding, { pairingCode });
    } catch (error) {
      log.warn({ err: error }, 'no pairing code');
      const reason = error instanceof PairingCodeError ? error.reason : 'page';
      await this.#o.setStatus('LINKING', NO_PAIRING_CODE[reason]);
    }
  }
}
