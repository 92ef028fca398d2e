import { Emitter, Model } from './models.ts';
import type { PageConfig } from './protocol.ts';
import { showState } from './screen.ts';
import type { Wid } from './wid.ts';

/** How the network wants this page to behave, as of the build that its document names; read once per load. */
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

/** Who this page is: set by the server's welcome. */
export const me: { pn?: Wid | undefined; lid?: Wid | undefined } = {};

export function setState(state: string): void {
  showState(state); // before the change is told: who hears of it may look at the screen
  if (state === 'UNPAIRED') Stream.set({ mode: 'QR' });
  Socket.set({ state });
}

/** The noise handshake is done: the page says CONNECTED before the server has said anything about the login. */
export function handshakeDone(): void {
  if (Stream.mode === 'QR') Stream.set({ mode: 'SYNCING' });
  setState('PAIRING');
  setState('CONNECTED');
  Cmd.trigger('open_socket_stream_from_bridge');
}

/** The login was accepted and the page is in sync. */
export function streamUp(): void {
  Stream.set({ mode: 'MAIN', info: 'NORMAL', displayInfo: 'NORMAL' });
  Socket.set({ stream: 'CONNECTED' });
}

/** The line is gone. The state still says what it said. */
export function streamLost(): void {
  if (Socket.stream === 'DISCONNECTED') return;
  Socket.set({ stream: 'DISCONNECTED' });
  Stream.set({ info: 'OPENING', displayInfo: 'OPENING' });
}
