import { crc32 } from 'node:zlib';

/**
 * The smallest valid files of each format, generated so that a test can change one field and nothing else.
 * Pixels and sound are random; the structure is correct.
 */

export function png(width = 4, height = 3): Buffer {
  const ihdr = Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])]);
  const chunk = (type: string, data: Buffer) => {
    const content = Buffer.concat([Buffer.from(type), data]);
    return Buffer.concat([u32(data.length), content, u32(crc32(content))]);
  };
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', ihdr),
    chunk('IDAT', Buffer.alloc(16)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function jpeg(width = 4, height = 3, before: Buffer = Buffer.alloc(0)): Buffer {
  const app0 = Buffer.from('\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1');
  const frame = Buffer.concat([Buffer.from('\xff\xc2\0\x0b\x08', 'latin1'), u16(height), u16(width)]);
  const rest = Buffer.from('\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\0\xff\xd9', 'latin1');
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app0, before, frame, rest]);
}

export function gif(width = 4, height = 3, frame = { left: 0, top: 0, width, height }): Buffer {
  return Buffer.concat([
    Buffer.from('GIF89a'),
    u16le(width),
    u16le(height),
    Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255]), // two colours
    Buffer.from('\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0', 'latin1'),
    Buffer.from([0x2c]),
    ...[frame.left, frame.top, frame.width, frame.height].map(u16le),
    Buffer.from([0, 2, 2, 0x4c, 0x01, 0, 0x3b]),
  ]);
}

export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X' = 'VP8 ', width = 4, height = 3): Buffer {
  const bitstream: Record<typeof kind, () => Buffer> = {
    'VP8 ': () => Buffer.concat([Buffer.from([0x30, 1, 0, 0x9d, 1, 0x2a]), u16le(width), u16le(height)]),
    VP8L: () => {
      const bits = Buffer.alloc(4);
      bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0);
      return Buffer.concat([Buffer.from([0x2f]), bits]);
    },
    VP8X: () => {
      const canvas = Buffer.alloc(10);
      canvas.writeUIntLE(width - 1, 4, 3);
      canvas.writeUIntLE(height - 1, 7, 3);
      return canvas;
    },
  };
  const chunk = (type: string, data: Buffer) => Buffer.concat([Buffer.from(type), u32le(data.length), data]);
  const frame = kind === 'VP8X' ? chunk('ANMF', Buffer.alloc(40)) : Buffer.alloc(0);
  return riff(
    'WEBP',
    Buffer.concat([chunk(kind, Buffer.concat([bitstream[kind](), Buffer.alloc(20)])), frame]),
  );
}

/** 128 kbit/s at 44.1 kHz: frames of 417 bytes. */
export function mp3(frames = 3): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(413, 0x55)]);
  return Buffer.concat(Array(frames).fill(frame));
}

export function id3(contentBytes = 20): Buffer {
  const size = [21, 14, 7, 0].map((shift) => (contentBytes >>> shift) & 0x7f);
  return Buffer.concat([Buffer.from('ID3\x04\0\0', 'latin1'), Buffer.from(size), Buffer.alloc(contentBytes)]);
}

export function aac(frames = 3): Buffer {
  const length = 32;
  const header = Buffer.from([0xff, 0xf1, 0x50, 0x80, length >>> 3, ((length & 7) << 5) | 0x1f, 0xfc]);
  return Buffer.concat(Array(frames).fill(Buffer.concat([header, Buffer.alloc(length - 7, 0x21)])));
}

/** An MP4 file with one track for each pair of handler and sample entry. */
export function mp4(brand: string, tracks: readonly (readonly [handler: string, entry: string])[]): Buffer {
  const trak = ([handler, entry]: readonly [string, string]) =>
    box(
      'trak',
      box(
        'mdia',
        box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)),
        box('minf', box('stbl', box('stsd', u32(0), u32(1), box(entry, Buffer.alloc(28))))),
      ),
    );
  return Buffer.concat([
    box('ftyp', Buffer.from(brand.padEnd(4)), u32(0), Buffer.from('isom')),
    box('mdat', Buffer.alloc(64)),
    box('moov', box('mvhd', Buffer.alloc(100)), ...tracks.map(trak)),
  ]);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const data = Buffer.concat(content);
  return Buffer.concat([u32(data.length + 8), Buffer.from(type), data]);
}

/** An OGG file that opens one stream for each first packet, then has a page of data. */
export function ogg(...firstPackets: string[]): Buffer {
  const page = (flags: number, packet: Buffer) =>
    Buffer.concat([
      Buffer.from('OggS\0', 'latin1'),
      Buffer.from([flags]),
      Buffer.alloc(20),
      Buffer.from([1, packet.length]),
      packet,
    ]);
  const opening = firstPackets.map((packet) => page(2, Buffer.from(packet.padEnd(30, '\0'), 'latin1')));
  return Buffer.concat([...opening, page(0, Buffer.alloc(50))]);
}

export const OPUS_HEAD = 'OpusHead';
export const VORBIS_HEAD = '\x01vorbis';

export function amr(signature = '#!AMR\n', frameBytes = 32): Buffer {
  return Buffer.concat([Buffer.from(signature), Buffer.from([0x3c]), Buffer.alloc(frameBytes - 1, 1)]);
}

export function wav(): Buffer {
  const format = Buffer.concat([Buffer.from('fmt '), u32le(16), Buffer.alloc(16, 1)]);
  return riff('WAVE', Buffer.concat([format, Buffer.from('data'), u32le(8), Buffer.alloc(8)]));
}

export function flac(): Buffer {
  return Buffer.concat([
    Buffer.from('fLaC'),
    Buffer.from([0x80, 0, 0, 34]),
    Buffer.alloc(34, 1),
    Buffer.alloc(20),
  ]);
}

export function pdf(): Buffer {
  return Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n');
}

export function exe(): Buffer {
  return Buffer.concat([Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), Buffer.alloc(200, 0x90)]);
}

function riff(form: string, chunks: Buffer): Buffer {
  return Buffer.concat([Buffer.from('RIFF'), u32le(chunks.length + 4), Buffer.from(form), chunks]);
}

function u16(value: number): Buffer {
  return Buffer.from([value >>> 8, value & 0xff]);
}

function u16le(value: number): Buffer {
  return Buffer.from([value & 0xff, value >>> 8]);
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function u32le(value: number): Buffer {
  return Buffer.from(u32(value)).reverse();
}
