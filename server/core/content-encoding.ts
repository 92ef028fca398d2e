const COMPRESSIONS = /^(x-)?(gzip|compress|deflate|bzip2|lz4|snappy|zstd|br|xz|lzma|exi|dcb|dcz)$/;
/**
 * What programs, stores and servers call content that is not compressed: how it was uploaded (`aws-chunked`), its charset or
 * its type.
 */
const PLAIN = [
  /^(identity|none|raw|plain|binary|7bit|8bit|aws-chunked)$/,
  /^(utf-?(8|16|32)(le|be)?|(us-)?ascii|latin-?1|iso-8859-\d+|windows-\d+)$/,
  /^(application|audio|font|image|model|text|video)\/[\w.+-]+$/,
];
/** What can be the name of an encoding. */
const NAME = /^[\w!#$%&'*+.^`|~/-]{1,64}$/;

/** A coding of content, and its name if that can be shown. */
export interface Coding {
  kind: 'compressed' | 'unknown';
  name: string | null;
}

/** The first coding in a header such as `Content-Encoding` that changes the content; undefined if none does. */
export function codingIn(header: string): Coding | undefined {
  const name = namesIn(header).find((one) => !PLAIN.some((plain) => plain.test(one)));
  if (name === undefined) return undefined;
  return { kind: COMPRESSIONS.test(name) ? 'compressed' : 'unknown', name: NAME.test(name) ? name : null };
}

/** The names in such a header, in lower case. */
export const namesIn = (header: string): string[] =>
  header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
