import { Readable } from 'node:stream';
import { outcomeOf } from '#server/core/outcomes.ts';
import { toAppError } from '#server/platform/http/to-app-error.ts';

/** What answers a browser that asks for a file: whatever is thrown is a sentence on a plain page. */
export async function orRefusal(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (error) {
    const { code, message } = toAppError(error);
    return new Response(message, {
      status: outcomeOf(code).status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    });
  }
}

/** A file to be saved, sent as it is made; no cache keeps it. */
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
