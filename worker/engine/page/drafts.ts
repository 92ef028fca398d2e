/**
 * Builds messages from named fields, through the page's own modules, and hands them to the page's sending. Each function is
 * sent into the page as text, so it may use only its arguments and the page's globals.
 */
import type { Draft, DraftFile, SeenDraft } from '../drafts/draft.ts';
import type { HOOK_ERRORS } from './hook-errors.ts';

interface Wid {
  isGroup(): boolean;
  isLid(): boolean;
}
interface Chat {
  id: Wid;
  groupMetadata?: { isLidAddressingMode?: boolean };
}
interface Opaque {
  url(): string;
  autorelease(): void;
  formData(): Blob;
}
interface OpaqueClass {
  new (): Opaque;
  createFromData(data: Blob | Opaque, mimeType: string): Promise<Opaque>;
}
/** Its values are behind accessors: they are read by name, and never copied together. */
interface MediaData extends Record<string, unknown> {
  type: string;
  mimetype: string;
  filehash?: string;
  isGif?: boolean;
  mediaBlob: Blob | Opaque;
  renderableUrl?: string;
  toJSON(): object;
}
interface MediaObject {
  type?: string;
  filehash: string;
  size?: number;
  uploadStage?: unknown;
  consolidate(media: object): void;
}
interface MediaEntry extends Record<string, unknown> {
  getMediaKey?(): string;
  getMediaKeyTimestamp?(): number;
  getEncfilehash?(): string;
}
type Attributes = Record<string, unknown>;

interface Modules {
  WAWebWidFactory: { createWid(id: string): Wid; asUserWidOrThrow(wid: Wid): Wid };
  WAWebCollections: {
    Chat: { get(wid: Wid): Chat | undefined };
    Msg: { modelClass: new (attributes: Attributes) => unknown };
  };
  WAWebFindChatAction: { findOrCreateLatestChat(wid: Wid): Promise<{ chat: Chat } | undefined> };
  WAWebUserPrefsMeUser: { getMaybeMePnUser(): Wid | null; getMaybeMeLidUser(): Wid | null };
  WAWebMsgKey: new (parts: object) => { id: string };
  WAWebGetEphemeralFieldsMsgActionsUtils: { getEphemeralFields(chat: Chat): Attributes };
  WAWebSendMsgChatAction: {
    addAndSendMsgToChat(chat: Chat, attributes: Attributes): [Promise<unknown>, Promise<unknown>];
  };
  WAWebMediaOpaqueData: OpaqueClass;
  WAWebPrepRawMedia: {
    prepRawMedia(file: Opaque, options: object): { waitForPrep(): Promise<MediaData> };
  };
  WAWebMediaStorage: { getOrCreateMediaObject(filehash: string): MediaObject };
  WAWebMmsMediaTypes: { msgToMediaType(message: object): string; castToV4(type?: string): string };
  WAWebMediaDataUtils: { shouldUseMediaCache(type: string): boolean };
  WAWebMediaInMemoryBlobCache: { InMemoryMediaBlobCache: { put(filehash: string, file: Blob): void } };
  WAWebMediaMmsV4Upload: {
    uploadMedia(file: object): Promise<{ kind?: unknown; mediaEntry?: MediaEntry } | undefined>;
  };
}

interface Given {
  chatId: string;
  id: string;
  draft: Draft;
}
export interface DraftingPage {
  require<K extends keyof Modules>(name: K): Modules[K];
  /** IDs of the messages that our own code hands to the page's sending. */
  wirebirdDrafted?: Set<string>;
  wirebirdSeen(attributes: Attributes): SeenDraft;
  wirebirdBuild(given: Given, options: { upload: boolean }): Promise<{ chat: Chat; attributes: Attributes }>;
}

/** Makes {@link sendDraft} and {@link testDraft} work. Run it in each new document. */
export function provideDrafts(errors: typeof HOOK_ERRORS): void {
  if (window.top !== window) return;
  const site = window as unknown as DraftingPage;
  const EPHEMERAL = [
    ...['ephemeralDuration', 'ephemeralSettingTimestamp', 'afterReadDuration'],
    ...['disappearingModeInitiator', 'disappearingModeTrigger', 'disappearingModeInitiatedByMe'],
  ];
  /** Reads these names, and leaves out what has no value. */
  const pick = (from: Attributes, names: Readonly<Record<string, string>>): Attributes =>
    Object.fromEntries(
      Object.entries(names).flatMap(([name, source]) => (from[source] == null ? [] : [[name, from[source]]])),
    );

  const prepare = async ({ type: expected, file }: Draft & { file: DraftFile }) => {
    const { base64, mimeType, name, prepare: options } = file;
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const Opaque = site.require('WAWebMediaOpaqueData');
    const raw = await Opaque.createFromData(new File([bytes], name, { type: mimeType }), mimeType);
    const media = await site.require('WAWebPrepRawMedia').prepRawMedia(raw, options).waitForPrep();
    if (media.type !== expected) throw new Error(`the file was prepared as ${media.type}`);
    if (!media.filehash) throw new Error('the file was prepared without a hash');
    const object = site.require('WAWebMediaStorage').getOrCreateMediaObject(media.filehash);
    const { mediaBlob: blob } = media;
    const held = blob instanceof Opaque ? blob : await Opaque.createFromData(blob, (blob as Blob).type);
    media.mediaBlob = held;
    media.renderableUrl = held.url();
    object.consolidate(media.toJSON());
    held.autorelease();
    const cached = site.require('WAWebMmsMediaTypes').castToV4(object.type);
    if (site.require('WAWebMediaDataUtils').shouldUseMediaCache(cached))
      site
        .require('WAWebMediaInMemoryBlobCache')
        .InMemoryMediaBlobCache.put(object.filehash, held.formData());
    return { media, object };
  };

  const upload = async (media: MediaData, object: MediaObject): Promise<Attributes> => {
    const { type, mimetype, isGif = false } = media;
    const mediaType = site.require('WAWebMmsMediaTypes').msgToMediaType({ type, isGif, isNewsletter: false });
    const uploaded = await site
      .require('WAWebMediaMmsV4Upload')
      .uploadMedia({ mimetype, mediaObject: object, mediaType });
    const entry = uploaded?.mediaEntry;
    // An upload that fails resolves all the same.
    if (!entry)
      throw new Error(`${errors.notUploaded}${String(uploaded?.kind)} ${String(object.uploadStage)}`);
    return {
      mimetype,
      size: object.size,
      filehash: object.filehash,
      deprecatedMms3Url: entry.deprecatedMms3Url,
      directPath: entry.directPath,
      mediaKey: entry.getMediaKey?.() ?? entry.mediaKey,
      mediaKeyTimestamp: entry.getMediaKeyTimestamp?.() ?? entry.mediaKeyTimestamp,
      encFilehash: entry.getEncfilehash?.() ?? entry.encFilehash,
      streamingSidecar: entry.sidecar,
      firstFrameSidecar: entry.firstFrameSidecar,
    };
  };

  site.wirebirdBuild = async ({ chatId, id, draft }, options) => {
    const wid = site.require('WAWebWidFactory').createWid(chatId);
    const known = site.require('WAWebCollections').Chat.get(wid);
    const chat = known ?? (await site.require('WAWebFindChatAction').findOrCreateLatestChat(wid))?.chat;
    if (!chat) throw new Error('Chat not found');

    let ofFile: Attributes = {};
    if (draft.file) {
      const { file } = draft;
      const { media, object } = await prepare({ ...draft, file });
      const uploaded = options.upload ? await upload(media, object) : {};
      ofFile = { ...pick(media, file.prepared), ...uploaded };
    }

    const { getMaybeMePnUser, getMaybeMeLidUser } = site.require('WAWebUserPrefsMeUser');
    const inGroup = chat.id.isGroup();
    const byLid = inGroup ? chat.groupMetadata?.isLidAddressingMode === true : chat.id.isLid();
    const from = byLid ? getMaybeMeLidUser() : getMaybeMePnUser();
    if (!from) throw new Error('the own address is not known');
    const participant = inGroup ? site.require('WAWebWidFactory').asUserWidOrThrow(from) : undefined;
    const MsgKey = site.require('WAWebMsgKey');
    const ephemeral = site.require('WAWebGetEphemeralFieldsMsgActionsUtils').getEphemeralFields(chat);
    const attributes = {
      ack: 0,
      from,
      to: chat.id,
      t: Math.floor(Date.now() / 1000),
      local: true,
      isNewMsg: true,
      ...pick(ephemeral, Object.fromEntries(EPHEMERAL.map((name) => [name, name]))),
      ...ofFile,
      ...draft.fields,
      type: draft.type,
      id: new MsgKey({ from, to: chat.id, id, participant, selfDir: 'out' }),
    };
    return { chat, attributes };
  };

  site.wirebirdSeen = (attributes) => ({
    type: attributes.type,
    id: attributes.id instanceof site.require('WAWebMsgKey') ? attributes.id.id : null,
    names: Object.entries(attributes).flatMap(([name, value]) => (value == null ? [] : [name])),
  });
}

/** Sends a draft. Resolves when the page has added the message to its chat; rejects with what failed before that. */
export async function sendDraft(given: Given): Promise<void> {
  const site = window as unknown as DraftingPage;
  const { chat, attributes } = await site.wirebirdBuild(given, { upload: true });
  site.wirebirdDrafted ??= new Set();
  site.wirebirdDrafted.add(given.id);
  const [added] = site.require('WAWebSendMsgChatAction').addAndSendMsgToChat(chat, attributes);
  await added;
}

/** Builds a draft and the page's message of it, which is not added to any chat. Rejects with what fails. */
export async function testDraft(given: Given, options: { upload: boolean }): Promise<SeenDraft> {
  const site = window as unknown as DraftingPage;
  const { attributes } = await site.wirebirdBuild(given, options);
  const { modelClass: Message } = site.require('WAWebCollections').Msg;
  new Message(attributes);
  return site.wirebirdSeen(attributes);
}
