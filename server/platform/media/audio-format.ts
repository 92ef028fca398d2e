/**
 * Whether bytes are audio of a format, read far enough to exclude video in the same container, a few matching
 * bytes at the start of another file, and a truncated file.
 */
export type IsAudio = (bytes: Buffer) => boolean;

/** Encoders may write padding. Like players, this looks that far for the first frame. */
const PADDING_BYTES_MAX = 64 * 1024;

/** MPEG-1, 2 and 2.5 layer III: a frame followed by another one, a tag or the end of the file. */
export const isMp3: IsAudio = (bytes) => {
  const start = skipId3(bytes);
  const end = Math.min(bytes.length - 4, start + PADDING_BYTES_MAX);
  for (let at = start; at <= end; at += 1) {
    const length = mp3FrameBytes(bytes, at);
    if (length === 0) continue;
    const next = at + length;
    if (next === bytes.length || mp3FrameBytes(bytes, next) > 0) return true;
    if (/^(TAG|APETAG)/.test(bytes.toString('latin1', next, next + 6))) return true;
  }
  return false;
};

const MP3_KBITS_MPEG1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MP3_KBITS_MPEG2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MP3_HERTZ = [44_100, 48_000, 32_000];

/** The bytes of the layer III frame at `at`; 0 if there is none (ISO 11172-3 and 13818-3, 2.4.1.3). */
function mp3FrameBytes(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return 0;
  const header = bytes.readUInt32BE(at);
  if (header >>> 21 !== 0x7ff || ((header >>> 17) & 3) !== 1) return 0;
  const version = (header >>> 19) & 3; // 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5, 1 is reserved
  if (version === 1) return 0;
  const kbits = (version === 3 ? MP3_KBITS_MPEG1 : MP3_KBITS_MPEG2)[(header >>> 12) & 15];
  const hertz = MP3_HERTZ[(header >>> 10) & 3];
  if (!kbits || !hertz) return 0;
  const padding = (header >>> 9) & 1;
  if (version === 3) return Math.floor((144_000 * kbits) / hertz) + padding;
  return Math.floor((72_000 * kbits) / (version === 2 ? hertz / 2 : hertz / 4)) + padding;
}

/** More tags or boxes than any encoder writes. A file with millions of them would block the process. */
const ID3_TAGS_MAX = 8;
const MP4_BOXES_MAX = 10_000;

/** The bytes taken by ID3v2 tags at the start. */
function skipId3(bytes: Buffer): number {
  let at = 0;
  for (let tags = 0; tags < ID3_TAGS_MAX && bytes.toString('latin1', at, at + 3) === 'ID3'; tags += 1) {
    if (at + 10 > bytes.length) break;
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at + 6, at + 10);
    const footer = (bytes[at + 5] ?? 0) & 0x10 ? 10 : 0;
    at += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127) + footer;
  }
  return at;
}

/** AAC in ADTS frames: three in a row, or fewer up to the end of the file. */
export const isAdtsAac: IsAudio = (bytes) => {
  let at = skipId3(bytes);
  if (at >= bytes.length) return false;
  for (let frames = 0; frames < 3 && at !== bytes.length; frames += 1) {
    if (at + 7 > bytes.length || (bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0) return false;
    const length = (bytes.readUIntBE(at + 3, 3) >>> 5) & 0x1fff;
    if (length < 7 || at + length > bytes.length) return false;
    at += length;
  }
  return true;
};

/** MP4 (M4A), of any brand: every track except text is sound, in AAC or ALAC. */
export const isMp4Audio: IsAudio = (bytes) => {
  let sounds = 0;
  for (const moov of boxes(bytes, 'moov')) {
    for (const trak of boxes(moov, 'trak')) {
      for (const mdia of boxes(trak, 'mdia')) {
        const [handler] = boxes(mdia, 'hdlr');
        const kind = handler?.toString('latin1', 8, 12);
        if (kind === 'text' || kind === 'sbtl') continue; // chapter names
        if (kind !== 'soun' || !hasAacSamples(mdia)) return false;
        sounds += 1;
      }
    }
  }
  return sounds > 0;
};

function hasAacSamples(mdia: Buffer): boolean {
  const [minf] = boxes(mdia, 'minf');
  const [stbl] = minf ? boxes(minf, 'stbl') : [];
  const [stsd] = stbl ? boxes(stbl, 'stsd') : [];
  return stsd !== undefined && /^(mp4a|alac)$/.test(stsd.toString('latin1', 12, 16));
}

/** The contents of the boxes of one type, directly within `bytes` (ISO 14496-12, 4.2). */
function* boxes(bytes: Buffer, type: string): Generator<Buffer> {
  for (let at = 0, seen = 0; at + 8 <= bytes.length && seen < MP4_BOXES_MAX; seen += 1) {
    let head = 8;
    let length = bytes.readUInt32BE(at);
    if (length === 0) length = bytes.length - at; // to the end
    if (length === 1) {
      if (at + 16 > bytes.length) return;
      head = 16;
      length = Number(bytes.readBigUInt64BE(at + 8));
    }
    if (length < head || at + length > bytes.length) return;
    if (bytes.toString('latin1', at + 4, at + 8) === type) yield bytes.subarray(at + head, at + length);
    at += length;
  }
}

/** OGG: all streams are Opus. Their first pages must come before all others (RFC 3533, 4). */
export const isOggOpus: IsAudio = (bytes) => {
  let streams = 0;
  for (let at = 0; at + 27 <= bytes.length; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') return false;
    const opensStream = ((bytes[at + 5] ?? 0) & 0x02) !== 0;
    if (!opensStream) return streams > 0;
    const segments = bytes[at + 26] ?? 0;
    const content = at + 27 + segments;
    const codec = bytes.toString('latin1', content, content + 8);
    if (codec !== 'OpusHead') return false;
    streams += 1;
    at = bytes.subarray(at + 27, content).reduce((end, length) => end + length, content);
  }
  return false; // nothing but headers
};

/**
 * Bytes of a frame by its type, including the header; 0 for a reserved type (3GPP TS 26.101 and 26.201, table
 * A.1b).
 */
const AMR_FRAME_BYTES = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1];
const AMR_WB_FRAME_BYTES = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1];

/** AMR, narrow or wide band, one channel: the signature and a whole frame (RFC 4867, 5). */
export const isAmr: IsAudio = (bytes) => {
  const [signature, wide] = /^#!AMR(-WB)?\n/.exec(bytes.toString('latin1', 0, 9)) ?? [];
  if (signature === undefined) return false;
  const header = bytes[signature.length];
  if (header === undefined || (header & 0x83) !== 0) return false;
  const length = (wide ? AMR_WB_FRAME_BYTES : AMR_FRAME_BYTES)[header >>> 3] ?? 0;
  return length > 0 && signature.length + length <= bytes.length;
};
