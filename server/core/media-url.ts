import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Parses the `url` field of a media message, without network access; `server/platform/media/vet-url.ts` checks its
 * address. The fetcher uses the returned object, so that no second parse can disagree with the check. Throws
 * `invalid_parameters` for an invalid or too long URL, another scheme than http and https, and a user name or password
 * (which would be stored with the message).
 *
 * @param base For redirects: what a relative URL is relative to.
 */
export function parseMediaUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url)
    throw invalid(
      'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
    );
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid('url must begin with http:// or https://.');
  }
  // `href` is ASCII.
  const bytes = url.href.length;
  if (bytes > LIMITS.mediaUrlBytes)
    throw invalid(
      `url has ${bytes} bytes, with its special characters encoded. The limit is ${LIMITS.mediaUrlBytes} bytes. Use a shorter link.`,
    );
  if (url.username || url.password) {
    throw invalid('url must not contain a user name or password; give a link that works without them.');
  }
  return url;
}

/** The TCP port of an http or https URL, by default the scheme's own. */
export function mediaUrlPort(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_parameters', sentence);
}
