import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressBlock } from '#server/core/client-address.ts';

export interface PaceLimits {
  perSecond: number;
  /** How many come at once without waiting. */
  atOnce: number;
  waitMsMax: number;
}

/** A proxy that opens a connection for each request stays below. */
export const PACE_LIMITS: PaceLimits = { perSecond: 200, atOnce: 1_000, waitMsMax: 5_000 };
const REMEMBERED_MAX = 10_000;

/**
 * Spreads the new connections of each address over time, and ends those that would wait too long. Without it, a client
 * that always reconnects gets around the limits of a connection. Needs {@link parseInPieces}, which lets a connection wait.
 */
export function paceConnections(server: Server, limits: PaceLimits): void {
  const pace = new ConnectionPace(limits);
  server.on('connection', (socket: Socket) => {
    const waitMs = pace.take(addressBlock(socket.remoteAddress), performance.now());
    if (waitMs === null) socket.destroy();
    else if (waitMs > 0) {
      socket.pause();
      const timer = setTimeout(() => socket.resume(), waitMs);
      socket.once('close', () => clearTimeout(timer));
    }
  });
}

export class ConnectionPace {
  readonly #limits: PaceLimits;
  /** When the next connection of an address would have its turn if none came at once. */
  readonly #nextAtMs = new Map<string, number>();

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** How long a new connection waits; null if it is refused. */
  take(address: string, nowMs: number): number | null {
    const { perSecond, atOnce, waitMsMax } = this.#limits;
    const betweenMs = 1_000 / perSecond;
    const atOnceMs = (atOnce - 1) * betweenMs;
    const turnMs = Math.max(this.#nextAtMs.get(address) ?? 0, nowMs);
    const waitMs = Math.max(0, turnMs - atOnceMs - nowMs);
    if (waitMs > waitMsMax) return null;
    if (this.#nextAtMs.size >= REMEMBERED_MAX) this.#forgetIdle(nowMs);
    this.#nextAtMs.set(address, turnMs + betweenMs);
    return waitMs;
  }

  #forgetIdle(nowMs: number): void {
    for (const [address, nextMs] of this.#nextAtMs) if (nextMs <= nowMs) this.#nextAtMs.delete(address);
  }
}
