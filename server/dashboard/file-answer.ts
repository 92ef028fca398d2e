import { Readable } from 'node:stream';
import { outcomeOf } from '#server/core/outcomes.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';

/** Answers a download in the browser. An error becomes a sentence on a plain page. */
export async function orRefusal(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const { code, message } = toAppError(error, 'page');
    return new Response(message, {
      status: outcomeOf(code).status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}

/** A file to save, streamed and not cached. */
export function download(file: {
  parts: AsyncIterable<Uint8Array>;
  type: string;
  fileName: string;
}): Response {
  return new Response(Readable.toWeb(Readable.from(file.parts)) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.fileName}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  });
}

/** The same for the lines of a list, with today's date in the file's name. */
export function downloadCsv(name: string, lines: AsyncIterable<string>): Response {
  const day = new Date().toISOString().slice(0, 10);
  return download({
    parts: encoded(lines),
    type: 'text/csv; charset=utf-8',
    fileName: `wirebird-${name}-${day}.csv`,
  });
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const line of lines) yield encoder.encode(line);
}
