import type { Wid } from './ids.ts';
import { Emitter, Model } from './models.ts';
import type { PageConfig } from './protocol.ts';
import { showState } from './screen.ts';

/** How the network wants this page to behave; read once per load. */
export const config = (await (await fetch('/sandbox/config')).json()) as PageConfig;

class SocketModel extends Model {
  declare state: string;
  declare hasSynced: boolean | undefined;
}
class ConnModel extends Model {
  declare ref?: string;
  /** How long the ref is valid, in ms. */
  declare refTTL?: number;
  declare wid?: Wid;
  declare pushname?: string;
  declare platform?: string;
}

export const Socket = new SocketModel({ state: 'UNLAUNCHED', hasSynced: false });
export const Conn = new ConnModel({
  ref: undefined,
  refTTL: undefined,
  platform: undefined,
  pushname: undefined,
  wid: undefined,
});
export const Stream = new Model({ available: false });
export const Cmd = new Emitter();

/** Who this page is: set by the server's welcome. */
export const me: { pn?: Wid | undefined; lid?: Wid | undefined } = {};

/** The line is encrypted; the login is on its way and not answered. */
export function handshakeDone(): void {
  setState('PAIRING');
  setState('CONNECTED');
  Cmd.trigger('open_socket_stream_from_bridge');
}

export function setState(state: string): void {
  showState(state); // before the change is told: who hears of it may look at the screen
  Socket.set({ state });
}
