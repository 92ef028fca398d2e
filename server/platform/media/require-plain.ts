import { codingIn, namesIn } from '#server/core/content-encoding.ts';
import { invalidHttp, unusable } from './media-errors.ts';

/**
 * Requires that a file arrives as it is. Throws `media_unusable` for a file that is compressed, or encoded in a way that is
 * not known.
 */
export function requirePlain(contentEncoding = '', transferEncoding = ''): void {
  const transfer = namesIn(transferEncoding);
  const chunked = transfer.filter((name) => name === 'chunked');
  if (chunked.length > 1) throw invalidHttp('Transfer-Encoding: chunked, twice');
  const coding = codingIn([contentEncoding, ...transfer.filter((name) => name !== 'chunked')].join());
  if (coding === undefined) return;
  if (coding.kind === 'compressed')
    throw unusable("The file's server sent the file compressed although it was asked not to.");
  const what =
    coding.name === null
      ? 'an unknown encoding for the file'
      : `the encoding "${coding.name}" for the file, which is unknown here`;
  throw unusable(`The file's server declares ${what}. Remove it there, or serve the file without it.`);
}
