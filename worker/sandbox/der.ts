/** The few ASN.1 types (DER) of a certificate. Node can read certificates but not create one. */

/** A value with any tag, preceded by its length. */
export function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const n = body.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, ...parts);
export const explicit = (n: number, part: Buffer): Buffer => tagged(0xa0 + n, part);
export const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
export const octets = (part: Buffer): Buffer => tagged(0x04, part);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const bitString = (bytes: Buffer): Buffer => tagged(0x03, Buffer.from([0]), bytes);

/** UTCTime; valid for the years up to 2049. */
export const time = (at: Date): Buffer =>
  tagged(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

/** An object identifier in dotted form: the first two arcs share a byte, the others are base 128. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    bytes.push(...digits);
  }
  return tagged(0x06, Buffer.from(bytes));
}
