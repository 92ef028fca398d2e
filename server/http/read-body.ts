import { AppError } from '#server/core/errors.ts';

/** What is still taken of a body that was refused, so that its sender comes to read the answer. */
export const DISCARD_BYTES_MAX = 16 * 1024 * 1024;
export const DISCARD_WITHIN_MS = 10_000;

/**
 * The body of a request as text, counted as it is read, whatever length was announced. Throws `body_too_large`
 * for one of more than `bytesMax` bytes.
 */
export async function readBody(request: Request, bytesMax: number): Promise<string> {
  const tooLarge = () => new AppError('body_too_large', `The body is larger than ${bytesMax / 1024} KiB.`);
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw tooLarge();
  const reader = request.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > bytesMax) {
      void discard(reader);
      throw tooLarge();
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Lets the rest of a refused body pass, within limits: closing at once would reset the connection under the answer. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  const cancel = () => void reader.cancel().catch(() => {});
  const timer = setTimeout(cancel, DISCARD_WITHIN_MS);
  try {
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.length;
      if (bytes > DISCARD_BYTES_MAX) return cancel();
    }
  } catch {
    // The sender has gone.
  } finally {
    clearTimeout(timer);
  }
}
