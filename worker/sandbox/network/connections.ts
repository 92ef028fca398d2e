import type { WebSocket } from 'ws';
import type { Change, Stanza, ToPage } from '../page/protocol.ts';

const CONFIRMED_MS_MAX = 2000;
const REFUSED_CLOSES_AFTER_MS = 300;

export interface PasskeyLinking {
  phone: string;
  challenge: string;
  /** On the monotonic clock. */
  expiresAt: number;
  ref?: string;
  /** The passkey has signed. */
  signed: boolean;
  /** The code that the phone shows. */
  code: string | null;
}

/** A page's socket and what the network knows about the page. */
export class PageConnection {
  readonly #socket: WebSocket;
  readonly #confirmations = new Map<number, () => void>();
  #sequence = 0;
  pageId = '';
  /** Set while the page is served: linked, admitted and not displaced by another page. */
  phone: string | undefined;
  deviceId: string | undefined;
  /** The content of its QR, and until when it is valid. */
  ref: string | undefined;
  refTimer: NodeJS.Timeout | undefined;
  /** Its login is not answered yet. */
  loginTimer: NodeJS.Timeout | undefined;
  /** The secret in its QR, and whether a scan has made the server rotate it. */
  secret: string | undefined;
  rotatedAtScan = false;
  /** `expiresAt` on the monotonic clock. */
  pairingCode: { code: string; phone: string; expiresAt: number; attemptsLeft: number } | undefined;
  /** The phone whose linking waits for a passkey, and what is known of it so far. */
  passkey: PasskeyLinking | undefined;
  /** The phone that is silently cut off: nothing passes in either direction. */
  mutedFor: string | undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  send(frame: ToPage): void {
    if (this.mutedFor === undefined && this.#socket.readyState === this.#socket.OPEN) {
      this.#socket.send(JSON.stringify(frame));
    }
  }

  /** Sends a change and resolves when the page has applied it, or after 2 s if it hangs. */
  async change(change: Change): Promise<void> {
    const seq = ++this.#sequence;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CONFIRMED_MS_MAX);
      this.#confirmations.set(seq, () => {
        clearTimeout(timer);
        resolve();
      });
      this.send({ ...change, seq });
    });
    this.#confirmations.delete(seq);
  }

  confirm(seq: number): void {
    this.#confirmations.get(seq)?.();
  }

  /** A wrong code was entered; the last attempt invalidates the code. */
  missCode(): void {
    if (this.pairingCode && --this.pairingCode.attemptsLeft === 0) this.pairingCode = undefined;
  }

  /** Refuses its login, and closes the connection a moment later. */
  refuse(stanza: Stanza): void {
    this.send({ t: 'stanza', stanza });
    setTimeout(() => this.terminate(), REFUSED_CLOSES_AFTER_MS);
  }

  /** Breaks the connection at once; the page reconnects automatically. */
  terminate(): void {
    this.#socket.terminate();
  }

  forgetTimers(): void {
    clearTimeout(this.refTimer);
    clearTimeout(this.loginTimer);
    for (const confirm of this.#confirmations.values()) confirm();
  }
}

/** The currently connected pages. */
export class Connections {
  readonly #pages = new Set<PageConnection>();

  add(page: PageConnection): void {
    this.#pages.add(page);
  }

  remove(page: PageConnection): void {
    page.forgetTimers();
    this.#pages.delete(page);
  }

  all(): PageConnection[] {
    return [...this.#pages];
  }

  /** The pages that are served for a phone. */
  of(phone: string): PageConnection[] {
    return this.all().filter((page) => page.phone === phone);
  }

  find(wanted: (page: PageConnection) => boolean): PageConnection | undefined {
    return this.all().find(wanted);
  }

  close(): void {
    for (const page of this.all()) {
      this.remove(page);
      page.terminate();
    }
  }
}
