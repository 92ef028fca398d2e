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
 * Library events that nobody here listens to: other people's messages, calls, reactions, chats, batteries, and
 * each change of a message. Each of them would carry its whole message out of the page.
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

/** Ends these events inside the page: the library exposes its own function only if there is none. */
export function mute(names: readonly string[]): void {
  for (const name of names) (window as unknown as Record<string, unknown>)[name] = () => {};
}

export interface Look {
  /** Null while the page's scripts are still loading. */
  socketState: string | null;
  hasSynced: boolean;
  /** The page asks for a passkey in place of the QR. */
  passkey: boolean;
}

export function look(): Look {
  try {
    const { Socket } = (window as unknown as SitePage).require('WAWebSocketModel');
    // Only its words identify the passkey's screen; the browser starts in English. A linked page asks for one
    // too, and continues behind it.
    const unpaired = Socket.state === 'UNPAIRED' || Socket.state === 'UNPAIRED_IDLE';
    const linking =
      unpaired || (Socket.state !== 'CONNECTED' && localStorage.getItem('last-wid-md') === null);
    const passkey = linking && /passkey/i.test(document.body.innerText) && !document.querySelector('canvas');
    return { socketState: Socket.state ?? null, hasSynced: Socket.hasSynced === true, passkey };
  } catch {
    return { socketState: null, hasSynced: false, passkey: false };
  }
}

/** Repeats for the library what it missed if the page had synced before it listened. */
export async function tellSynced(): Promise<void> {
  // Upstream: #3785, pull 5755 (docs/upstream.md)
  await (window as unknown as SitePage).onAppStateHasSyncedEvent?.();
}

/** How long the page shows its current QR, in ms; null if it does not say. */
export function qrLifeMs(): number | null {
  return (window as unknown as SitePage).require('WAWebConnModel').Conn.refTTL ?? null;
}

export function refreshQr(): void {
  // Upstream: not reported (docs/upstream.md)
  (window as unknown as SitePage).require('WAWebLaunchSocketUtils').refreshQR();
}
