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

class MediaData {
  constructor(attributes: object) {
    Object.assign(this, attributes);
  }
  set(attributes: object): this {
    return Object.assign(this, attributes);
  }
  toJSON(): object {
    return { ...this };
  }
}

interface PrepOptions {
  asDocument?: boolean;
  asSticker?: boolean;
  asGif?: boolean;
  isPtt?: boolean;
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
    const filehash = toBase64(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
    return new MediaData({
      type,
      mimetype,
      size: blob.size,
      filehash,
      isGif: options.asGif === true,
      mediaBlob: opaque,
      filename: blob instanceof File ? blob.name : undefined,
      ...(type === 'image' ? await thumbnailOf(blob) : {}),
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

/** A small preview and the real dimensions. Rejects if the bytes are not a picture. */
async function thumbnailOf(blob: Blob): Promise<object> {
  const picture = await createImageBitmap(blob).catch(() => {
    throw Object.assign(new Error('InvalidImageFileType'), { name: 'InvalidImageFileType' });
  });
  const scale = Math.min(1, 72 / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.max(1, picture.width * scale), Math.max(1, picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const small = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.5 });
  return { preview: toBase64(await small.arrayBuffer()), width: picture.width, height: picture.height };
}

interface MediaObject {
  filehash: string;
  contentInfo: object;
  type?: string;
  mediaBlob?: OpaqueData;
  uploadStage?: UploadStage;
  /** Set after a successful upload: the same bytes are not uploaded again. */
  mediaEntry?: object;
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
  kind: 'SUCCESS' | 'ERROR' | 'CANCELLATION';
  mediaEntry?: object;
}

/** Never rejects: `kind` and the object's `uploadStage` say what failed. */
export async function uploadMedia(upload: Upload): Promise<Uploaded> {
  const { mediaObject } = upload;
  const { mediaEntry } = mediaObject;
  if (mediaEntry) return { kind: 'SUCCESS', mediaEntry };
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await delay(config.uploadRetryMs * 2 ** (tries - 1));
    const answer = await post(upload).catch(() => null);
    if (answer === 'cancelled') return { kind: 'CANCELLATION' };
    const { status = 0 } = answer ?? {};
    if (answer?.body) {
      mediaObject.uploadStage = 'UPLOADED';
      mediaObject.mediaEntry = entryOf(mediaObject, answer.body);
      return { kind: 'SUCCESS', mediaEntry: mediaObject.mediaEntry };
    }
    mediaObject.uploadStage = FINAL[status] ?? 'NEED_UPLOAD';
    if (FINAL[status] || status < 500) break;
  }
  return { kind: 'ERROR' };
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

function entryOf({ filehash }: MediaObject, { directPath, handle }: UploadAnswer): object {
  const url = `https://mmg.whatsapp.net${directPath}`;
  return {
    mmsUrl: url,
    deprecatedMms3Url: url,
    directPath,
    mediaKey: toBase64(randomBytes(32)),
    mediaKeyTimestamp: Math.floor(Date.now() / 1000),
    encFilehash: filehash,
    uploadHash: filehash,
    handle,
  };
}
