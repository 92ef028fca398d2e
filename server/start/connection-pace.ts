import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressBlock } from '#server/core/client-address.ts';
import { Pace, type PaceLimits } from '#server/platform/pace.ts';
import { isOverfull } from './pipelining.ts';

/** A proxy that opens a connection for each request stays below. */
export const PACE_LIMITS: PaceLimits = { perSecond: 200, atOnce: 1_000, waitMsMax: 5_000 };
/** A connection that ended because of too many requests took the time of so many. */
const OVERFULL_TURNS = 100;

/**
 * Spreads the new connections of each address over time, and ends those that would wait too long. Without it, a client
 * that always reconnects gets around the limits of a connection. Needs {@link parseInPieces}, which lets a connection wait.
 */
export function paceConnections(server: Server, limits: PaceLimits): void {
  const pace = new Pace(limits);
  server.on('connection', (socket: Socket) => {
    const address = addressBlock(socket.remoteAddress);
    const waitMs = pace.take(address, performance.now());
    if (waitMs === null) return socket.destroy();
    socket.once('close', () => {
      if (isOverfull(socket)) pace.take(address, performance.now(), OVERFULL_TURNS);
    });
    if (waitMs === 0) return;
    socket.pause();
    const timer = setTimeout(() => socket.resume(), waitMs);
    socket.once('close', () => clearTimeout(timer));
  });
}
