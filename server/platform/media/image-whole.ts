import { crc32 } from 'node:zlib';

/**
 * Whether an image's bytes reach the end that its format announces, without decoding: Chromium, which decodes it for
 * WhatsApp, refuses a part of a picture. Bytes after that end do not matter.
 */
export type IsWholeImage = (bytes: Buffer) => boolean;

/** Chunks that must be correct; any other one may be skipped (PNG 3rd edition, 5.4). */
const isCritical = (type: string) => /^[A-Z]/.test(type);

/** PNG and APNG: every chunk that a decoder needs matches its checksum, up to IEND. */
export const isWholePng: IsWholeImage = (bytes) => {
  let pixels = false;
  for (let at = 8; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return pixels;
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return false;
    if (isCritical(type) && crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return false;
    pixels ||= type === 'IDAT';
    at = end + 4;
  }
  return false;
};

/** GIF: the first frame, which is what arrives. `at` is at its descriptor, after the parts before it. */
export const isWholeGif: IsWholeImage = (bytes) => {
  const tableBytes = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);
  const afterSubBlocks = (from: number) => {
    let at = from;
    while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
    return at + 1;
  };
  let at = 13 + tableBytes(bytes[10]);
  while (bytes[at] === 0x21) at = afterSubBlocks(at + 2);
  if (bytes[at] !== 0x2c) return false;
  // After the descriptor and its colours comes one byte, the code size, before the pixels.
  return afterSubBlocks(at + 10 + tableBytes(bytes[at + 9]) + 1) <= bytes.length;
};

/** WebP: the length in its header, and a bitstream or a frame that lies within it (RFC 9649). */
export const isWholeWebp: IsWholeImage = (bytes) => {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return false;
  for (let at = 12; at + 8 <= end; ) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > end) return false;
    if (/^(VP8 |VP8L|ANMF)$/.test(bytes.toString('latin1', at, at + 4))) return true;
    at += 8 + length + (length % 2);
  }
  return false;
};

/** JPEG: from marker to marker, past the pixels of each scan, up to EOI (ITU T.81, B.1). */
export const isWholeJpeg: IsWholeImage = (bytes) => {
  let scanned = false;
  for (let at = bytes.indexOf(0xff, 2); at >= 0; at = bytes.indexOf(0xff, at)) {
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at] ?? 0;
    at += 1;
    // Stuffing and restart markers among the pixels.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    if (marker === 0xd9) return scanned;
    if (marker < 0xc0 || at + 2 > bytes.length) return false;
    scanned ||= marker === 0xda;
    at += Math.max(2, bytes.readUInt16BE(at));
  }
  return false;
};
