import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import type { Samples } from '#server/sandbox/control-file.ts';

const DIRECTORY = path.join(import.meta.dirname, 'samples');

/** The sample files, drawn and composed for this: name, content type and the kind that each is a sample of. */
const FILES = {
  image: { name: 'photo.jpg', type: 'image/jpeg' },
  imagePng: { name: 'card.png', type: 'image/png' },
  document: { name: 'offer.pdf', type: 'application/pdf' },
  audio: { name: 'birdsong.mp3', type: 'audio/mpeg' },
  audioOgg: { name: 'birdsong.ogg', type: 'audio/ogg' },
} as const;

/** Serves the samples over plain HTTP, as any public file server would. */
export function createSamplesServer(): http.Server {
  const files = new Map(
    Object.values(FILES).map(({ name, type }) => [
      `/samples/${name}`,
      { type, bytes: fs.readFileSync(path.join(DIRECTORY, name)) },
    ]),
  );
  return http.createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such sample.');
      return;
    }
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  });
}

/** The samples' addresses on a listener's port. */
export function sampleUrls(port: number): Samples {
  const host = `127.0.0.1:${port}`;
  const url = (kind: keyof typeof FILES) => `http://${host}/samples/${FILES[kind].name}`;
  return {
    image: url('image'),
    document: url('document'),
    audio: url('audio'),
    imagePng: url('imagePng'),
    audioOgg: url('audioOgg'),
    host,
  };
}
