/**
 * What the adapter does inside WhatsApp's page about its line to the server. Each function is sent there as text,
 * so it may use nothing but its arguments and the page's globals.
 */

/** Name of our function that the page calls when something about its line changes. */
export const LINE_CHANGED = 'wirebirdLineChanged';

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
interface LinePage {
  require?<K extends keyof Modules>(name: K): Modules[K];
  wirebirdLineWatched?: true;
  wirebirdPing?: Promise<boolean> | undefined;
  wirebirdLineChanged?(): Promise<void>;
}

/** Has the page report each change of its line, and connect at once when the machine's network returns. */
export function watchLine(): void {
  const site = window as unknown as Required<LinePage>;
  if (site.wirebirdLineWatched) return;
  const changed = () => void site.wirebirdLineChanged().catch(() => {});
  site.require('WAWebSocketModel').Socket.on('change:stream change:state change:hasSynced', changed);
  window.addEventListener('online', () => {
    site.require('WAComms').forceResetSocketLoop();
    changed();
  });
  site.wirebirdLineWatched = true;
}

/** Does the page say that it is connected, logged in and in sync? */
export function isLineUp(): boolean {
  const site = window as unknown as Required<LinePage>;
  const { Socket } = site.require('WAWebSocketModel');
  const connected = site.require('WAComms').isSocketConnected();
  return connected && Socket.stream === 'CONNECTED' && Socket.hasSynced === true;
}

/** Does the site answer at all? What it answers does not matter, unless it says that it cannot serve anybody. */
export async function doesSiteAnswer(limitMs: number): Promise<boolean> {
  const options = { method: 'HEAD', cache: 'no-store', redirect: 'manual', credentials: 'omit' } as const;
  try {
    const { status } = await fetch('/', { ...options, signal: AbortSignal.timeout(limitMs) });
    return status < 500;
  } catch {
    return false;
  }
}

/** Has the page connect now, if it has no line. */
export function reconnectNow(): void {
  const comms = (window as unknown as Required<LinePage>).require('WAComms');
  if (!comms.isSocketConnected()) comms.forceResetSocketLoop();
}

/** `stopped`: this document's line was ended for good. */
export type PingResult = 'answered' | 'silent' | 'no line' | 'stopped';

/** Asks the server for a sign of life. Only one ping is ever on its way: it settles when the server answers. */
export async function pingServer(limitMs: number): Promise<PingResult> {
  const site = window as unknown as LinePage & Pick<Required<LinePage>, 'require'>;
  const late = new Promise<'silent'>((resolve) => setTimeout(() => resolve('silent'), limitMs));
  try {
    site.wirebirdPing ??= Promise.resolve(site.require('WAComms').sendPing()).finally(() => {
      site.wirebirdPing = undefined;
    });
    const answer = await Promise.race([site.wirebirdPing, late]);
    if (answer === 'silent') return answer;
    if (answer) return 'answered';
    // Without a line, or while a ping of the page's own is on its way.
    return site.require('WAComms').isSocketConnected() ? 'silent' : 'no line';
  } catch (error) {
    return /before startComms/.test(String(error)) ? 'stopped' : 'no line';
  }
}
