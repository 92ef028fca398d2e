import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { MEDIA_RULES, type MediaKind } from '#server/core/message.ts';

const SAMPLES = path.join(import.meta.dirname, '../../worker/sandbox/samples');

/** A customer's file server, from which the product may fetch. */
export interface MediaHost {
  /** For `MEDIA_ALLOW_HOSTS`. */
  host: string;
  /** The address of a file of this kind and length: a sample with bytes after its end. */
  file(kind: MediaKind, bytes?: number): string;
  /**
   * The address of something else: `missing`, `wrong` (HTML declared as a picture), `empty`, `endless`, `busy`
   * (503), `cut` (the connection breaks before the end).
   */
  other(name: string): string;
  /** SHA-256 of the file at {@link file}, in hex. */
  sha256(kind: MediaKind, bytes?: number): Promise<string>;
  close(): Promise<void>;
}

export async function startMediaHost(): Promise<MediaHost> {
  const server = createServer((req, res) => void answer(req.url ?? '', res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    file: (kind, bytes = 0) => `http://${host}/${kind}/${bytes}`,
    other: (name) => `http://${host}/${name}`,
    sha256: async (kind, bytes = 0) =>
      createHash('sha256')
        .update(await fileOf(kind, bytes))
        .digest('hex'),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(target: string, res: ServerResponse): Promise<void> {
  const [, name = '', bytes = '0'] = target.split('/');
  if (isKind(name)) {
    const file = await fileOf(name, Number(bytes));
    res
      .writeHead(200, { 'content-type': MEDIA_RULES[name].sample.mimeType, 'content-length': file.length })
      .end(file);
  } else if (name === 'wrong') {
    res.writeHead(200, { 'content-type': 'image/jpeg' }).end('<html>this is no picture</html>');
  } else if (name === 'empty') {
    res.writeHead(200, { 'content-length': 0 }).end();
  } else if (name === 'endless') {
    // No length is announced, and the body never ends.
    res.writeHead(200, { 'content-type': 'application/pdf' });
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', more);
    more();
  } else if (name === 'busy') {
    res.writeHead(503).end();
  } else if (name === 'cut') {
    res.writeHead(200, { 'content-length': 100_000 }).write('%PDF-1.7', () => res.destroy());
  } else {
    res.writeHead(404).end();
  }
}

function isKind(name: string): name is MediaKind {
  return name in MEDIA_RULES;
}

/** The formats declare their own end, so appended zeros change only the length. */
async function fileOf(kind: MediaKind, bytes: number): Promise<Buffer> {
  const sample = await fs.readFile(path.join(SAMPLES, MEDIA_RULES[kind].sample.name));
  return bytes === 0 ? sample : Buffer.concat([sample, Buffer.alloc(bytes - sample.length)]);
}
