/**
 * Watches and restores the connection inside WhatsApp's page. Each function is sent there as text, so it may use only
 * its arguments and the page's globals.
 */

import type { PreludePage } from './prelude.ts';

/** Name of our function that the page calls when its connection changes. */
export const CONNECTION_CHANGED = 'wirebirdConnectionChanged';

interface Observable {
  on(names: string, listener: () => void): void;
}
interface Modules {
  WAWebSocketModel: { Socket: Observable & { state?: string; stream?: string; hasSynced?: boolean } };
  WAComms: {
    isSocketConnected(): boolean;
    sendPing(): Promise<boolean>;
    forceResetSocketLoop(): void;
  };
}
interface ConnectionPage extends PreludePage {
  require?<K extends keyof Modules>(name: K): Modules[K];
  wirebirdPing?: Promise<boolean> | undefined;
  wirebirdConnectionChanged?(): Promise<void>;
}

/** Makes the page report each change of its connection, and reconnect at once when the machine's network returns. */
export function watchConnection(): void {
  const site = window as unknown as Required<ConnectionPage>;
  const { Socket } = site.require('WAWebSocketModel');
  if (!site.wirebird.isFirst(Socket, 'connection')) return;
  const changed = () => void site.wirebirdConnectionChanged().catch(() => {});
  Socket.on('change:stream change:state change:hasSynced', changed);
  window.addEventListener('online', () => {
    site.require('WAComms').forceResetSocketLoop();
    changed();
  });
}

/** Does the page report that it is connected, logged in and in sync? */
export function isConnected(): boolean {
  const site = window as unknown as Required<ConnectionPage>;
  const { Socket } = site.require('WAWebSocketModel');
  const connected = site.require('WAComms').isSocketConnected();
  return connected && Socket.stream === 'CONNECTED' && Socket.hasSynced === true;
}

/** Does the site answer at all? Any answer counts, except a server error. */
export async function isSiteReachable(limitMs: number): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', redirect: 'manual', credentials: 'omit' } as const;
  try {
    const { status } = await fetch('/', { ...options, signal: AbortSignal.timeout(limitMs) });
    return status < 500;
  } catch {
    return false;
  }
}

/** Makes the page connect now if it is disconnected. */
export function reconnectNow(): void {
  const comms = (window as unknown as Required<ConnectionPage>).require('WAComms');
  if (!comms.isSocketConnected()) comms.forceResetSocketLoop();
}

/** `stopped`: this document's connection was ended permanently. */
export type PingResult = 'answered' | 'silent' | 'disconnected' | 'stopped';

/** Pings the server. There is only one ping at a time: it settles when the server answers. */
export async function pingServer(limitMs: number): Promise<PingResult> {
  const site = window as unknown as ConnectionPage & Pick<Required<ConnectionPage>, 'require'>;
  const AGAIN_MS = 100;
  const until = performance.now() + limitMs;
  const ping = async () => {
    try {
      return await site.require('WAComms').sendPing();
    } finally {
      site.wirebirdPing = undefined;
    }
  };
  try {
    do {
      site.wirebirdPing ??= ping();
      const answer = await site.wirebird.within(until - performance.now(), site.wirebirdPing, 'silent');
      if (answer === 'silent') return answer;
      if (answer) return 'answered';
      if (!site.require('WAComms').isSocketConnected()) return 'disconnected';
      // The page's own ping is in progress.
      await site.wirebird.wait(AGAIN_MS);
    } while (performance.now() < until);
    return 'silent';
  } catch (error) {
    return /before startComms/.test(String(error)) ? 'stopped' : 'disconnected';
  }
}
