import { startComms } from './comms.ts';
import {
  type CallName,
  type Calls,
  type Credentials,
  type FromPage,
  NEEDS_LOGIN,
  type ToPage,
} from './protocol.ts';
import { handshakeDone, Socket, setState } from './state.ts';

/**
 * The page's line to the server: it reconnects by itself, and requests wait in it while there is no
 * connection or no login. What was under way when the line broke is asked again, a message under its old id.
 */

const RECONNECT_MS_MAX = 1000;

interface Pending {
  op: CallName;
  args: unknown;
  sent: boolean;
  resolve(result: never): void;
  reject(error: Error): void;
}

const pageId = crypto.randomUUID();
const pending = new Map<number, Pending>();
const handlers = new Map<string, (frame: never) => void>();
let line: WebSocket | undefined;
let credentials: () => Credentials | null = () => null;
let loggedIn = false;
let stopped = false;
let sequence = 0;
let attempts = 0;

/** Has frames of a type handled. One handler for each. */
export function onFrame<T extends ToPage['t']>(type: T, handler: (frame: ToPage & { t: T }) => void): void {
  handlers.set(type, handler as (frame: never) => void);
}

export function send(frame: FromPage): void {
  if (line?.readyState === WebSocket.OPEN) line.send(JSON.stringify(frame));
}

/** Asks the server; waits as long as it takes to have an answer. Rejects with what the server refuses with. */
export function call<K extends CallName>(op: K, args: Calls[K]['args']): Promise<Calls[K]['result']> {
  return new Promise((resolve, reject) => {
    pending.set(++sequence, { op, args, sent: false, resolve: resolve as Pending['resolve'], reject });
    flush();
  });
}

/** Whether the server serves this page's account; while it does not, what needs a login waits. */
export function setLoggedIn(yes: boolean): void {
  loggedIn = yes;
  if (!yes)
    for (const request of pending.values()) if (NEEDS_LOGIN.includes(request.op)) request.sent = false;
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
  open();
}

export function breakLine(): void {
  line?.close();
}

/** Stops the line for good: this document connects no more. */
export function stopComms(): void {
  stopped = true;
  loggedIn = false;
  line?.close();
}

function open(): void {
  if (stopped) return;
  startComms();
  line = new WebSocket(`wss://${location.host}/ws/chat`);
  line.onopen = () => {
    if (credentials()) handshakeDone();
    hello();
    flush();
  };
  line.onmessage = (event: MessageEvent<string>) => {
    const frame = JSON.parse(event.data) as ToPage;
    if (frame.t !== 'stanza') attempts = 0; // a refused login is no success
    handle(frame);
  };
  line.onclose = () => {
    loggedIn = false;
    for (const request of pending.values()) request.sent = false;
    if (stopped) return;
    if (Socket.state === 'CONNECTED') setState('OPENING');
    setTimeout(open, Math.min(RECONNECT_MS_MAX, 50 * 2 ** attempts++));
  };
}

function flush(): void {
  if (line?.readyState !== WebSocket.OPEN) return;
  for (const [id, request] of pending) {
    if (request.sent || (NEEDS_LOGIN.includes(request.op) && !loggedIn)) continue;
    request.sent = true;
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
