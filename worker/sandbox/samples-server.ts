import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { MEDIA_RULES } from '#server/core/message.ts';
import type { ControlFile } from '#server/sandbox/control-file.ts';

const DIRECTORY = path.join(import.meta.dirname, 'samples');

/** A sample for each kind that has a file, and two more formats. All were made for this project. */
const FILES: Record<string, { name: string; mimeType: string }> = {
  ...Object.fromEntries(Object.entries(MEDIA_RULES).map(([type, { sample }]) => [type, sample])),
  imagePng: { name: 'card.png', mimeType: 'image/png' },
  audioOgg: { name: 'birdsong.ogg', mimeType: 'audio/ogg' },
};

/** Serves the samples over plain HTTP, as any public file server would. */
export function createSamplesServer(): http.Server {
  const files = new Map(
    Object.values(FILES).map(({ name, mimeType }) => [
      `/samples/${name}`,
      { mimeType, bytes: fs.readFileSync(path.join(DIRECTORY, name)) },
    ]),
  );
  return http.createServer((request, response) => {
    const file = files.get(request.url ?? '');
    if (!file || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such sample.');
      return;
    }
    response.writeHead(200, { 'content-type': file.mimeType, 'content-length': file.bytes.length });
    response.end(request.method === 'HEAD' ? undefined : file.bytes);
  });
}

/** The samples' addresses on a listener's port. */
export function sampleUrls(port: number): ControlFile['samples'] {
  const host = `127.0.0.1:${port}`;
  const urls = Object.entries(FILES).map(([kind, { name }]) => [kind, `http://${host}/samples/${name}`]);
  return { ...Object.fromEntries(urls), host };
}
