import { AppError } from '#server/core/errors.ts';

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
      void reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
