import { handleStanza, startComms } from './comms.ts';
import {
  type CallName,
  type Calls,
  type Credentials,
  type FromPage,
  NEEDS_LOGIN,
  type SentMessage,
  type Stanza,
  type ToPage,
} from './protocol.ts';
import { SilenceWatch } from './silence-watch.ts';
import { config, handshakeDone, Socket, setState, streamLost } from './state.ts';

/**
 * The page's connection to the server. It reconnects with growing delays. Requests wait while there is no connection or no
 * login. Unanswered requests are repeated after a reconnection, a message with its old ID.
 */

/** The delays between attempts, in steps of `reconnectStepMs`: 1, 1, 2, 3, 5, 8, … up to 15 minutes, ±10 %. */
const STEPS_MAX = 900;
const JITTER = 0.1;

interface Pending {
  op: CallName;
  args: unknown;
  /** When the request was sent, on the clock of `performance.now()`; null while it waits. */
  sentAt: number | null;
  resolve(result: never): void;
  reject(error: Error): void;
}

const pageId = crypto.randomUUID();
const pending = new Map<number, Pending>();
const handlers = new Map<string, (frame: never) => void>();
const silenceWatch = new SilenceWatch({
  oldestUnanswered,
  onDead: () => reconnectLater(),
  onIdle: () => void (isSocketConnected() && sendPing()),
});
let connection: WebSocket | undefined;
let credentials: () => Credentials | null = () => null;
let started = false;
let handshaken = false;
/** When the socket was opened; null once something has arrived. */
let openedAt: number | null = null;
let loggedIn = false;
let sequence = 0;
let steps: [now: number, next: number] = [1, 1];
let retry: ReturnType<typeof setTimeout> | undefined;

/** Registers the handler for frames of a type; one per type. */
export function onFrame<T extends ToPage['t']>(type: T, handler: (frame: ToPage & { t: T }) => void): void {
  handlers.set(type, handler as (frame: never) => void);
}

export function send(frame: FromPage): void {
  if (connection?.readyState === WebSocket.OPEN) connection.send(JSON.stringify(frame));
}

/**
 * Sends a request to the server and waits for the answer without a time limit. Rejects with the server's error, and at
 * once if the connection was stopped permanently.
 */
export function call<K extends CallName>(op: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
  return new Promise((resolve, reject) => {
    requireComms(op);
    const request = { op, args, sentAt: null, resolve: resolve as Pending['resolve'], reject };
    pending.set(++sequence, request);
    flush();
  });
}

/** Sets whether this page is logged in. While it is not, requests that need a login wait. */
export function setLoggedIn(yes: boolean): void {
  loggedIn = yes;
  if (yes) steps = [1, 1];
  else for (const request of pending.values()) if (NEEDS_LOGIN.includes(request.op)) request.sentAt = null;
  flush();
}

/** The authorization header of an upload, which names this device. */
export function deviceAuthorization(): string {
  const held = credentials();
  return held ? `Bearer ${held.deviceId}.${held.token}` : '';
}

export function hello(): void {
  send({ t: 'hello', pageId, credentials: credentials() });
}

export function connect(currentCredentials: () => Credentials | null): void {
  credentials = currentCredentials;
  started = true;
  onFrame('noise', () => {
    handshaken = true;
    handshakeDone();
  });
  silenceWatch.start();
  open();
}

/** The connection is lost. The next attempt follows after a delay. */
export function reconnectLater(): void {
  closeSocket();
  if (!started) return;
  const [step, next] = steps;
  steps = [next, step + next];
  const jitter = 1 + JITTER * (2 * Math.random() - 1);
  retry = setTimeout(open, Math.min(STEPS_MAX, step) * config.reconnectStepMs * jitter);
}

/** Reconnects at once, without the delay. */
export function forceResetSocketLoop(): void {
  requireComms('forceResetSocketLoop');
  closeSocket();
  steps = [1, 1];
  open();
}

/** Ends the connection permanently, until the page is loaded again. */
export function stopComms(): void {
  started = false;
  silenceWatch.stop();
  closeSocket();
}

export const isSocketConnected = (): boolean => handshaken && connection?.readyState === WebSocket.OPEN;

/** True if the server answers; false if disconnected or while another ping is open. */
export function sendPing(): Promise<boolean> {
  requireComms('sendPing');
  const pinging = [...pending.values()].some(({ op }) => op === 'ping');
  if (!isSocketConnected() || pinging) return Promise.resolve(false);
  return call('ping', null);
}

function requireComms(what: string): void {
  if (!started) throw new Error(`${what} called before startComms`);
}

function open(): void {
  clearTimeout(retry);
  if (Socket.state === 'CONNECTED' || Socket.state === 'UNLAUNCHED') setState('OPENING');
  startComms();
  const socket = new WebSocket(`wss://${location.host}/ws/chat`);
  connection = socket;
  openedAt = performance.now();
  silenceWatch.received();
  socket.onopen = () => {
    hello();
    flush();
  };
  socket.onmessage = (event: MessageEvent<string>) => {
    openedAt = null;
    silenceWatch.received();
    const frame = JSON.parse(event.data) as ToPage;
    const stanza = stanzaOf(frame);
    if (stanza) handleStanza(stanza);
    handle(frame);
  };
  socket.onclose = reconnectLater;
}

function closeSocket(): void {
  clearTimeout(retry);
  const socket = connection;
  connection = undefined;
  openedAt = null;
  handshaken = false;
  loggedIn = false;
  if (socket) {
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
  for (const [id, request] of pending) {
    request.sentAt = null;
    if (request.op !== 'ping') continue;
    pending.delete(id);
    request.resolve(false as never);
  }
  streamLost();
}

/** How long the oldest request, or the opened socket, has waited for an answer, in ms; null if none waits. */
function oldestUnanswered(): number | null {
  const sent = [openedAt, ...[...pending.values()].map(({ sentAt }) => sentAt)].filter((at) => at !== null);
  return sent.length > 0 ? performance.now() - Math.min(...sent) : null;
}

/** The stanza for frames that are not stanzas themselves: answers to messages, and receipts. */
function stanzaOf(frame: ToPage): Stanza | null {
  if (frame.t === 'ack') {
    const id = frame.key.split('_')[2] ?? '';
    return { tag: 'receipt', attrs: { id, ...(frame.ack === 3 ? { type: 'read' } : {}) } };
  }
  const request = frame.t === 'result' ? pending.get(frame.id) : undefined;
  if (frame.t !== 'result' || request?.op !== 'send') return null;
  const { id } = request.args as SentMessage;
  const { error } = frame.data as Calls['send']['result'];
  return { tag: 'ack', attrs: { class: 'message', id, ...(error === null ? {} : { error: String(error) }) } };
}

function flush(): void {
  if (connection?.readyState !== WebSocket.OPEN) return;
  for (const [id, request] of pending) {
    if (request.sentAt !== null || (NEEDS_LOGIN.includes(request.op) && !loggedIn)) continue;
    request.sentAt = performance.now();
    send({ t: 'call', id, op: request.op, args: request.args } as FromPage);
  }
}

function handle(frame: ToPage): void {
  if (frame.t !== 'result' && frame.t !== 'failure') {
    handlers.get(frame.t)?.(frame as never);
    return;
  }
  const request = pending.get(frame.id);
  pending.delete(frame.id);
  if (frame.t === 'result') request?.resolve(frame.data as never);
  else request?.reject(Object.assign(new Error(frame.error), { name: 'ServerStatusCodeError' }));
}
