/**
 * Reports logins and logouts inside WhatsApp's page. Each function is sent there as text, so it may use only its
 * arguments and the page's globals.
 */

import type { PreludePage } from './prelude.ts';

/** The name of our function that the page reports to. */
export const LOGIN_REPORT = 'wirebirdLogin';

export type LoginReport =
  /** A new document of this build, before its first socket. */
  | { kind: 'loaded'; version: string }
  /** This document's first stanza that our taps have seen. */
  | { kind: 'stanza' }
  /** A connection is open, and the server has not answered its login. */
  | { kind: 'opening' }
  | { kind: 'accepted' }
  | { kind: 'refused'; reason: string; code?: string | undefined; expireSeconds?: number | undefined }
  /** The server ends the stream, with a code or the kind of a conflict. */
  | { kind: 'stream ended'; error: string }
  /** A logout begins. */
  | { kind: 'leaving' }
  /** The page logs out or deletes its session; null: without a reason. */
  | { kind: 'logout'; reason: string | null };

interface Stanza {
  tag?: string;
  attrs?: { [name: string]: string | undefined };
  content?: unknown;
}
interface Modules {
  WAWebCommsConfig: {
    getCommsConfig(...given: unknown[]): {
      handlers: { onHandleStanza(stanza: Stanza, ...more: unknown[]): unknown };
    };
  };
  WAWebCommsHandleWorkerCompatibleStanza: { handleWorkerCompatibleStanza(stanza: Stanza): unknown };
  WAWebCommsGating: { isCommsInWorker(): boolean };
  WAWebCmd: { Cmd: { on(name: string, listener: (given?: BanEvent) => void): unknown } };
  WAWebSocketModel: {
    Socket: {
      hasSynced?: boolean;
      logout(reason?: string): unknown;
      clearCredentialsAndStoredData(reason?: string, message?: unknown): unknown;
    };
  };
  WAWebUnpairDeviceJob: { unpairDevice(reason: string): Promise<{ status?: number }> };
  WAWebUserPrefsMeUser: { getMaybeMePnUser(): { user?: string; server?: string } | null | undefined };
}
interface BanEvent {
  banned?: boolean;
  code?: string | number;
  expire?: string | number;
}
interface LoginPage extends PreludePage {
  Debug?: { VERSION?: unknown };
  require<K extends keyof Modules>(name: K): Modules[K];
  wirebirdLogin(report: LoginReport): Promise<void>;
  wirebirdReport?(id: string, report: { step: 'refused'; error: number }): Promise<void>;
  /** IDs of messages that the server has accepted, until their jobs end. */
  wirebirdAccepted?: Set<string>;
}

/**
 * Makes the page report its login. Run it in each new document: it polls for the page's modules every `pollMs`, because
 * the taps must be in place before the first socket opens. A build that lacks one module still gets the other taps.
 */
export function tapLogin(pollMs: number): void {
  if (window.top !== window) return;
  const site = window as unknown as LoginPage;
  const send = (report: LoginReport) => {
    site.wirebirdLogin(report).catch(() => {});
  };
  const text = (given: unknown) => (given === undefined || given === null ? undefined : String(given));
  const refused = (reason: string, code?: unknown, expire?: unknown) =>
    send({ kind: 'refused', reason, code: text(code), expireSeconds: Number(expire) || undefined });
  const streamEnded = ({ attrs, content }: Stanza) => {
    const [child]: (Stanza | undefined)[] = Array.isArray(content) ? content : [];
    send({ kind: 'stream ended', error: attrs?.code ?? child?.attrs?.type ?? child?.tag ?? 'unknown' });
  };
  // More than are ever being sent: the page writes messages of its own, whose jobs nobody watches.
  const ACCEPTED_MAX = 1_000;
  site.wirebirdAccepted ??= new Set();
  const accepted = site.wirebirdAccepted;
  const known = new WeakSet<Stanza>();
  let seen = false;
  /** Called by each tap that a stanza passes. */
  const heard = (stanza: Stanza) => {
    if (known.has(stanza)) return;
    known.add(stanza);
    if (!seen) send({ kind: 'stanza' });
    seen = true;
    const { tag, attrs = {} } = stanza;
    if (tag === 'success') send({ kind: 'accepted' });
    // Reports the code of a refused message even if this build's sending functions are not recognised.
    const error = Number(attrs.error);
    if (tag === 'ack' && attrs.class === 'message' && error > 0) {
      const report = { step: 'refused', error } as const;
      void site.wirebirdReport?.(attrs.id ?? '', report).catch(() => {});
    } else if (tag === 'ack' && attrs.class === 'message' && attrs.error === undefined) {
      if (accepted.size >= ACCEPTED_MAX) accepted.clear();
      accepted.add(attrs.id ?? '');
    }
    if (tag === 'failure') refused(attrs.reason ?? 'no code', attrs.code, attrs.expire);
    if (tag === 'stream:error') streamEnded(stanza);
  };
  const { hook, isFirst, poll } = site.wirebird;
  const taps = [
    () => {
      hook(site.require('WAWebCommsConfig'), 'getCommsConfig', 'login', (getCommsConfig) => (...given) => {
        const config = getCommsConfig(...given);
        hook(config.handlers, 'onHandleStanza', 'login', (handle) => (stanza, ...more) => {
          heard(stanza ?? {});
          return handle(stanza, ...more);
        });
        return config;
      });
    },
    // Where the connection runs in a worker, its configuration there is not this one, and stanzas arrive here.
    () => {
      const module = site.require('WAWebCommsHandleWorkerCompatibleStanza');
      hook(module, 'handleWorkerCompatibleStanza', 'login', (handle) => (stanza) => {
        heard(stanza);
        return handle(stanza);
      });
    },
    () => {
      const { Cmd } = site.require('WAWebCmd');
      if (!isFirst(Cmd, 'login')) return;
      Cmd.on('open_socket_stream_from_bridge', () => send({ kind: 'opening' }));
      Cmd.on('account_temporarily_banned_from_bridge', (ban) => {
        if (ban?.banned) refused('402', ban.code, ban.expire);
        else send({ kind: 'accepted' });
      });
      Cmd.on('service_unavailable_503_from_bridge', () => refused('503'));
      Cmd.on('starting_logout_from_bridge', () => send({ kind: 'leaving' }));
    },
    () => {
      const { Socket } = site.require('WAWebSocketModel');
      hook(Socket, 'logout', 'login', (logout) => (reason) => {
        send({ kind: 'logout', reason: reason ?? 'user_initiated' });
        return logout.call(Socket, reason);
      });
      hook(Socket, 'clearCredentialsAndStoredData', 'login', (clear) => (reason, message) => {
        send({ kind: 'logout', reason: reason ?? null });
        return clear.call(Socket, reason, message);
      });
    },
  ];
  let loaded = false;
  poll(pollMs, () => {
    const version = site.Debug?.VERSION;
    if (version === undefined) return false;
    if (!loaded) send({ kind: 'loaded', version: String(version) });
    loaded = true;
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

export interface OwnNumber {
  synced: boolean;
  /** Digits of the page's own phone number, never a hidden ID (LID); null while it knows none. */
  phone: string | null;
  /** The page's connection runs in a worker. */
  commsInWorker: boolean;
}

export function readOwnNumber(): OwnNumber {
  const site = window as unknown as LoginPage;
  const own = site.require('WAWebUserPrefsMeUser').getMaybeMePnUser();
  let commsInWorker = false;
  try {
    commsInWorker = site.require('WAWebCommsGating').isCommsInWorker();
  } catch {
    // Older builds cannot run it there.
  }
  return {
    commsInWorker,
    synced: site.require('WAWebSocketModel').Socket.hasSynced === true,
    // Upstream: not reported (docs/upstream.md)
    phone: own?.server === 'c.us' && own.user ? own.user : null,
  };
}

/** Makes WhatsApp's server remove this device. Throws unless the server confirms. */
export async function unpair(): Promise<void> {
  const { unpairDevice } = (window as unknown as LoginPage).require('WAWebUnpairDeviceJob');
  const { status } = await unpairDevice('user_initiated');
  if (status !== 200) throw new Error(`the server answered ${status}`);
}
