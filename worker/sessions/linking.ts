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
  /** The row as it was read last. */
  row(): SessionRow | null;
  session(): EngineSession | null;
  tell(status: SessionRow['status'], reason: string | null): Promise<boolean>;
  /** Nobody linked a phone in time. */
  onExpired(): void;
}

/** What a number's owner is shown while a phone is to be linked, and for how long. */
export class Linking {
  readonly #o: LinkingOptions;
  /** The code that the page shows. */
  #qr: { code: string; expiresAtMs: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  /** Linking is over after this. */
  expireIn(leftMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#o.onExpired(), leftMs);
  }

  /** It does not expire any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Another page begins, that shows no code yet. */
  forgetQr(): void {
    this.#qr = null;
  }

  /** Linking was opened again while the page already shows its code: reports the code again. */
  async showAgain(row: SessionRow): Promise<void> {
    if (this.#qr && this.#qr.expiresAtMs > Date.now()) await this.onQr(this.#qr.code, this.#qr.expiresAtMs);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  /** The page waits for a phone. */
  async onUnpaired(): Promise<void> {
    const row = this.#o.row();
    if (row?.intent !== 'link') return;
    await this.#o.tell('LINKING', null);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  async onQr(qr: string, expiresAtMs: number): Promise<void> {
    const { database, holding } = this.#o;
    this.#qr = { code: qr, expiresAtMs };
    if (this.#o.row()?.intent === 'link') {
      await writeLink(database, holding, { qr, qrExpiresAtMs: expiresAtMs });
    }
  }

  /** The library makes a new code every few minutes; the old one is good for nothing then. */
  async onPairingCode(pairingCode: string): Promise<void> {
    const row = this.#o.row();
    if (row?.intent === 'link' && row.pairingPhone) {
      await writeLink(this.#o.database, this.#o.holding, { pairingCode });
    }
  }

  /** A phone was linked, and what it has is being loaded. */
  async onSyncing(percent: number | null): Promise<void> {
    const { database, holding } = this.#o;
    if (this.#o.row()?.intent !== 'link') return;
    await this.#o.tell('SYNCING', null);
    return writeLink(database, holding, { qr: null, pairingCode: null, syncPercent: percent });
  }

  async #requestPairingCode(phone: string): Promise<void> {
    const { database, holding, log } = this.#o;
    try {
      const pairingCode = await this.#o.session()?.requestPairingCode(phone);
      if (pairingCode) await writeLink(database, holding, { pairingCode });
    } catch (error) {
      log.warn({ err: error }, 'no pairing code');
      const why = error instanceof PairingCodeError ? error.reason : 'page';
      await this.#o.tell('LINKING', NO_PAIRING_CODE[why]);
    }
  }
}
