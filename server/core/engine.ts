import type { LogoutCause } from './logout-cause.ts';
import type { MessageContent } from './message.ts';
import type { Recipient } from './recipient.ts';
import type { SendError } from './send-failures.ts';

/**
 * The port to WhatsApp: what the worker needs of a session, and what a session tells. One adapter
 * (`worker/engine/whatsapp-web.ts`) serves both networks; tests of the worker may use a browserless one.
 */
export interface Engine {
  /** A session over one profile. Nothing runs until `start`. It is used once: after its end, open another. */
  open(options: SessionOptions, events: SessionEvents): EngineSession;
}

export interface SessionOptions {
  numberId: string;
  /** Absolute directory of this number's profile; its mode is 0700. */
  profileDir: string;
  /** Arguments that lead the browser to the number's network; empty on the real one. */
  networkArgs: readonly string[];
  /**
   * Asked in the page at the last point before a message leaves: may this id go out (is the fence still
   * valid)? False stops the dispatch for certain.
   */
  mayDispatch(waMessageId: string): Promise<boolean>;
  /** Each load of the page is answered with this document; null or absent: with what the site serves. */
  build?: KeptBuild | null;
}

/**
 * A build of WhatsApp Web that was kept: its HTML document as the site served it, uncompressed. Its scripts still come
 * from the site, as long as it serves them.
 */
export interface KeptBuild {
  version: string;
  document: Uint8Array;
}

/** The build of a page that was just loaded. */
export interface SeenBuild {
  version: string;
  /** It is the document of {@link SessionOptions.build}. */
  kept: boolean;
  /** What the site served; null when it is a kept one, or was not caught. */
  document: Uint8Array | null;
}
/** Whether a session goes on with the build that it has got. */
export type BuildVerdict = 'stay' | 'leave';
/** Why a session has ended that was not to stay. */
export const BUILD_LEFT = 'another number is trying this build';

/** A session's state as the library and the page show it. */
export type EngineState =
  | { state: 'qr' } // waits for a phone; of a number that was linked: the link was removed meanwhile
  | { state: 'passkey' } // a passkey is demanded while linking, which no server can give
  | { state: 'syncing'; percent: number | null }
  | { state: 'ready'; phone: string; pushName: string | null; build: string } // build: WhatsApp Web's version
  | { state: 'waiting'; reason: string } // linked, and not connected right now: `ready` follows without a restart
  | { state: 'logged_out'; cause: LogoutCause }
  | { state: 'conflict' } // opened elsewhere
  // Refused by WhatsApp until then (ms since the epoch); null: until a person acts. What to do is part of the reason.
  | { state: 'blocked'; reason: string; until: number | null }
  // Browser or page lost, or loaded again: to be started again, not before `pauseMs`. `words` are for the number's
  // owner; without them it was just lost. `linkEnded`: by the server, so that a next start which shows a QR proves it.
  | { state: 'gone'; reason: string; words?: string; pauseMs?: number; linkEnded?: true };

export interface SessionEvents {
  state(state: EngineState): void;
  /** A QR to show; `expiresAt` in ms since the epoch. */
  qr(qr: string, expiresAt: number): void;
  /** A pairing code to show, and again each time the page makes a new one (every 3 minutes). */
  pairingCode?(code: string): void;
  /**
   * An acknowledgement, by the bare WhatsApp message id (its remote part differs under LID). `code`: why
   * WhatsApp's server refused it (ack −1), where it said so.
   */
  ack(waMessageId: string, ack: number, code?: number | null): void;
  /** A message that the page had taken has not left, and will not: `failure` is certain. */
  notSent(waMessageId: string, failure: SendError): void;
  /** What WhatsApp allows this number may have changed: read it with {@link EngineSession.health}. */
  healthChanged?(): void;
  /**
   * A document of the page was loaded: at the start, and each time that the page is loaded again. It is asked before the
   * login, and waited for 5 s at most; without an answer the session stays. `leave` ends it as `gone`, with
   * {@link BUILD_LEFT}. A build whose scripts the site no longer serves is never reported: the start rejects.
   */
  build?(seen: SeenBuild): BuildVerdict | Promise<BuildVerdict>;
  /** A whole self-test has ended, or one that is repeated has failed: `failed` says what has changed. */
  selfTest?(result: { version: string; failed: string | null }): void;
  /** People (digits) who have written to this number: at the start those of its chats, later each once. */
  receivedFrom?(digits: string[]): void;
}

/** What WhatsApp restricts on a number, as its page knows it. Null: no such limit is known. */
export interface NumberLimits {
  /** New conversations are refused until then (ms since the epoch; null: no end is known). `kind` is WhatsApp's word. */
  timelock: { kind: string; until: number | null } | null;
  /** The cap for new conversations in a cycle that ends at `until` (ms since the epoch). */
  cap: { status: CapStatus; total: number | null; used: number | null; until: number | null } | null;
  /** WhatsApp wants to be shown who uses it: `PASSKEY` or `CAPTCHA`. */
  checkpoint: string | null;
}
export type CapStatus = 'NONE' | 'FIRST_WARNING' | 'SECOND_WARNING' | 'CAPPED';

export interface OutgoingMedia {
  file: string;
  mimeType: string;
  bytes: number;
}

export interface Outgoing {
  /** Chosen and stored before anything leaves. */
  waMessageId: string;
  recipient: Recipient;
  content: MessageContent;
  /** Present for image, document and audio. */
  media: OutgoingMedia | null;
  /** For the engine's log: which message this is, and the request that it came with. */
  trace?: { messageId: string; requestId: string | null };
}

export type LookUp = 'known' | 'absent';

export interface Group {
  id: string;
  name: string;
  participants: number;
}

export interface EngineSession {
  /** Starts the browser. Resolves when the page is up (QR or stored session), rejects within its deadline. */
  start(): Promise<void>;
  /**
   * Ends the browser cleanly; the link stays. Always resolves, within about 10 s, and no process is left. One
   * that has not closed after `withinMs` is killed, where that is sooner.
   */
  stop(options?: { withinMs?: number }): Promise<void>;
  /**
   * Logs the device out at WhatsApp, ends the browser and removes the profile. A stored session that is just
   * starting is waited for. False when WhatsApp did not confirm it: the phone may list the device still.
   */
  unlink(): Promise<boolean>;
  /** A pairing code for this phone number (digits), as the other way of linking. Rejects with {@link PairingCodeError}. */
  requestPairingCode(phone: string): Promise<string>;
  /**
   * Is this number on WhatsApp? Needed once before the first send to a number. Rejects with {@link SendError}, its
   * reason `look_ups` when WhatsApp takes no more such questions for now, `look_ups_changed` when this build of its
   * page does not answer them as it should.
   */
  lookUp(digits: string): Promise<LookUp>;
  /** Can this person be written to without a question to WhatsApp? */
  canAddress(digits: string): Promise<boolean>;
  /**
   * Hands a message to the page with the given id. Resolves when handed over: the outcome comes by
   * `events.ack`. Rejects with {@link SendError}.
   */
  send(message: Outgoing): Promise<void>;
  /** Is the session alive and connected to WhatsApp's server? False on any doubt, within about 5 s. */
  probe(): Promise<boolean>;
  /** The ack of a message of ours as the page's own list shows it; null when the page has never seen it. */
  reconcile(message: { waMessageId: string; recipient: Recipient }): Promise<number | null>;
  listGroups(): Promise<Group[]>;
  /**
   * What WhatsApp restricts on this number. `ask`: the page asks the server first, which it does not do unasked
   * after a refusal. Rejects when the page does not answer in time; what a build does not have reads as null.
   */
  health(options?: { ask?: boolean }): Promise<NumberLimits>;
}

/** There is no pairing code: too many were asked for, WhatsApp takes the number for none, or the page failed. */
export class PairingCodeError extends Error {
  readonly reason: 'too_many' | 'bad_number' | 'page';
  override readonly name = 'PairingCodeError';

  constructor(reason: PairingCodeError['reason'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
