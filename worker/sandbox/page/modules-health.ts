import type { Restrictions } from '#server/sandbox/contract.ts';
import { type Contact, Msgs } from './chats.ts';
import { logoutFunctions } from './logout.ts';
import { Cmd, me, Socket } from './state.ts';
import { call, onFrame } from './wire.ts';

/** The page's knowledge of restrictions on its account. It asks after each start and when it is notified. */

/** The page's own settings, which persist across loads. */
const userPrefsIdb = {
  get: async (name: string): Promise<unknown> => stored(name),
  set: async (name: string, value: unknown): Promise<void> => store(name, value),
};
const stored = (name: string): unknown => JSON.parse(localStorage.getItem(`pref ${name}`) ?? 'null');
const store = (name: string, value: unknown): void =>
  localStorage.setItem(`pref ${name}`, JSON.stringify(value));

const TIMELOCK = 'WAReachoutTimelockState';
const CHECKPOINT = 'WAIntegrityChallengeState';

interface StoredTimelock {
  state: 'HIDDEN' | 'VISIBLE';
  /** ms since the epoch */
  time_enforcement_ends: number;
  enforcement_type: string;
}

const timelock = (): StoredTimelock | null => {
  const found = stored(TIMELOCK) as StoredTimelock | null;
  return found && found.time_enforcement_ends > Date.now() ? found : null;
};
let cap: Restrictions['cap'] = null;

function file(restrictions: Restrictions): void {
  const { timelock: found, checkpoint } = restrictions;
  cap = restrictions.cap;
  const next: StoredTimelock | null = found && {
    state: found.state,
    time_enforcement_ends: found.endsAt,
    enforcement_type: found.type,
  };
  const changed = JSON.stringify(stored(TIMELOCK)) !== JSON.stringify(next);
  store(TIMELOCK, next);
  store(CHECKPOINT, checkpoint && { challenge_type: checkpoint });
  showCheckpoint(checkpoint);
  if (changed) Cmd.trigger('reachout_timelock_state_change');
}

async function fetchReachoutTimelock(): Promise<void> {
  file(await call('restrictions', null));
}

export function listenForRestrictions(): void {
  const checkpoint = stored(CHECKPOINT) as { challenge_type: string } | null;
  showCheckpoint(checkpoint?.challenge_type ?? null);
  const ask = () => void fetchReachoutTimelock().catch(() => {});
  onFrame('restricted', ask);
  // Not on change:hasSynced: the sync waits for a listener on that event, which must be the library's.
  let asked = false;
  Socket.on('change', () => {
    if (asked || !Socket.hasSynced) return;
    asked = true;
    ask();
  });
}

const isMe = (contact: Contact) => me.pn !== undefined && contact.id.equals(me.pn);
/** A person who has written left a token with which they can be answered. */
const hasWritten = (contact: Contact) =>
  Msgs.getModelsArray().some((message) => !message.id.fromMe && message.from.equals(contact.id));

export const health = {
  WAWebUserPrefsIndexedDBStorage: { userPrefsIdb },
  WAWebGetReachoutTimelockJob: { fetchReachoutTimelock },
  WAWebReachoutTimelockUtils: {
    isUserReachoutTimelocked: () => timelock() !== null,
    isUserReachoutTimelockedAndVisible: () => timelock()?.state === 'VISIBLE',
    isUserReachoutTimelockedAndHidden: () => timelock()?.state === 'HIDDEN',
    canSendMsgWhileTimelocked: ({ contact }: { contact: Contact }) => isMe(contact) || hasWritten(contact),
  },
  WAWebGetNewChatMessageCappingInfoJob: { fetchOrUpdateCapStatus: fetchReachoutTimelock },
  WAWebIndividualNewChatMessageCappingLimitUtils: {
    isUserCapped: () => cap?.status === 'CAPPED',
    getCappingData: () =>
      cap && {
        capping_status: cap.status,
        total_quota: cap.total,
        used_quota: cap.used,
        cycle_end_timestamp: Math.floor(cap.endsAt / 1000),
      },
  },
};

/** The security check that covers the screen of a linked page. The page keeps working behind it. */
const box = document.createElement('section');
box.id = 'checkpoint';

/** Shows a challenge, or removes it (null). Only the real text for a passkey is known. */
function showCheckpoint(challenge: string | null): void {
  if (challenge === null) {
    box.remove();
    return;
  }
  const words = document.createElement('p');
  words.textContent = 'You can continue using WhatsApp Web after we verify your account with your Passkey.';
  const heading = document.createElement('h1');
  heading.textContent = 'Quick security check with Passkey';
  const go = document.createElement('button');
  go.textContent = 'Continue';
  const leave = document.createElement('button');
  leave.textContent = 'Log out of WhatsApp Web';
  leave.onclick = () => logoutFunctions.logout();
  box.replaceChildren(...(challenge === 'PASSKEY' ? [heading, words, go, leave] : [leave]));
  document.body.append(box);
}
