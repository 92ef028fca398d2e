import { randomBytes, toBase64 } from './bytes.ts';
import type { UploadAnswer } from './protocol.ts';
import { strike, takeRule } from './rules.ts';
import { deviceAuthorization } from './wire.ts';

/** From a file to an uploaded one. */

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
    await strike(takeRule('prep'));
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

/** A small preview and the true dimensions; nothing for bytes that are no picture. */
async function thumbnailOf(blob: Blob): Promise<object> {
  try {
    const picture = await createImageBitmap(blob);
    const scale = Math.min(1, 72 / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(
      Math.max(1, picture.width * scale),
      Math.max(1, picture.height * scale),
    );
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const small = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.5 });
    return { preview: toBase64(await small.arrayBuffer()), width: picture.width, height: picture.height };
  } catch {
    return {};
  }
}

interface MediaObject {
  filehash: string;
  contentInfo: object;
  type?: string;
  mediaBlob?: OpaqueData;
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

interface Upload {
  mimetype: string;
  mediaType: string;
  mediaObject: MediaObject;
}

export async function uploadMedia({
  mimetype,
  mediaObject,
  mediaType,
}: Upload): Promise<{ mediaEntry: object }> {
  await strike(takeRule('upload'));
  const target = `/mms/${encodeURIComponent(mediaType)}?mimetype=${encodeURIComponent(mimetype)}`;
  const answer = await fetch(target, {
    method: 'POST',
    headers: { authorization: deviceAuthorization() },
    body: mediaObject.mediaBlob?.blob ?? null,
  });
  if (!answer.ok) throw new Error(`upload failed: ${answer.status}`);
  const { directPath, handle } = (await answer.json()) as UploadAnswer;
  const url = `https://mmg.whatsapp.net${directPath}`;
  return {
    mediaEntry: {
      mmsUrl: url,
      deprecatedMms3Url: url,
      directPath,
      mediaKey: toBase64(randomBytes(32)),
      mediaKeyTimestamp: Math.floor(Date.now() / 1000),
      encFilehash: mediaObject.filehash,
      uploadHash: mediaObject.filehash,
      handle,
    },
  };
}
