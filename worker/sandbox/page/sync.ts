import { delay } from './bytes.ts';
import { Chat, Chats, loadLatest, loadMessages } from './chats.ts';
import { readAll, type StoredMessage } from './database.ts';
import { addGroup } from './groups.ts';
import { remember } from './lids.ts';
import { adoptEntry } from './media.ts';
import { showNotice } from './notice.ts';
import { endOfflineDelivery } from './offline-delivery.ts';
import type { Welcome } from './protocol.ts';
import { setRules } from './rules.ts';
import { transmit } from './send.ts';
import { Cmd, Conn, config, me, Socket, setState, streamLost, streamUp } from './state.ts';
import { createWid } from './wid.ts';
import { isSocketConnected, onFrame, send, setLoggedIn } from './wire.ts';

/** From the server's welcome to "connected and synced". */

/** The page's own acknowledgement of a message whose file it has lost. */
const CONTENT_GONE = -3;

let progressPercent = 0;
export const getOfflineDeliveryProgress = (): number => progressPercent;

export function listenForWelcome(): void {
  onFrame('welcome', (welcome) => void enter(welcome));
  onFrame('group', ({ seq, group }) => {
    addGroup(group);
    send({ t: 'confirm', seq });
  });
  onFrame('state', ({ state }) => setState(state));
  onFrame('reload', () => location.reload());
  onFrame('conflict', () => {
    setLoggedIn(false);
    streamLost();
    setState('CONFLICT');
  });
}

async function enter(welcome: Welcome): Promise<void> {
  Cmd.trigger('account_temporarily_banned_from_bridge', { banned: false });
  const pn = createWid(welcome.me.pn);
  me.lid = createWid(welcome.me.lid);
  if (config.ownPnDelayMs === 0) me.pn = pn;
  else setTimeout(() => Object.assign(me, { pn }), config.ownPnDelayMs);
  Conn.set({ pushname: welcome.me.name, platform: 'android', wid: pn });
  setRules(welcome.rules);
  for (const group of welcome.groups) addGroup(group);
  if (!Socket.hasSynced) {
    for (const { phone, lid } of await readAll('lids')) remember(phone, lid);
    for (const chat of await readAll('chats')) {
      if (!Chats.get(chat.id)) Chats.add(new Chat({ ...chat, id: createWid(chat.id) }), { silent: true });
    }
    await loadLatest();
  }
  setLoggedIn(true);
  if (Socket.hasSynced) streamUp();
  else await sync();
}

async function sync(): Promise<void> {
  showNotice('Loading your chats');
  if (!config.raceSync) {
    for (const percent of [10, 60, 100]) {
      progressPercent = percent;
      Cmd.trigger('offline_progress_update_from_bridge');
      await delay(config.syncDelayMs / 3);
    }
    // The real page syncs long after the library has attached. This page is faster, so it waits for that.
    while (Socket.listenerCount('change:hasSynced') === 0) await delay(20);
  }
  if (isSocketConnected()) streamUp();
  Socket.set({ hasSynced: true });
  showNotice();
  openDialogs();
  Cmd.trigger('main_stream_mode_ready_from_bridge');
  void endOfflineDelivery();
  await resumePending();
}

/** Sends messages that an earlier load of the page had added and not sent: those with a file, or all of them. */
async function resumePending(): Promise<void> {
  const isPending = ({ ack, id }: StoredMessage) => ack === 0 && id.startsWith('true_');
  const isResumed = (stored: StoredMessage) => config.resumePending || 'mediaKey' in stored;
  const pending = await loadMessages(
    (stored) => isPending(stored) && stored.isSendFailure !== true && isResumed(stored),
  );
  for (const message of pending) {
    if (config.resumedFilesGone && 'mediaKey' in message) message.set({ ack: CONTENT_GONE });
    else {
      if ('mediaKey' in message) adoptEntry({ ...message });
      transmit(message).catch(() => {}); // stays pending for the next load
    }
  }
}

/** Dialogs that the page opens over itself once it is in sync. It keeps working behind them. */
const DIALOGS = {
  'whats-new': {
    heading: 'What’s new on WhatsApp Web',
    button: { text: 'Continue', testId: 'whats_new_continue_button' },
  },
  notifications: {
    heading: 'Don’t miss a message',
    button: { text: 'Not now', testId: 'notifications_opt_in_not_now' },
  },
  unknown: { heading: 'Meet the new calls tab', button: { text: 'Got it', testId: undefined } },
} as const;

function openDialogs(): void {
  for (const kind of config.dialogs) {
    const { heading, button } = DIALOGS[kind];
    const dialog = document.createElement('div');
    dialog.role = 'dialog';
    dialog.ariaModal = 'true';
    const title = document.createElement('h1');
    title.textContent = heading;
    const close = document.createElement('button');
    close.textContent = button.text;
    if (button.testId) close.dataset.testid = button.testId;
    close.onclick = () => dialog.remove();
    dialog.append(title, close);
    document.body.append(dialog);
  }
}
