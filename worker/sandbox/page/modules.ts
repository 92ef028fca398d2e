import { advSecretEventEmitter, getADVSecretKey } from './adv-secret.ts';
import { toBase64 } from './bytes.ts';
import { Chats, type Contact, Contacts, loadEarlierMsgs, Msgs, messageTable } from './chats.ts';
import { CommsConfig, CommsGating, WorkerCompatible } from './comms.ts';
import { findExistingChat, findOrCreateLatestChat, isLidMigrated, queryWidExists } from './find-chat.ts';
import { Groups, queryAllGroups } from './groups.ts';
import { MsgKey } from './ids.ts';
import { alternateOf } from './lids.ts';
import { identityKey, noiseKey, refreshQR, startAltLinkingFlow } from './linking.ts';
import { logoutFunctions, UnpairJob } from './logout.ts';
import { getOrCreateMediaObject, OpaqueData, prepRawMedia, uploadMedia } from './media.ts';
import { Collection, type Id } from './models.ts';
import { health } from './modules-health.ts';
import { isOfflineDeliveryEnd, waitForOfflineDeliveryEnd } from './offline-delivery.ts';
import { DEVICE_PLATFORM } from './qr-code.ts';
import { addAndSendMsgToChat } from './send.ts';
import { WAWebSendMsgJob } from './send-job.ts';
import { PasskeyLinking } from './shortcake.ts';
import { Cmd, Conn, config, me, Stream } from './state.ts';
import { getOfflineDeliveryProgress } from './sync.ts';
import { findLinks, parseVcard, vcardGetNameFromParsed } from './text.ts';
import { createWid, type Wid } from './wid.ts';
import { call, forceResetSocketLoop, isSocketConnected, sendPing } from './wire.ts';

/**
 * The site's internal modules, by the names that whatsapp-web.js 1.34.7 requires. Any other name throws, as on the real
 * page. The objects are mutable, because the library and our adapter replace some of their members.
 */

/** The browser's description that the page sends to the phone. */
const browserInfo = () => ({
  os: /Mac OS X/.test(navigator.userAgent)
    ? 'Mac OS'
    : /Windows/.test(navigator.userAgent)
      ? 'Windows'
      : 'Linux',
  name: 'Chrome',
  version: /Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? '',
  ua: navigator.userAgent,
});

function takeover(): Promise<null> {
  if (!config.olderPage) throw new Error('takeover is not supported');
  return call('takeover', null);
}
const findsNothing = () => Object.assign(new Collection(), { find: async () => undefined });
const formattedNumber = (id: string) => `+${id.split('@')[0]}`;

const linking = {
  WAWebSocketModel: {
    Socket: Object.assign(logoutFunctions, { takeover, reconnect: forceResetSocketLoop }),
  },
  WAWebCmd: { Cmd },
  WAWebCommsConfig: CommsConfig,
  WAWebCommsGating: CommsGating,
  WAWebCommsHandleWorkerCompatibleStanza: WorkerCompatible,
  WAWebUnpairDeviceJob: UnpairJob,
  WAWebConnModel: { Conn },
  WAWebStreamModel: {
    Stream: Object.assign(Stream, { markAvailable: () => {}, markUnavailable: () => {} }),
  },
  WAWebOfflineHandler: { OfflineMessageHandler: { getOfflineDeliveryProgress } },
  WAWebLaunchSocketUtils: { refreshQR },
  WAWebAltDeviceLinkingApi: {
    setPairingType: () => {},
    initializeAltDeviceLinking: async () => {},
    initializeQRLinking: async () => {},
    startAltLinkingFlow,
  },
  WABase64: { encodeB64: toBase64 },
  WAWebCompanionRegClientUtils: { DEVICE_PLATFORM },
  WAWebAdvSignatureApi: { getADVSecretKey: async () => getADVSecretKey() },
  WAWebUserPrefsInfoStore: { waNoiseInfo: { get: async () => ({ staticKeyPair: { pubKey: noiseKey } }) } },
  WAWebSignalStoreApi: {
    waSignalStore: { getRegistrationInfo: async () => ({ identityKeyPair: { pubKey: identityKey } }) },
  },
  WAWebUserPrefsMultiDevice: { getADVSecretKey, advSecretEventEmitter },
  ...PasskeyLinking,
  WAWebUserPrefsMeUser: { getMaybeMePnUser: () => me.pn, getMaybeMeLidUser: () => me.lid },
  WAWebMiscBrowserUtils: browserInfo,
  WAWebBrowserInfo: browserInfo,
};

const people = {
  WAWebWidFactory: {
    createWid,
    createWidFromWidLike: createWid,
    asUserWidOrThrow: (wid?: Wid) => {
      if (!wid?.isUser()) throw new Error('not a user wid');
      return wid;
    },
  },
  WAWebQueryExistsJob: { queryWidExists },
  WAWebApiContact: {
    getCurrentLid: (pn: Wid) => (pn.isLid() ? undefined : alternateOf(pn)),
    getPhoneNumber: (lid: Wid) => (lid.isLid() ? alternateOf(lid) : undefined),
    getAlternateUserWid: alternateOf,
  },
  WAWebLid1X1MigrationGating: { Lid1X1MigrationUtils: { isLidMigrated } },
  WAWebLidMigrationUtils: { toPn: (wid: Wid) => (wid.isLid() ? (alternateOf(wid) ?? wid) : wid) },
  WAWebPhoneUtils: { formattedPhoneNumber: formattedNumber },
  WAWebContactGetters: {
    getIsMe: (contact: Contact) => me.pn !== undefined && contact.id.equals(me.pn),
    getIsUser: (contact: Contact) => contact.id.isUser(),
    getIsGroup: (contact: Contact) => contact.id.isGroup(),
    getIsWAContact: () => true,
    getUserid: (contact: Contact) => contact.id.user,
    getVerifiedName: () => undefined,
    getVerifiedLevel: () => undefined,
    getStatusMute: () => undefined,
    getName: (contact: Contact) => contact.name,
    getShortName: (contact: Contact) => contact.name,
    getPushname: (contact: Contact) => contact.pushname,
    getIsEnterprise: () => false,
  },
  WAWebFrontendContactGetters: { getIsMyContact: (contact: Contact) => contact.name !== undefined },
  WAWebFrontendVcardUtils: {
    vcardFromContactModel: ({ id, formattedName }: Contact) => ({
      displayName: formattedName,
      vcard: [
        'BEGIN:VCARD',
        'VERSION:3.0',
        `N:;${formattedName};;;`,
        `FN:${formattedName}`,
        `TEL;type=CELL;waid=${id.user}:+${id.user}`,
        'END:VCARD',
      ].join('\n'),
    }),
  },
  WAWebVcardParsingUtils: { parseVcard },
  WAWebVcardGetNameFromParsed: { vcardGetNameFromParsed },
};

const messages = {
  WAWebCollections: {
    Msg: Msgs,
    Chat: Object.assign(Chats, {
      find: async (id: Id) => (await findOrCreateLatestChat(createWid(id)))?.chat,
    }),
    Contact: Contacts,
    WAWebGroupMetadataCollection: Groups,
    Blocklist: new Collection(),
    Label: new Collection(),
    Status: new Collection(),
    BusinessProfile: findsNothing(),
    ProfilePicThumb: findsNothing(),
    WAWebNewsletterCollection: findsNothing(),
  },
  WAWebFindChatAction: { findOrCreateLatestChat, findExistingChat },
  WAWebGroupQueryJob: { queryAllGroups },
  WAWebChatGetters: {
    getIsNewsletter: (chat: { id: Wid }) => chat.id.isNewsletter(),
    getIsBroadcast: (chat: { id: Wid }) => chat.id.isBroadcast(),
  },
  WAWebChatLoadMessages: { loadEarlierMsgs },
  WAWebUpdateUnreadChatAction: {
    sendSeen: async ({ chat }: { chat: { set(attributes: object): unknown } }) =>
      chat.set({ unreadCount: 0 }),
  },
  WAWebChatStateBridge: {
    sendChatStateComposing: async () => {},
    sendChatStateRecording: async () => {},
    sendChatStatePaused: async () => {},
  },
  WAWebSchemaMessage: { getMessageTable: () => messageTable },
  WAWebMsgKey: MsgKey,
  WAWebMsgReply: { canReplyMsg: () => true },
  WAWebQuotedMsgModelUtils: { getQuotedMsgObj: () => undefined },
  WAWebGetEphemeralFieldsMsgActionsUtils: { getEphemeralFields: () => ({}) },
  WAWebSendMsgChatAction: { addAndSendMsgToChat },
  WAWebSendMsgJob,
  WAWebEventsWaitForOfflineDeliveryEnd: { isOfflineDeliveryEnd, waitForOfflineDeliveryEnd },
  WALinkify: { findLinks, findLink: (text: unknown) => findLinks(text)[0] },
  WAWebLinkPreviewChatAction: {
    getLinkPreview: async ({ href, value }: { href: string; value: string }) => ({
      data: { title: `Preview of ${href}`, canonicalUrl: href, matchedText: value },
    }),
  },
  WAWebSyncGatingUtils: {},
  WAWebCallCollection: { calls: new Map(), on: () => {} },
  WAWebAddonReactionTableMode: { reactionTableMode: { bulkUpsert: () => {} } },
  WAWebAddonPollVoteTableMode: { pollVoteTableMode: { bulkUpsert: () => {} } },
  WAWebBackendJobsCommon: { mediaTypeFromProtobuf: () => null },
  WAWebE2EProtoUtils: { typeAttributeFromProtobuf: () => 'text' },
  WAWebNonMessageDataRequestPlaceholderMessageResendUtils: { handlePlaceholderMsgsSeen: () => {} },
};

const media = {
  WAWebMediaOpaqueData: OpaqueData,
  WAWebPrepRawMedia: { prepRawMedia },
  WAWebMediaStorage: { getOrCreateMediaObject },
  WAWebMmsMediaTypes: {
    msgToMediaType: ({ type, isGif }: { type: string; isGif?: boolean }) => (isGif ? 'gif' : type),
    castToV4: (type: string) => type,
  },
  WAWebMediaDataUtils: { shouldUseMediaCache: () => false },
  WAWebMediaInMemoryBlobCache: { InMemoryMediaBlobCache: { put: () => {} } },
  WAWebMediaMmsV4Upload: { uploadMedia, uploadUnencryptedMedia: uploadMedia },
};

/** The page's connection to the server. */
const line = {
  WAComms: { isSocketConnected, sendPing, forceResetSocketLoop },
  WAWebNetworkStatus: {
    get online() {
      return navigator.onLine;
    },
  },
};

export const modules: Record<string, unknown> = {
  ...linking,
  ...line,
  ...people,
  ...messages,
  ...media,
  ...health,
};
