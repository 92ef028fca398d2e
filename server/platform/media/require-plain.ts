import { codingIn, namesIn } from '#server/core/content-encoding.ts';
import { unusable } from './media-errors.ts';

/**
 * Requires that a file arrives as it is. Throws `media_unusable` for a file that is compressed, or encoded in a way that is
 * not known.
 */
export function requirePlain(contentEncoding = '', transferEncoding = ''): void {
  const transfer = namesIn(transferEncoding);
  const chunked = transfer.filter((name) => name === 'chunked');
  if (chunked.length > 1)
    throw unusable({ problem: 'invalid_http', broken: 'Transfer-Encoding: chunked, twice' });
  const coding = codingIn([contentEncoding, ...transfer.filter((name) => name !== 'chunked')].join());
  if (coding === undefined) return;
  if (coding.kind === 'compressed') throw unusable({ problem: 'compressed' });
  throw unusable({ problem: 'encoded', encoding: coding.name });
}
