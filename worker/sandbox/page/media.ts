import { delay, randomBytes, toBase64 } from './bytes.ts';
import type { UploadAnswer } from './protocol.ts';
import { applyRule, takeRule } from './rules.ts';
import { config } from './state.ts';
import { deviceAuthorization } from './wire.ts';

/** Prepares and uploads files. */

export class OpaqueData {
  readonly blob: Blob;
  #url: string | undefined;

  constructor(blob: Blob) {
    this.blob = blob;
  }

  static async createFromData(data: OpaqueData | Blob | BlobPart, type: string): Promise<OpaqueData> {
    if (data instanceof OpaqueData) return data;
    return new OpaqueData(data instanceof Blob ? data : new Blob([data], { type }));
  }

  get type(): string {
    return this.blob.type;
  }
  get size(): number {
    return this.blob.size;
  }
  url(): string {
    this.#url ??= URL.createObjectURL(this.blob);
    return this.#url;
  }
  autorelease(): void {
    if (this.#url) URL.revokeObjectURL(this.#url);
  }
  formData(): Blob {
    return this.blob;
  }
}

const MEDIA_NAMES = [
  ...[
    'id',
    'type',
    'mimetype',
    'size',
    'filehash',
    'isGif',
    'mediaBlob',
    'filename',
    'renderableUrl',
    'caption',
  ],
  ...['preview', 'fullWidth', 'fullHeight', 'duration', 'waveform', 'pageCount'],
] as const;
type MediaName = (typeof MEDIA_NAMES)[number];

const accessorOf = (key: string): PropertyDescriptor => ({
  get(this: Record<string, unknown>) {
    return this[key];
  },
  set(this: Record<string, unknown>, value: unknown) {
    this[key] = value;
  },
});

/**
 * The page keeps a model's values in own properties `__x_<name>`, behind accessors of the name: its copy by spreading has
 * only the former. `__x_id` came in September 2026, and a message made from it throws.
 */
class MediaData {
  static {
    for (const name of MEDIA_NAMES)
      Object.defineProperty(MediaData.prototype, name, accessorOf(`__x_${name}`));
  }

  constructor(attributes: Partial<Record<MediaName, unknown>>) {
    const own = this as Record<string, unknown>;
    for (const name of MEDIA_NAMES)
      if (name !== 'id' || config.mediaModelId) own[`__x_${name}`] = attributes[name];
  }
  set(attributes: object): this {
    return Object.assign(this, attributes);
  }
  toJSON(): object {
    const own = this as Record<string, unknown>;
    const plain = Object.entries(own).filter(([name]) => !name.startsWith('__x_'));
    const kept = MEDIA_NAMES.filter((name) => name !== 'id').map((name) => [name, own[`__x_${name}`]]);
    return Object.fromEntries([...kept, ...plain]);
  }
}
interface PrepOptions {
  asDocument?: boolean;
  asSticker?: boolean;
  asGif?: boolean;
  isPtt?: boolean;
  filename?: string;
}

export const prepRawMedia = (
  opaque: OpaqueData,
  options: PrepOptions,
): { waitForPrep(): Promise<MediaData> } => ({
  async waitForPrep() {
    await applyRule(takeRule('prep'));
    const { blob } = opaque;
    const mimetype = blob.type || 'application/octet-stream';
    const type = kindOf(mimetype, options);
    if (type === 'audio' || type === 'ptt') await requireAudio(blob);
    const filehash = toBase64(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return new MediaData({
      type,
      mimetype,
      size: blob.size,
      filehash,
      isGif: options.asGif === true,
      // Only a document stays as it was given; the page writes other kinds into a new file.
      mediaBlob: type === 'document' ? opaque : blob,
      filename: blob instanceof File ? blob.name : options.filename,
      ...(type === 'image' ? await thumbnailOf(blob) : {}),
      ...(type === 'audio' || type === 'ptt' ? { duration: '1', waveform: new Uint8Array(64) } : {}),
    });
  },
});

function kindOf(mimetype: string, options: PrepOptions): string {
  const family = mimetype.split('/')[0];
  if (options.asDocument) return 'document';
  if (options.asSticker) return 'sticker';
  if (family === 'audio') return options.isPtt ? 'ptt' : 'audio';
  return family === 'image' || family === 'video' ? family : 'document';
}

/** The page reads MP3 and OGG with Opus, and rejects WAV, FLAC and OGG with Vorbis. */
async function requireAudio(blob: Blob): Promise<void> {
  const start = await blob.slice(0, 64).text();
  if (!/^(RIFF|fLaC)|^OggS.*vorbis/s.test(start)) return;
  const name = 'InvalidMediaCheckRepairFailedType';
  throw Object.assign(new Error(name), { name });
}

/** A small preview and the real dimensions. Rejects if the bytes are not a picture. */
async function thumbnailOf(blob: Blob): Promise<object> {
  const picture = await createImageBitmap(blob).catch(() => {
    throw Object.assign(new Error('InvalidImageFileType'), { name: 'InvalidImageFileType' });
  });
  const scale = Math.min(1, 72 / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.max(1, picture.width * scale), Math.max(1, picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const small = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.5 });
  const { width: fullWidth, height: fullHeight } = picture;
  return { preview: toBase64(await small.arrayBuffer()), fullWidth, fullHeight };
}

interface MediaObject {
  filehash: string;
  contentInfo: object;
  type?: string;
  mediaBlob?: OpaqueData;
  uploadStage?: UploadStage;
  /** Set after a successful upload: the same bytes are not uploaded again. */
  mediaEntry?: MediaEntry;
  size?: number;
  consolidate(data: object): void;
}

const mediaObjects = new Map<string, MediaObject>();

export function getOrCreateMediaObject(filehash: string): MediaObject {
  const known = mediaObjects.get(filehash);
  if (known) return known;
  const created: MediaObject = {
    filehash,
    contentInfo: {},
    consolidate(data) {
      const { type, size, mimetype, mediaBlob } = data as Record<string, unknown>;
      Object.assign(created, { type, size, mimetype, mediaBlob });
    },
  };
  mediaObjects.set(filehash, created);
  return created;
}

type UploadStage = 'UPLOADED' | 'NEED_UPLOAD' | 'ERROR_TOO_LARGE' | 'ERROR_THROTTLED' | 'ERROR_FORBIDDEN';

/** Statuses that end an upload at once; others are retried. */
const FINAL: Readonly<Record<number, UploadStage>> = {
  401: 'ERROR_FORBIDDEN',
  403: 'ERROR_FORBIDDEN',
  413: 'ERROR_TOO_LARGE',
  507: 'ERROR_THROTTLED',
};
const TRIES = 4;

interface Upload {
  mimetype: string;
  mediaType: string;
  mediaObject: MediaObject;
}
interface Uploaded {
  kind: 'success' | 'error' | 'cancellation';
  mediaEntry?: MediaEntry;
}

/** Never rejects: `kind` and the object's `uploadStage` say what failed. */
export async function uploadMedia(upload: Upload): Promise<Uploaded> {
  const { mediaObject } = upload;
  const { mediaEntry } = mediaObject;
  if (mediaEntry) return { kind: 'success', mediaEntry };
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await delay(config.uploadRetryMs * 2 ** (tries - 1));
    const answer = await post(upload).catch(() => null);
    if (answer === 'cancelled') return { kind: 'cancellation' };
    const { status = 0 } = answer ?? {};
    if (answer?.body) {
      mediaObject.uploadStage = 'UPLOADED';
      mediaObject.mediaEntry = new MediaEntry(answer.body);
      return { kind: 'success', mediaEntry: mediaObject.mediaEntry };
    }
    mediaObject.uploadStage = FINAL[status] ?? 'NEED_UPLOAD';
    if (FINAL[status] || status < 500) break;
  }
  return { kind: 'error' };
}

/** One try. Rejects if no file server can be reached. */
async function post({ mimetype, mediaObject, mediaType }: Upload) {
  const rule = await applyRule(takeRule('upload'));
  if (rule?.action === 'cancel') return 'cancelled';
  if (rule?.action === 'fail') {
    if (rule.code === undefined) throw new Error('no media hosts');
    return { status: rule.code, body: null };
  }
  const target = `/mms/${encodeURIComponent(mediaType)}?mimetype=${encodeURIComponent(mimetype)}`;
  const answer = await fetch(target, {
    method: 'POST',
    headers: { authorization: deviceAuthorization() },
    body: mediaObject.mediaBlob?.blob ?? null,
  });
  return { status: answer.status, body: answer.ok ? ((await answer.json()) as UploadAnswer) : null };
}

/** What a message needs to name an uploaded file. */
export class MediaEntry {
  /** A broken build has its values under other names. */
  static names: 'usual' | 'other' = 'usual';
  readonly deprecatedMms3Url: string;
  readonly directPath: string;
  readonly mediaKey: string;
  readonly mediaKeyTimestamp = Math.floor(Date.now() / 1000);
  readonly encFilehash: string;

  constructor({ directPath }: UploadAnswer, known: { mediaKey?: string; encFilehash?: string } = {}) {
    this.deprecatedMms3Url = `https://mmg.whatsapp.net${directPath}`;
    this.directPath = directPath;
    this.mediaKey = known.mediaKey ?? toBase64(randomBytes(32));
    this.encFilehash = known.encFilehash ?? toBase64(randomBytes(32));
    if (MediaEntry.names === 'other') Object.assign(this, { mediaKey: undefined, encFilehash: undefined });
  }

  getMediaKey(): string {
    return this.mediaKey;
  }
  getMediaKeyTimestamp(): number {
    return this.mediaKeyTimestamp;
  }
  getEncfilehash(): string {
    return this.encFilehash;
  }
}

/** The page reads the file of a stored message from what the message says of it. */
export function adoptEntry(stored: Record<string, unknown>): void {
  const { filehash, directPath, mediaKey, encFilehash } = stored as Record<string, string>;
  const object = getOrCreateMediaObject(String(filehash));
  object.mediaEntry ??= new MediaEntry(
    { directPath: String(directPath), handle: '' },
    { ...(mediaKey && { mediaKey }), ...(encFilehash && { encFilehash }) },
  );
}

/** The job looks up the file of a message by what the message says of it. Throws if that is not an uploaded file. */
export function requireEntry({ filehash, encFilehash, mediaKey }: Record<string, unknown>): void {
  const entry = mediaObjects.get(String(filehash))?.mediaEntry;
  if (!entry || entry.encFilehash !== encFilehash || entry.mediaKey !== mediaKey)
    throw new Error('msg.mediaMetadata with entry mismatch');
}
