/** Width and height in pixels. */
export interface ImageSize {
  width: number;
  height: number;
}

/**
 * Reads an image's size from its header, without decoding. Undefined if the bytes are not of this format or end
 * before the size. The formats are those that WhatsApp shows as images.
 */
export type ReadImageSize = (bytes: Buffer) => ImageSize | undefined;

/** PNG and APNG: the IHDR chunk must come first (PNG 3rd edition, 5.6). */
export const readPngSize: ReadImageSize = (bytes) => {
  if (bytes.length < 33 || bytes.toString('latin1', 0, 16) !== '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')
    return undefined;
  return size(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
};

/** GIF: the larger of the logical screen and the first frame, because decoders allocate memory for both. */
export const readGifSize: ReadImageSize = (bytes) => {
  if (bytes.length < 13 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  let at = 13 + colourTableBytes(bytes[10] ?? 0);
  while (at + 10 <= bytes.length) {
    const block = bytes[at];
    if (block === 0x2c) {
      return size(
        Math.max(bytes.readUInt16LE(6), bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5)),
        Math.max(bytes.readUInt16LE(8), bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7)),
      );
    }
    if (block !== 0x21) return undefined;
    at += 2;
    // An extension is a series of sub-blocks, each preceded by its length. An empty one ends it.
    for (let length = bytes[at]; length !== 0; length = bytes[at]) {
      if (length === undefined) return undefined;
      at += 1 + length;
    }
    at += 1;
  }
  return undefined;
};

function colourTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Cameras write a few dozen segments before the frame header; millions of empty ones would block the process. */
const JPEG_SEGMENTS_MAX = 10_000;

/** JPEG: the first frame header (SOFn), found as libjpeg finds it, past padding and stray bytes. */
export const readJpegSize: ReadImageSize = (bytes) => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes[2] !== 0xff) return undefined;
  let at = 2;
  for (let segments = 0; segments < JPEG_SEGMENTS_MAX; segments += 1) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return undefined;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes[at] ?? 0xd9;
    at += 1;
    if (marker === 0xd9 || marker === 0xda) return undefined; // end, or pixels before any frame header
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)) continue; // no length follows these
    if (at + 7 > bytes.length) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return size(bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 3));
    }
    at += Math.max(2, bytes.readUInt16BE(at));
  }
  return undefined;
};

/** WebP: the canvas of the extended format, otherwise the size in the only bitstream (RFC 9649). */
export const readWebpSize: ReadImageSize = (bytes) => {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  switch (bytes.toString('latin1', 8, 16)) {
    case 'WEBPVP8X':
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
    case 'WEBPVP8L': {
      if (bytes[20] !== 0x2f) return undefined;
      const bits = bytes.readUInt32LE(21);
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'WEBPVP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    default:
      return undefined;
  }
};

function size(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
