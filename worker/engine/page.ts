/**
 * What the adapter does inside WhatsApp's page. Each function is sent there as text, so it may use nothing
 * but its arguments and the page's globals.
 */

interface Modules {
  WAWebSocketModel: { Socket: { state?: string; hasSynced?: boolean } };
  WAWebConnModel: { Conn: { refTTL?: number } };
  WAWebLaunchSocketUtils: { refreshQR(): void };
}

export interface SitePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  onAppStateHasSyncedEvent?(): Promise<void>;
}

/**
 * Of the library's events these tell what nobody here listens to: other people's messages, calls, reactions,
 * chats, batteries, and each change of each message. Left alone every one of them carries its whole message
 * out of the page and an answer back in.
 */
export const UNHEARD_EVENTS = [
  'onAddMessageEvent',
  'onAddMessageCiphertextEvent',
  'onArchiveChatEvent',
  'onBatteryStateChangedEvent',
  'onChangeMessageEvent',
  'onChangeMessageTypeEvent',
  'onChatUnreadCountEvent',
  'onCiphertextFailedEvent',
  'onEditMessageEvent',
  'onIncomingCall',
  'onMessageMediaUploadedEvent',
  'onPollVoteEvent',
  'onReaction',
  'onRemoveChatEvent',
  'onRemoveMessageEvent',
];

/** Ends these events inside the page: the library exposes a function of its own only where there is none. */
export function mute(names: readonly string[]): void {
  for (const name of names) (window as unknown as Record<string, unknown>)[name] = () => {};
}

export interface Look {
  /** Null while the page's scripts are still loading. */
  socketState: string | null;
  hasSynced: boolean;
  /** A passkey is asked for where the QR was. */
  passkey: boolean;
}

export function look(): Look {
  try {
    const { Socket } = (window as unknown as SitePage).require('WAWebSocketModel');
    // Nothing but its words tells the passkey's screen; the browser is started in English. A linked page asks
    // for one, too, and works on behind it.
    const unpaired = Socket.state === 'UNPAIRED' || Socket.state === 'UNPAIRED_IDLE';
    const linking =
      unpaired || (Socket.state !== 'CONNECTED' && localStorage.getItem('last-wid-md') === null);
    const passkey = linking && /passkey/i.test(document.body.innerText) && !document.querySelector('canvas');
    return { socketState: Socket.state ?? null, hasSynced: Socket.hasSynced === true, passkey };
  } catch {
    return { socketState: null, hasSynced: false, passkey: false };
  }
}

/** Tells the library what it has missed when the page had synced before it listened. */
export async function tellSynced(): Promise<void> {
  // Upstream: #3785, pull 5755 (docs/upstream.md)
  await (window as unknown as SitePage).onAppStateHasSyncedEvent?.();
}

/** For how long the page shows its present QR, in ms; null where it does not say. */
export function qrLifeMs(): number | null {
  return (window as unknown as SitePage).require('WAWebConnModel').Conn.refTTL ?? null;
}

export function refreshQr(): void {
  // Upstream: not reported (docs/upstream.md)
  (window as unknown as SitePage).require('WAWebLaunchSocketUtils').refreshQR();
}
