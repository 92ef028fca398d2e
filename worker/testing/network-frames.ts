import type { Socket } from 'node:net';
import type { LoginRefusal } from '../engine/login-refusals.ts';
import type { PageReport } from '../engine/page/sending.ts';

/** The stage of a message at which a rule applies; as in the sandbox. */
export type Stage = 'exists' | 'call' | 'add' | 'job' | 'wire' | 'after';

export interface NetworkRule {
  stage: Stage;
  action: 'hang' | 'late' | 'refuse' | 'throw' | 'not-on-whatsapp';
  ms?: number;
}

export interface Arrival {
  id: string;
  to: string;
  body: string;
  /** ms since the epoch. */
  at: number;
  /** How many times it arrived again with the same ID. */
  repeats: number;
}

/** What a profile stores of its link: its device, and how often it was opened. */
export interface StoredLink {
  device: string;
  opened: number;
}

/** A session's output, one JSON line each. */
export type FromSession =
  | { t: 'open'; numberId: string; profileDir: string; stored: StoredLink | null }
  /** Everything that still runs on this profile is killed, as browsers are. */
  | { t: 'sweep'; profileDir: string }
  | { t: 'exists'; seq: number; digits: string }
  | { t: 'send'; seq: number; id: string; to: string; body: string }
  | { t: 'find'; seq: number; id: string }
  /** The answer to `mayWrite`. */
  | { t: 'write'; id: string; allowed: boolean }
  | { t: 'probe'; seq: number }
  | { t: 'logout'; seq: number };

export type ToSession =
  | { t: 'qr' }
  /** `link`: a phone has just scanned; the data that the profile stores. */
  | { t: 'ready'; phone: string; link: StoredLink | null }
  | { t: 'logged_out' }
  /** The page has no connection to the server; `ready` reports that it is back. */
  | { t: 'waiting' }
  /** The session was opened elsewhere. */
  | { t: 'conflict' }
  | { t: 'refused'; refusal: LoginRefusal }
  /** The canary fails on the page's build. */
  | { t: 'changed'; what: string }
  /** The page's job is about to write this message and asks for permission. */
  | { t: 'mayWrite'; id: string }
  | { t: 'report'; id: string; report: PageReport }
  | { t: 'result'; seq: number; value: unknown };

export function sendFrame(socket: Socket, frame: ToSession): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(frame)}\n`);
}
