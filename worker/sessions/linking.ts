import { type EngineSession, PairingCodeError } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Cause, PlainCause } from '#server/core/number/cause.ts';
import { LINKING_MS } from '#server/core/number-state.ts';
import { PASSKEY_MS, PASSKEY_STEP_MS, type PasskeyStep } from '#server/core/passkey.ts';
import { extendLinking, type PasskeyAttempt, takePasskeyReply } from '#server/numbers/queries/passkeys.ts';
import { type SessionRow, writeFirstCode, writeLink } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import { takeTokens } from '#server/platform/db/rate-buckets.ts';
import { digest } from '#server/platform/digest.ts';
import type { Log } from '#server/platform/log.ts';

interface LinkingOptions {
  database: Database;
  log: Log;
  holding: Holding;
  /** The row as last read. */
  row(): SessionRow | null;
  session(): EngineSession | null;
  setStatus(status: SessionRow['status'], cause: Cause | null): Promise<boolean>;
  /** The time for linking may be over. */
  onTime(): void;
}

/** A phone that was linked in time gets this much longer to load its data if its page is lost meanwhile. */
const LOAD_MS_MAX = 10 * 60_000;
const CHECK_MS = 1000;
/** For each phone, over all numbers and processes: WhatsApp refuses more in an hour, and remembers it for hours. */
const PAIRING_CODES = 10;
/** Each of them has its own place, which is free again an hour later. */
const PAIRING_PLACE = { capacity: 1, perSecond: 1 / 3_600 };
/** How long the owner has at least, where it is not {@link PASSKEY_STEP_MS}. */
const STEP_MS: Partial<Record<PasskeyStep['at'], number>> = { sign: PASSKEY_MS, failed: LINKING_MS };

/** What linking waits for. Steps that follow at once have one cause, so that the number's history has one entry. */
export const PASSKEY_CAUSES: Record<PasskeyStep['at'], PlainCause> = {
  begun: 'passkey_asked',
  sign: 'passkey_asked',
  phone: 'passkey_confirmed',
  code: 'passkey_code',
  finish: 'passkey_confirmed',
  failed: 'passkey_failed',
};

/** Shows the QR or pairing code to a number's owner, until linking expires. */
export class Linking {
  readonly #o: LinkingOptions;
  /** The QR that the page shows. */
  #qr: { code: string; expiresAtMs: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** The page loads the data of a phone. The engine ends a page that makes no progress. */
  #isLoading = false;
  /** WhatsApp asks for a passkey, and has not linked the number yet. */
  #passkey: PasskeyAttempt | null = null;
  /** A pairing code was requested, and has not come yet. */
  #requesting = false;

  constructor(options: LinkingOptions) {
    this.#o = options;
  }

  get awaitsPasskey(): boolean {
    return this.#passkey !== null;
  }

  /** No phone was linked in time. */
  isOver(row: SessionRow): boolean {
    const leftMs = row.linkLeftMs ?? 0;
    if (this.#isLoading) return false;
    if (row.status === 'SYNCING') return leftMs < -LOAD_MS_MAX;
    return leftMs <= 0 || this.isUnseen(row);
  }

  /** Codes are shown, and nobody has looked at them lately. A passkey is given on another page. */
  isUnseen({ unseenLeftMs, status }: SessionRow): boolean {
    return status === 'LINKING' && !this.#isLoading && !this.awaitsPasskey && (unseenLeftMs ?? 1) <= 0;
  }

  /** Checks again when the time for linking ends, or soon if it has. */
  watchTime({ linkLeftMs, unseenLeftMs }: SessionRow): void {
    clearTimeout(this.#timer);
    const leftMs = Math.min(linkLeftMs ?? 0, unseenLeftMs ?? Number.POSITIVE_INFINITY);
    this.#timer = setTimeout(() => this.#o.onTime(), Math.max(leftMs, CHECK_MS));
  }

  /** The page has ended or is linked. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isLoading = false;
    this.#passkey = null;
  }

  /** A new page does not show a QR yet. */
  forgetQr(): void {
    this.#qr = null;
  }

  /** Linking was opened again while the page already shows a QR or asks for a passkey: writes that again. */
  async showAgain(row: SessionRow): Promise<void> {
    if (this.#passkey) return this.onPasskey(this.#passkey);
    if (this.#qr && this.#qr.expiresAtMs > Date.now()) await this.onQr(this.#qr.code, this.#qr.expiresAtMs);
    if (row.pairingPhone) await this.#requestPairingCode(row.pairingPhone);
  }

  /** The page waits for a phone. */
  async onUnpaired(): Promise<void> {
    const row = this.#o.row();
    if (row?.intent !== 'link') return;
    this.#isLoading = false;
    const { database, holding } = this.#o;
    if (this.awaitsPasskey || row.status !== 'LINKING') await writeFirstCode(database, holding);
    if (this.awaitsPasskey) await writeLink(database, holding, { passkey: null });
    this.#passkey = null;
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
      // The first one was counted when it was requested.
      if (!this.#requesting) await this.#countCode(row.pairingPhone);
      await writeLink(this.#o.database, this.#o.holding, { pairingCode });
    }
  }

  /** WhatsApp asks for a passkey: the owner gets as long for each step as the page. */
  async onPasskey({ attempt, step }: PasskeyAttempt): Promise<void> {
    const { database, holding } = this.#o;
    if (this.#o.row()?.intent !== 'link') return;
    this.#qr = null;
    this.#passkey = { attempt, step };
    await extendLinking(database, holding, STEP_MS[step.at] ?? PASSKEY_STEP_MS);
    await writeLink(database, holding, { qr: null, pairingCode: null, passkey: { attempt, step } });
    await this.#o.setStatus('LINKING', { code: PASSKEY_CAUSES[step.at] });
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
    this.#passkey = null;
    await this.#o.setStatus('SYNCING', null);
    return writeLink(database, holding, { qr: null, pairingCode: null, syncPercent: percent, passkey: null });
  }

  async #requestPairingCode(phone: string): Promise<void> {
    const { database, holding, log } = this.#o;
    const waitMs = await this.#countCode(phone);
    if (waitMs > 0) {
      await this.#o.setStatus('LINKING', {
        code: 'pairing_codes_used_up',
        minutes: Math.ceil(waitMs / 60_000),
      });
      return;
    }
    this.#requesting = true;
    try {
      const pairingCode = await this.#o.session()?.requestPairingCode(phone);
      if (pairingCode) await writeLink(database, holding, { pairingCode });
    } catch (error) {
      log.warn({ err: error }, 'no pairing code');
      const why = error instanceof PairingCodeError ? error.reason : 'page';
      await this.#o.setStatus('LINKING', { code: 'no_pairing_code', why });
    } finally {
      this.#requesting = false;
    }
  }

  /** How long until WhatsApp may be asked for the next code for this phone; 0 if now. */
  async #countCode(phone: string): Promise<number> {
    let waitMs = Number.POSITIVE_INFINITY;
    for (let place = 1; place <= PAIRING_CODES; place++) {
      const key = `pairing:${digest(phone)}:${place}`;
      const { taken, tokens } = await takeTokens(this.#o.database, { key, ...PAIRING_PLACE });
      if (taken) return 0;
      waitMs = Math.min(waitMs, ((1 - tokens) / PAIRING_PLACE.perSecond) * 1000);
    }
    return waitMs;
  }
}
