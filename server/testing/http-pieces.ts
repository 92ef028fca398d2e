import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';

const PIECE = Buffer.alloc(64 * 1024, ' ');

export interface Pieces {
  port: number;
  path: string;
  headers: Record<string, string>;
  bytes: number;
  /** Whether a header has the length; otherwise the body is sent in chunks. */
  announced: boolean;
}

/**
 * Posts `bytes` blanks piece by piece over a connection that closes afterwards, and reads the answer only when all
 * are sent. Rejects if a byte could not be sent. Resolves to the whole answer.
 */
export async function postInPieces({ port, path, headers, bytes, announced }: Pieces): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error));
  failed.catch(() => {});
  const send = (data: string | Buffer) =>
    Promise.race([failed, new Promise<void>((resolve) => socket.write(data, () => resolve()))]);
  const framing = announced ? { 'content-length': String(bytes) } : { 'transfer-encoding': 'chunked' };
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'close', ...headers, ...framing });
  await send(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  for (let left = bytes; left > 0; left -= PIECE.length) {
    const piece = PIECE.subarray(0, left);
    if (announced) await send(piece);
    else
      await send(
        Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
      );
    await nextTurn();
  }
  if (!announced) await send('0\r\n\r\n');
  return await Promise.race([failed, text(socket)]);
}
