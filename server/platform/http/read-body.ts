import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';

/**
 * The body of a request as text. Throws `body_too_large` for more than `bytesMax` bytes, counted as they are read.
 */
export async function readBody(request: Request, bytesMax: number): Promise<string> {
  const bodyTooLarge = () => new AppError('body_too_large', OUTCOMES.body_too_large.says(bytesMax));
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) throw bodyTooLarge();
  const reader = request.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > bytesMax) {
      void reader.cancel().catch(() => {});
      throw bodyTooLarge();
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
