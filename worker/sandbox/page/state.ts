import type { PageConfig } from '#server/sandbox/network-config.ts';
import { Emitter, Model } from './models.ts';
import { showState } from './screen.ts';
import type { Wid } from './wid.ts';

/** This page's configuration, for the build that its document names. Read once per load. */
export const config = (await (
  await fetch(`/sandbox/config?build=${document.documentElement.dataset.build}`)
).json()) as PageConfig;

class SocketModel extends Model {
  declare state: string;
  declare hasSynced: boolean | undefined;
  declare stream: 'CONNECTED' | 'DISCONNECTED';
}
class StreamModel extends Model {
  declare mode: 'SYNCING' | 'QR' | 'MAIN';
}
class ConnModel extends Model {
  declare ref?: string;
  /** How long the ref is valid, in ms. */
  declare refTTL?: number;
  declare wid?: Wid;
  declare pushname?: string;
  declare platform?: string;
}

export const Socket = new SocketModel({
  state: 'UNLAUNCHED',
  stream: 'DISCONNECTED',
  hasSynced: undefined,
});
export const Conn = new ConnModel({
  ref: undefined,
  refTTL: undefined,
  platform: undefined,
  pushname: undefined,
  wid: undefined,
});
export const Stream = new StreamModel({
  available: false,
  mode: 'SYNCING',
  info: 'OPENING',
  displayInfo: 'OPENING',
});
export const Cmd = new Emitter();

/** The account's own addresses, set by the server's welcome. */
export const me: { pn?: Wid | undefined; lid?: Wid | undefined } = {};

export function setState(state: string): void {
  showState(state); // before the event, because its listeners may read the screen
  if (state === 'UNPAIRED') Stream.set({ mode: 'QR' });
  Socket.set({ state });
}

/**
 * The noise handshake is done: the page is CONNECTED before the server has answered the login, and so is the stream of a
 * page that was in sync.
 */
export function handshakeDone(): void {
  if (Stream.mode === 'QR') Stream.set({ mode: 'SYNCING' });
  setState('PAIRING');
  setState('CONNECTED');
  if (Socket.hasSynced) Socket.set({ stream: 'CONNECTED' });
  Cmd.trigger('open_socket_stream_from_bridge');
}

/** The login was accepted and the page is in sync. */
export function streamUp(): void {
  Stream.set({ mode: 'MAIN', info: 'NORMAL', displayInfo: 'NORMAL' });
  Socket.set({ stream: 'CONNECTED' });
}

/** The connection is lost. The state does not change. */
export function streamLost(): void {
  if (Socket.stream === 'DISCONNECTED') return;
  Socket.set({ stream: 'DISCONNECTED' });
  Stream.set({ info: 'OPENING', displayInfo: 'OPENING' });
}
