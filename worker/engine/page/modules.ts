/** What the engine uses of WhatsApp's page, for a bug report. Sent into the page as text. */

interface ModulesPage {
  require(name: string): unknown;
}

/** Each module of the page that a script of ours asks for. */
export const MODULES: readonly string[] = [
  'WABase64',
  'WAComms',
  'WAIntegrityChallengeState',
  'WAReachoutTimelockState',
  'WAWebAdvSignatureApi',
  'WAWebApiContact',
  'WAWebChatLoadMessages',
  'WAWebCmd',
  'WAWebCollections',
  'WAWebCommsConfig',
  'WAWebCommsGating',
  'WAWebCommsHandleWorkerCompatibleStanza',
  'WAWebCompanionRegClientUtils',
  'WAWebConnModel',
  'WAWebEventsWaitForOfflineDeliveryEnd',
  'WAWebFindChatAction',
  'WAWebGetEphemeralFieldsMsgActionsUtils',
  'WAWebGetNewChatMessageCappingInfoJob',
  'WAWebGetReachoutTimelockJob',
  'WAWebGroupQueryJob',
  'WAWebIndividualNewChatMessageCappingLimitUtils',
  'WAWebLaunchSocketUtils',
  'WAWebLinkDeviceEvents',
  'WAWebMediaDataUtils',
  'WAWebMediaInMemoryBlobCache',
  'WAWebMediaMmsV4Upload',
  'WAWebMediaOpaqueData',
  'WAWebMediaStorage',
  'WAWebMmsMediaTypes',
  'WAWebMsgKey',
  'WAWebPrepRawMedia',
  'WAWebQueryExistsJob',
  'WAWebReachoutTimelockUtils',
  'WAWebSchemaMessage',
  'WAWebSendMsgChatAction',
  'WAWebSendMsgJob',
  'WAWebShortcakeLinkingAction',
  'WAWebSignalStoreApi',
  'WAWebSocketModel',
  'WAWebUnpairDeviceJob',
  'WAWebUserPrefsIndexedDBStorage',
  'WAWebUserPrefsInfoStore',
  'WAWebUserPrefsMeUser',
  'WAWebUserPrefsMultiDevice',
  'WAWebWidFactory',
];

/** The names that each module exports, functions with `()`; or why it cannot be asked for. */
export function describeModules(names: readonly string[]): Record<string, string> {
  const NAMES_MAX = 40;
  const site = window as unknown as ModulesPage;
  const describe = (name: string) => {
    try {
      const module = site.require(name);
      if (typeof module !== 'object' || module === null) return typeof module;
      const names = Object.entries(module).map(([key, value]) =>
        typeof value === 'function' ? `${key}()` : key,
      );
      const more = names.length > NAMES_MAX ? [`and ${names.length - NAMES_MAX} more`] : [];
      return [...names.slice(0, NAMES_MAX), ...more].join(', ');
    } catch (error) {
      return `fails: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`;
    }
  };
  return Object.fromEntries(names.map((name) => [name, describe(name)]));
}
