import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { untilClosed } from '#server/platform/http/until-closed.ts';

/** Node would parse 64 KiB at once: a thousand short requests, while nobody else is served. */
const PARSED_BYTES = 2 * 1024;
/** Programs that pipeline requests send a few. */
const UNANSWERED_MAX = 32;

/** The requests of each connection that are not answered yet, in their order. */
const unanswered = new WeakMap<object, Set<ServerResponse>>();

const overfull = new WeakSet<object>();

/** The connection was ended because too many of its requests waited. */
export const isOverfull = (socket: object): boolean => overfull.has(socket);

export function unansweredOf(socket: object): ServerResponse[] {
  return [...(unanswered.get(socket) ?? [])];
}

/** Gives a connection's bytes to Node's parser in pieces, and none once the connection has ended or is paused. */
export function parseInPieces(socket: Socket): void {
  // With a listener, Node reads through the stream, not past it.
  socket.on('data', () => {});
  const emit = socket.emit.bind(socket) as (...args: unknown[]) => boolean;
  const emitInPieces = (event: string, ...args: unknown[]): boolean => {
    const [chunk] = args;
    if (event !== 'data' || !Buffer.isBuffer(chunk)) return emit(event, ...args);
    for (let at = 0; at < chunk.length && !socket.destroyed; at += PARSED_BYTES) {
      if (at > 0 && socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        break;
      }
      emit('data', chunk.subarray(at, at + PARSED_BYTES));
    }
    return true;
  };
  Object.assign(socket, { emit: emitInPieces });
}

/**
 * Calls `answer` when the earlier requests of the connection are answered. Never, if the connection ends before, and
 * it ends if too many of its requests wait.
 */
export function inTurn(res: ServerResponse, answer: () => void): void {
  const { socket } = res.req;
  const ofConnection = unanswered.get(socket) ?? new Set();
  if (ofConnection.size >= UNANSWERED_MAX) {
    overfull.add(socket);
    socket.destroy();
  }
  if (socket.destroyed) return;
  const before = [...ofConnection].at(-1);
  unanswered.set(socket, ofConnection.add(res));
  res.once('close', () => ofConnection.delete(res));
  if (before === undefined) answer();
  else void untilClosed(before).then(() => socket.destroyed || answer());
}
