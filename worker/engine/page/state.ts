/**
 * Reads and changes the state of WhatsApp's page before it is ready. Each function is sent there as text, so it may
 * use only its arguments and the page's globals.
 */

import type { PreludePage } from './prelude.ts';

interface Modules {
  WAWebSocketModel: { Socket: { state?: string; hasSynced?: boolean } };
  WAWebLaunchSocketUtils: { refreshQR(): void };
  WAWebEventsWaitForOfflineDeliveryEnd: { isOfflineDeliveryEnd?(): boolean };
}

export interface SitePage extends PreludePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  onAppStateHasSyncedEvent?(): Promise<void>;
}

/**
 * Library events that we do not use: incoming messages, calls, reactions, chats, batteries, and each change of a
 * message. Each would copy its whole message out of the page.
 */
export const IGNORED_EVENTS = [
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

/** Drops these events inside the page: the library does not replace a function that already exists. */
export function ignoreEvents(names: readonly string[]): void {
  for (const name of names) (window as unknown as Record<string, unknown>)[name] = () => {};
}

export interface PageState {
  /** Null while the page's scripts are still loading. */
  socketState: string | null;
  hasSynced: boolean;
  /** No phone is linked yet, as far as the page knows. */
  unlinked: boolean;
  /** The page shows the screen that asks for a passkey instead of the QR. */
  passkeyScreen: boolean;
}

export function readPageState(): PageState {
  try {
    const { Socket } = (window as unknown as SitePage).require('WAWebSocketModel');
    const waits = Socket.state === 'UNPAIRED' || Socket.state === 'UNPAIRED_IDLE';
    const unlinked = waits || (Socket.state !== 'CONNECTED' && localStorage.getItem('last-wid-md') === null);
    const screen = '[data-testid="shortcake_passkey_screen"], [data-testid="shortcake_cancel_button"]';
    const passkeyScreen = unlinked && document.querySelector(screen) !== null;
    return {
      socketState: Socket.state ?? null,
      hasSynced: Socket.hasSynced === true,
      unlinked,
      passkeyScreen,
    };
  } catch {
    return { socketState: null, hasSynced: false, unlinked: false, passkeyScreen: false };
  }
}

/** Repeats the page's sync event, which the library misses if the page syncs before the library listens. */
export async function reportSynced(): Promise<void> {
  // Upstream: #3785, pull 5755 (docs/upstream.md)
  await (window as unknown as SitePage).onAppStateHasSyncedEvent?.();
}

export function refreshQr(): void {
  // Upstream: not reported (docs/upstream.md)
  (window as unknown as SitePage).require('WAWebLaunchSocketUtils').refreshQR();
}

/**
 * Waits until everything that came while the page was offline has arrived, because the page writes no message before.
 * False after `limitMs`.
 */
export async function waitForOfflineDelivery(limitMs: number): Promise<boolean> {
  const AGAIN_MS = 50;
  const until = performance.now() + limitMs;
  try {
    const delivery = (window as unknown as SitePage).require('WAWebEventsWaitForOfflineDeliveryEnd');
    while (delivery.isOfflineDeliveryEnd?.() === false) {
      if (performance.now() > until) return false;
      await (window as unknown as SitePage).wirebird.wait(AGAIN_MS);
    }
  } catch {
    // A build that does not say when it ends.
  }
  return true;
}
