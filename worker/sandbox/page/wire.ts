import { hear, startComms } from './comms.ts';
import { DeadLine } from './dead-line.ts';
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
import { config, handshakeDone, Socket, setState, streamLost } from './state.ts';

/**
 * The page's line to the server: it reconnects in growing steps, and requests wait in it while there is no
 * connection or no login. What was under way when the line broke is asked again, a message under its old id.
 */

/** The pauses between attempts, in steps of `reconnectStepMs`: 1, 1, 2, 3, 5, 8, … up to 15 minutes, ±10 %. */
const STEPS_MAX = 900;
const JITTER = 0.1;

interface Pending {
  op: CallName;
  args: unknown;
  /** When it was written, on the clock of `performance.now()`; null while it waits. */
  sentAt: number | null;
  resolve(result: never): void;
  reject(error: Error): void;
}

const pageId = crypto.randomUUID();
const pending = new Map<number, Pending>();
const handlers = new Map<string, (frame: never) => void>();
const deadLine = new DeadLine({
  oldestUnanswered,
  onDead: () => breakLine(),
  onIdle: () => void (isSocketConnected() && sendPing()),
});
let line: WebSocket | undefined;
let credentials: () => Credentials | null = () => null;
let started = false;
let handshaken = false;
/** When a socket was opened that has brought nothing yet. */
let openedAt: number | null = null;
let loggedIn = false;
let sequence = 0;
let steps: [now: number, next: number] = [1, 1];
let retry: ReturnType<typeof setTimeout> | undefined;

/** Has frames of a type handled. One handler for each. */
export function onFrame<T extends ToPage['t']>(type: T, handler: (frame: ToPage & { t: T }) => void): void {
  handlers.set(type, handler as (frame: never) => void);
}

export function send(frame: FromPage): void {
  if (line?.readyState === WebSocket.OPEN) line.send(JSON.stringify(frame));
}

/**
 * Asks the server; waits as long as it takes to have an answer. Rejects with what the server refuses with, and at
 * once when the line was stopped for good.
 */
export function call<K extends CallName>(op: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
  return new Promise((resolve, reject) => {
    demandComms(op);
    const request = { op, args, sentAt: null, resolve: resolve as Pending['resolve'], reject };
    pending.set(++sequence, request);
    flush();
  });
}

/** Whether the server serves this page's account; while it does not, what needs a login waits. */
export function setLoggedIn(yes: boolean): void {
  loggedIn = yes;
  if (yes) steps = [1, 1];
  else for (const request of pending.values()) if (NEEDS_LOGIN.includes(request.op)) request.sentAt = null;
  flush();
}

/** Says with an upload which device makes it. */
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
  deadLine.start();
  open();
}

/** The line is gone; the next attempt comes after its pause. */
export function breakLine(): void {
  lose();
  if (!started) return;
  const [step, next] = steps;
  steps = [next, step + next];
  const jitter = 1 + JITTER * (2 * Math.random() - 1);
  retry = setTimeout(open, Math.min(STEPS_MAX, step) * config.reconnectStepMs * jitter);
}

/** Connects again at once, whatever pause was running. */
export function forceResetSocketLoop(): void {
  demandComms('forceResetSocketLoop');
  lose();
  steps = [1, 1];
  open();
}

/** Ends the line for good: only a new load of the page has one again. */
export function stopComms(): void {
  started = false;
  deadLine.stop();
  lose();
}

export const isSocketConnected = (): boolean => handshaken && line?.readyState === WebSocket.OPEN;

/** True when the server answers, false without a line or while another ping is on its way. */
export function sendPing(): Promise<boolean> {
  demandComms('sendPing');
  const pinging = [...pending.values()].some(({ op }) => op === 'ping');
  if (!isSocketConnected() || pinging) return Promise.resolve(false);
  return call('ping', null);
}

function demandComms(what: string): void {
  if (!started) throw new Error(`${what} called before startComms`);
}

function open(): void {
  clearTimeout(retry);
  if (Socket.state === 'CONNECTED' || Socket.state === 'UNLAUNCHED') setState('OPENING');
  startComms();
  const socket = new WebSocket(`wss://${location.host}/ws/chat`);
  line = socket;
  openedAt = performance.now();
  deadLine.heard();
  socket.onopen = () => {
    hello();
    flush();
  };
  socket.onmessage = (event: MessageEvent<string>) => {
    openedAt = null;
    deadLine.heard();
    const frame = JSON.parse(event.data) as ToPage;
    const stanza = stanzaOf(frame);
    if (stanza) hear(stanza);
    handle(frame);
  };
  socket.onclose = breakLine;
}

function lose(): void {
  clearTimeout(retry);
  const socket = line;
  line = undefined;
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

/** For how long the server has owed an answer, in ms: to the oldest request, or to the opening. Null when it owes none. */
function oldestUnanswered(): number | null {
  const sent = [openedAt, ...[...pending.values()].map(({ sentAt }) => sentAt)].filter((at) => at !== null);
  return sent.length > 0 ? performance.now() - Math.min(...sent) : null;
}

/** What the page's stanza handler sees of a frame that is none itself: answers to messages, and their receipts. */
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
  if (line?.readyState !== WebSocket.OPEN) return;
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
