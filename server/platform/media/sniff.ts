import { fileTypeFromBuffer } from 'file-type';
import type { MediaKind } from '#server/core/message.ts';
import { type IsAudio, isAdtsAac, isAmr, isMp3, isMp4Audio, isOggOpus } from './audio-format.ts';
import { type ReadImageSize, readGifSize, readJpegSize, readPngSize, readWebpSize } from './image-size.ts';
import { type IsWholeImage, isWholeGif, isWholeJpeg, isWholePng, isWholeWebp } from './image-whole.ts';
import { unusable } from './media-errors.ts';
import { isText, mimeTypeFor, OCTET_STREAM } from './mime-type.ts';

/** A file's type, and its usual extension by its bytes: without a dot, `bin` for unknown ones. */
export interface MediaType {
  mimeType: string;
  extension: string;
}

/** A file as its bytes show it. */
interface Detected extends MediaType {
  isText: boolean;
}

/** 50 megapixels: more than usual phone cameras, and about 200 MB once decoded. */
const IMAGE_PIXELS_MAX = 50_000_000;

/** The time limit for file-type, which may unpack a part of a hostile archive. */
const DETECTION_MS = 2000;

/**
 * Identifies a whole file by its bytes, never by its server's headers; the name decides only about a document that they
 * leave open. Decodes nothing. Throws
 * `media_unusable` when the file is empty, not of the kind, damaged in its header, or an image that is cut off, damaged or
 * has more than {@link IMAGE_PIXELS_MAX} pixels.
 */
export async function sniffMedia(kind: MediaKind, bytes: Buffer, filename = ''): Promise<MediaType> {
  if (bytes.length === 0) throw unusable({ problem: 'empty' });
  const detected = await detect(bytes);
  return JUDGES[kind](bytes, detected, filename);
}

/** Formats that can be text throughout. Of other formats a text has only the first letters, such as BMW or ID3. */
const TEXT_FORMATS = /^text\/|^application\/(xml|pdf|postscript|eps|rtf|x-ms-regedit|pgp-encrypted)$/;

/** Where readers look for the start of a PDF: blanks, a printer's commands or a script's warning may come first. */
const PDF_START_BYTES = 1024;
const PDF: MediaType = { mimeType: 'application/pdf', extension: 'pdf' };

async function detect(bytes: Buffer): Promise<Detected> {
  const options = { signal: AbortSignal.timeout(DETECTION_MS), maxBufferSize: bytes.length };
  // It throws on some damaged archives, which then count as unknown.
  const found = await fileTypeFromBuffer(bytes, options).catch(() => undefined);
  const text = isText(bytes);
  if (found && (!text || TEXT_FORMATS.test(found.mime)))
    return { mimeType: found.mime, extension: found.ext, isText: text };
  if (/%PDF-\d\.\d/.test(bytes.toString('latin1', 0, PDF_START_BYTES))) return { ...PDF, isText: text };
  return { mimeType: OCTET_STREAM, extension: 'bin', isText: text };
}

/** Accepts or refuses a file of each kind, given what file-type found. */
const JUDGES: Record<MediaKind, (bytes: Buffer, detected: Detected, filename: string) => MediaType> = {
  image: asImage,
  audio: asAudio,
  document: (_, { mimeType, extension, isText }, filename) => ({
    mimeType: mimeTypeFor(mimeType, filename, { isText }),
    extension,
  }),
};

type ImageFormat = MediaType & { readSize: ReadImageSize; isWhole: IsWholeImage };

const JPEG = { mimeType: 'image/jpeg', extension: 'jpg', readSize: readJpegSize, isWhole: isWholeJpeg };
const PNG = { mimeType: 'image/png', extension: 'png', readSize: readPngSize, isWhole: isWholePng };
const WEBP = { mimeType: 'image/webp', extension: 'webp', readSize: readWebpSize, isWhole: isWholeWebp };
const GIF = { mimeType: 'image/gif', extension: 'gif', readSize: readGifSize, isWhole: isWholeGif };
const IMAGE_FORMATS: Record<string, ImageFormat> = {
  'image/jpeg': JPEG,
  'image/png': PNG,
  'image/apng': PNG,
  'image/webp': WEBP,
  'image/gif': GIF,
};

function asImage(bytes: Buffer, { mimeType: detected }: MediaType): MediaType {
  const format = IMAGE_FORMATS[detected];
  if (!format) throw unusable({ problem: 'no_image' });
  const size = format.readSize(bytes);
  if (!size) throw unusable({ problem: 'image_without_size' });
  const { width, height } = size;
  if (width * height > IMAGE_PIXELS_MAX) throw unusable({ problem: 'pixels', width, height });
  if (!format.isWhole(bytes)) throw unusable({ problem: 'image_damaged' });
  return { mimeType: format.mimeType, extension: format.extension };
}

type AudioFormat = MediaType & { is: IsAudio };

const MP3: AudioFormat = { mimeType: 'audio/mpeg', extension: 'mp3', is: isMp3 };
const AAC: AudioFormat = { mimeType: 'audio/aac', extension: 'aac', is: isAdtsAac };
const M4A: AudioFormat = { mimeType: 'audio/mp4', extension: 'm4a', is: isMp4Audio };
const OPUS: AudioFormat = { mimeType: 'audio/ogg; codecs=opus', extension: 'ogg', is: isOggOpus };

/** The format to check for each finding of file-type, which looks at neither tracks nor a second frame. */
const AUDIO_FORMATS: Record<string, AudioFormat> = {
  'audio/mpeg': MP3,
  [OCTET_STREAM]: MP3, // padding before the first frame
  'audio/aac': AAC,
  'audio/x-m4a': M4A,
  'audio/mp4': M4A,
  'video/mp4': M4A, // many recorders write audio alone under a video brand
  'video/quicktime': M4A,
  'video/3gpp': M4A,
  'audio/ogg; codecs=opus': OPUS,
  'audio/amr': { mimeType: 'audio/amr', extension: 'amr', is: isAmr },
};

/** Audio that WhatsApp Web refuses when the message's turn has come, by the finding of file-type. */
const UNREAD_AUDIO: Record<string, string> = {
  'audio/wav': 'WAV',
  'audio/flac': 'FLAC',
  'audio/ogg': 'OGG without Opus',
};

function asAudio(bytes: Buffer, { mimeType: detected }: MediaType): MediaType {
  const unread = UNREAD_AUDIO[detected];
  if (unread) throw unusable({ problem: 'audio_not_read', format: unread });
  const format = AUDIO_FORMATS[detected];
  if (!format?.is(bytes)) throw unusable({ problem: 'no_audio' });
  return { mimeType: format.mimeType, extension: format.extension };
}
