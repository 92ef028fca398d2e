import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { LINKING_MS } from '#server/core/number-state.ts';
import { PASSKEY_MS, PASSKEY_STEP_MS, type PasskeyStep } from '#server/core/passkey.ts';
import { extendLinking, type PasskeyAttempt, takePasskeyReply } from '#server/numbers/queries/passkeys.ts';
import { type SessionRow, writeLink } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { NO_PAIRING_CODE, PASSKEY_STEPS } from './reasons.ts';

interface LinkingOptions {
  database: Database;
  log: Log;
  holding: Holding;
  /** The row as last read. */
  row(): SessionRow | null;
  session(): EngineSession | null;
  setStatus(status: SessionRow['status'], reason: string | null): Promise<boolean>;
  /** The time for linking may be over. */
  onTime(): void;
}

/** A phone that was linked in time gets this much longer to load its data if its page is lost meanwhile. */
const LOAD_MS_MAX = 10 * 60_000;
const CHECK_MS = 1000;
/** How long the owner has at least, where it is not {@link PASSKEY_STEP_MS}. */
const STEP_MS: Partial<Record<PasskeyStep['at'], number>> = { sign: PASSKEY_MS, failed: LINKING_MS };

/** Shows the QR or pairing code to a number's owner, until linking expires. */
export class Linking {
  readonly #o: LinkingOptions;
  /** The QR that the page shows. */
  #qr: { code: string; expiresAtMs: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The page loads the data of a phone. The engine ends a page that makes no progress. */
  #isLoading = false;
  #awaitsPasskey = false;

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  /** WhatsApp asks for a passkey, and has not linked the number yet. */
  get awaitsPasskey(): boolean {
    return this.#awaitsPasskey;
  }

  /** No phone was linked in time. */
  isOver({ linkLeftMs, status }: SessionRow): boolean {
    const leftMs = linkLeftMs ?? 0;
    if (leftMs > 0 || this.#isLoading) return false;
    return status !== 'SYNCING' || leftMs < -LOAD_MS_MAX;
  }

  /** Checks again when the time for linking ends, or soon if it has. */
  watchTime({ linkLeftMs }: SessionRow): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#o.onTime(), Math.max(linkLeftMs ?? 0, CHECK_MS));
  }

  /** The page has ended or is linked. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isLoading = false;
    this.#awaitsPasskey = false;
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
    this.#isLoading = false;
    if (this.#awaitsPasskey) await writeLink(this.#o.database, this.#o.holding, { passkey: null });
    this.#awaitsPasskey = false;
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

  /** WhatsApp asks for a passkey: the owner gets as long for each step as the page. */
  async onPasskey({ attempt, step }: PasskeyAttempt): Promise<void> {
    const { database, holding } = this.#o;
    if (this.#o.row()?.intent !== 'link') return;
    this.#qr = null;
    this.#awaitsPasskey = true;
    await extendLinking(database, holding, STEP_MS[step.at] ?? PASSKEY_STEP_MS);
    await writeLink(database, holding, { qr: null, pairingCode: null, passkey: { attempt, step } });
    await this.#o.setStatus('LINKING', PASSKEY_STEPS[step.at]);
  }

  /** The owner has done something about the passkey. */
  async onPasskeyReply(): Promise<void> {
    const taken = await takePasskeyReply(this.#o.database, this.#o.holding);
    if (taken) await this.#o.session()?.replyPasskey(taken.attempt, taken.reply);
  }

  /** A phone was linked, and its data is being loaded. */
  async onSyncing(percent: number | null): Promise<void> {
    const { database, holding } = this.#o;
    if (this.#o.row()?.intent !== 'link') return;
    this.#isLoading = true;
    await this.#o.setStatus('SYNCING', null);
    return writeLink(database, holding, { qr: null, pairingCode: null, syncPercent: percent, passkey: null });
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
