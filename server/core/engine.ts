import type { MessageContent, MessageType } from './message.ts';
import type { Cause } from './number/cause.ts';
import type { CommsMode } from './page-build.ts';
import type { PageCheck } from './page-check.ts';
import type { PasskeyReply, PasskeyStep } from './passkey.ts';
import type { Address, Recipient } from './recipient.ts';
import type { SendError } from './send-failures.ts';

/**
 * The port to WhatsApp: what the worker needs from a session, and what a session reports. One adapter
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
  /** Arguments that direct the browser to the number's network; empty on the real one. */
  networkArgs: readonly string[];
  /**
   * Called when the page is about to add the message: may it be sent, and does the lease still hold? False
   * definitely stops the dispatch.
   */
  mayDispatch(waMessageId: string): Promise<boolean>;
  /** Each load of the page gets this document. Null or absent: the document that the site serves. */
  build?: KeptBuild | null;
}

/**
 * A kept build of WhatsApp Web: its HTML document as the site served it, uncompressed. Its scripts still come from
 * the site.
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
  /** The document that the site served; null if it is a kept one or was not captured. */
  document: Uint8Array | null;
}
/** Whether a session keeps the build that it loaded. */
export type BuildVerdict = 'stay' | 'leave';

/** The reason of a session that ended on purpose. */
export const BUILD_LEFT = 'another number is trying this build';

/** A session's state as the library and the page show it. */
export type EngineState =
  | { state: 'qr' } // waits for a phone; a number that was linked has lost its link
  // WhatsApp asks for a passkey to link the number. `attempt` changes with each request of the page.
  | { state: 'passkey'; attempt: string; step: PasskeyStep }
  | { state: 'syncing'; percent: number | null }
  | { state: 'ready'; phone: string; pushName: string | null; build: string } // build: WhatsApp Web's version
  | { state: 'waiting'; cause: Cause } // linked, and not connected right now: `ready` follows without a restart
  | { state: 'leaving' } // the page logs out and sends nothing more: `logged_out` follows, with the cause
  | { state: 'logged_out'; reason: string | null } // the page's own word; null if it gave none
  | { state: 'conflict' } // opened elsewhere
  // Refused by WhatsApp until then (ms since the epoch); null: until a person acts.
  | { state: 'blocked'; cause: Cause; until: number | null }
  // The page's self-test failed: this build does not do what `failed` says, so nothing is sent with it.
  | { state: 'unfit'; build: string; failed: string }
  // Browser or page lost or reloaded: start it again, not before `pauseMs`. `reason` is for the log and
  // the metric, `cause` for the number's owner, if it is known. `linkEnded`: the server ended the link; a QR at the next start proves it. `unseen`: the
  // connection ended on a page that hides WhatsApp's reasons.
  | {
      state: 'gone';
      reason: string;
      detail?: string;
      cause?: Cause;
      pauseMs?: number;
      linkEnded?: true;
      unseen?: true;
    };

export interface SelfTestResult {
  version: string;
  /** What has changed; null if it passed. */
  failed: string | null;
  comms: CommsMode;
}

export interface SessionEvents {
  state(state: EngineState): void;
  /** A QR to show; `expiresAt` in ms since the epoch. */
  qr(qr: string, expiresAt: number): void;
  /**
   * An acknowledgement, by the bare WhatsApp message ID (its remote part differs under LID). `code`: why
   * WhatsApp's server refused it (ack −1), if known.
   */
  ack(waMessageId: string, ack: number, code?: number | null): void;
  /** A dispatched message was definitely not sent, because of `failure`. */
  notSent(waMessageId: string, failure: SendError): void;
  /** WhatsApp's restrictions may have changed: read them with {@link EngineSession.health}. */
  healthChanged?(): void;
  /**
   * A document of the page was loaded, at the start or on a reload. Called before the
   * login, for at most 5 s; without an answer the session continues. `leave` ends it as `gone`, with
   * {@link BUILD_LEFT}. A build whose scripts the site no longer serves is never reported: the start rejects.
   */
  build?(seen: SeenBuild): BuildVerdict | Promise<BuildVerdict>;
  /** A full self-test ended, or a repeated one failed. */
  selfTest?(result: SelfTestResult): void;
  /** People (digits) who wrote to this number: at the start those of its chats, later each new one. */
  receivedFrom?(digits: string[]): void;
}

/** WhatsApp's restrictions of a number, as its page knows them. Null: no such limit is known. */
export interface NumberLimits {
  /**
   * New conversations are refused until then (ms since the epoch; null: no end is known). `kind` is WhatsApp's
   * word.
   */
  timelock: { kind: string; until: number | null } | null;
  /** The cap for new conversations in a cycle that ends at `until` (ms since the epoch). */
  cap: { status: CapStatus; total: number | null; used: number | null; until: number | null } | null;
  /** WhatsApp wants proof of who uses it: `PASSKEY` or `CAPTCHA`. */
  checkpoint: string | null;
}
export type CapStatus = 'NONE' | 'FIRST_WARNING' | 'SECOND_WARNING' | 'CAPPED';

export interface OutgoingMedia {
  mimeType: string;
  bytes: Buffer;
}

/** A message as it is handed to WhatsApp Web. */
export interface Outgoing {
  /** Chosen and stored before the dispatch. */
  waMessageId: string;
  recipient: Recipient;
  address: Address;
  content: MessageContent;
  /** Present for image, document and audio. */
  media: OutgoingMedia | null;
  /** For the engine's log: the message and its request. */
  trace?: { messageId: string; requestId: string | null };
}

/** What a test of each kind found: a clause that says what differs, or null if it can be sent. */
export type TestedKinds = Partial<Record<MessageType, string | null>>;

export interface Group {
  id: string;
  name: string;
  participants: number;
}

/** The session of one number, with its browser. Made by {@link Engine}, used by one worker under its lease. */
export interface EngineSession {
  /** Starts the browser. Resolves when the page is up (QR or stored session), rejects within its deadline. */
  start(): Promise<void>;
  /**
   * Ends the browser cleanly; the link stays. Always resolves within about 10 s and leaves no process. A browser
   * that is still open after `withinMs` is killed.
   */
  stop(options?: { withinMs?: number }): Promise<void>;
  /**
   * Logs the device out at WhatsApp, ends the browser and removes the profile. Waits for a stored session that is
   * starting. False if WhatsApp did not confirm it: the phone may still list the device.
   */
  unlink(): Promise<boolean>;
  /**
   * A pairing code for this phone number (digits), as the other way of linking. Rejects with
   * {@link PairingCodeError}.
   */
  requestPairingCode(phone: string): Promise<string>;
  /** What the owner did about a step of the passkey. Ignored if the attempt or its step is over. */
  replyPasskey(attempt: string, reply: PasskeyReply): Promise<void>;
  /**
   * The address of this number on WhatsApp; null if it is not there. Needed once, before the first message to it. Rejects with {@link SendError}, its
   * reason `look_ups` if WhatsApp does not answer look-ups for now, `look_ups_changed` if this build of its
   * page answers them in an unknown form.
   */
  lookUp(digits: string): Promise<Address | null>;
  /** Can this person be contacted without a look-up? */
  canAddress(address: Address): Promise<boolean>;
  /**
   * Dispatches a message under the given id. Resolves when the page has accepted it; the acknowledgement comes
   * later, by `events.ack`. Rejects with {@link SendError}.
   */
  send(message: Outgoing): Promise<void>;
  /**
   * Builds a message of each of these kinds in the page and adds none. `upload`: with the upload of its file. Rejects if
   * the session is not ready.
   */
  testKinds(types: readonly MessageType[], options: { upload: boolean }): Promise<TestedKinds>;
  /** Runs the whole self-test on the connected page, without uploads. Rejects if the session is not ready. */
  check(): Promise<PageCheck>;
  /**
   * The time for a message's acknowledgement is over. If it has definitely not been sent, stops it and returns a certain
   * failure; otherwise one that is not certain.
   */
  giveUp(waMessageId: string): SendError;
  /** Sends nothing more: an accepted message that has not left is reported as not sent, if that is certain. */
  endSending(): void;
  /** Is the session connected to WhatsApp's server? False if in doubt, within about 5 s. */
  probe(): Promise<boolean>;
  /**
   * The ack of our message in the page's own list; null if the page has never seen it. `byKey`: only by its key, which is
   * quick and does not search the chat.
   */
  reconcile(message: { waMessageId: string; address: Address; byKey?: boolean }): Promise<number | null>;
  listGroups(): Promise<Group[]>;
  /**
   * WhatsApp's restrictions of this number. `ask`: the page first asks the server, which it does not do
   * automatically after a refusal. Rejects if the page does not answer in time. A value that the build does not
   * have is null.
   */
  health(options?: { ask?: boolean }): Promise<NumberLimits>;
}

/** No pairing code: too many requests, a number that WhatsApp does not accept, or a failure of the page. */
export class PairingCodeError extends Error {
  readonly reason: 'too_many' | 'bad_number' | 'page';
  override readonly name = 'PairingCodeError';

  constructor(reason: PairingCodeError['reason'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
