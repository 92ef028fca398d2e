import { AppError } from './errors.ts';

/** Longest media URL, in UTF-16 code units: what browsers, proxies and stores agree to carry. */
export const MEDIA_URL_LENGTH_MAX = 2048;
export const URL_TOO_LONG = `url is longer than ${MEDIA_URL_LENGTH_MAX} characters.`;

/**
 * Parses the `url` field of a media message by the WHATWG rules, without touching the network. This is the
 * only parse: the fetcher works from the returned object, so that no second reading of the
 * same text can disagree with what was checked.
 *
 * @throws AppError `invalid_parameters` for another scheme than http and https, for a user name or password
 * (the fetcher never sends credentials, and they would be stored with the message), and for a URL that is
 * too long or none at all.
 * @param base What a relative URL is relative to; for redirects only.
 */
export function parseMediaUrl(text: string, base?: URL): URL {
  if (text.length > MEDIA_URL_LENGTH_MAX) {
    throw invalid(URL_TOO_LONG);
  }
  const url = URL.parse(text, base);
  if (!url) throw invalid('url is not a complete URL; it must look like https://example.com/file.jpg.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid('url must begin with http:// or https://.');
  }
  if (url.username || url.password) {
    throw invalid('url must not contain a user name or password; give a link that works without them.');
  }
  return url;
}

/** The TCP port of an http or https URL, the scheme's own where none is written. */
export function mediaUrlPort(url: URL): number {
  if (url.port) return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function invalid(sentence: string): AppError {
  return new AppError('invalid_parameters', sentence);
}
