import type { CapStatus, NumberLimits } from '#server/core/engine.ts';
import type { PreludePage } from './prelude.ts';

/**
 * Reads WhatsApp's restrictions inside its page. Each function is sent there as text, so it may use only its
 * arguments and the page's globals. A build may lack any of these modules.
 */

/** Names of our functions that the page can call. */
export const LIMITS_CHANGED = 'wirebirdLimitsChanged';
export const RECEIVED_FROM = 'wirebirdReceivedFrom';

interface Wid {
  server: string;
  user: string;
}
interface Message {
  id: { fromMe?: boolean; remote: Wid };
  ack?: number;
}
interface Modules {
  WAWebGetReachoutTimelockJob: { fetchReachoutTimelock(): Promise<unknown> };
  WAWebGetNewChatMessageCappingInfoJob: { fetchOrUpdateCapStatus(): Promise<unknown> };
  WAWebReachoutTimelockUtils: { isUserReachoutTimelocked(): boolean };
  WAWebIndividualNewChatMessageCappingLimitUtils: {
    getCappingData(): {
      capping_status?: string;
      total_quota?: number;
      used_quota?: number;
      cycle_end_timestamp?: number;
    } | null;
  };
  WAWebUserPrefsIndexedDBStorage: { userPrefsIdb: { get(name: string): Promise<unknown> } };
  WAWebCmd: { Cmd: { on(name: string, listener: () => void): void } };
  WAWebApiContact: { getPhoneNumber(lid: Wid): Wid | undefined };
  WAWebCollections: {
    Msg: {
      on(name: string, listener: (message: Message) => void): void;
      getModelsArray(): Message[];
    };
    Chat: { getModelsArray(): { id: Wid; lastReceivedKey?: { fromMe?: boolean } }[] };
  };
}

interface HealthPage extends PreludePage {
  require<K extends keyof Modules>(name: K): Modules[K];
  /** A look-up may have shown the numbers of people who wrote under a hidden ID. */
  wirebirdLookedUp?(): void;
  wirebirdLimitsChanged(): Promise<void>;
  wirebirdReceivedFrom(digits: string[]): Promise<void>;
}

/** Reads the restrictions; with `ask` the page asks the server first. */
export async function readLimits(ask: boolean): Promise<NumberLimits> {
  const site = window as unknown as HealthPage;
  const attempt = async <T>(work: () => T | Promise<T>): Promise<T | null> => {
    try {
      return (await work()) ?? null;
    } catch {
      return null;
    }
  };
  const pref = (name: string) =>
    attempt(() => site.require('WAWebUserPrefsIndexedDBStorage').userPrefsIdb.get(name));
  if (ask) {
    await attempt(() => site.require('WAWebGetReachoutTimelockJob').fetchReachoutTimelock());
    await attempt(() => site.require('WAWebGetNewChatMessageCappingInfoJob').fetchOrUpdateCapStatus());
  }
  const locked = await attempt(() => site.require('WAWebReachoutTimelockUtils').isUserReachoutTimelocked());
  const lock = (await pref('WAReachoutTimelockState')) as {
    time_enforcement_ends?: number;
    enforcement_type?: string;
  } | null;
  const cap = await attempt(() =>
    site.require('WAWebIndividualNewChatMessageCappingLimitUtils').getCappingData(),
  );
  const challenge = (await pref('WAIntegrityChallengeState')) as { challenge_type?: string } | null;
  const ends = lock?.time_enforcement_ends;
  return {
    timelock: locked ? { kind: lock?.enforcement_type ?? 'DEFAULT', until: ends ?? null } : null,
    cap: cap && {
      status: (cap.capping_status ?? 'NONE') as CapStatus,
      total: cap.total_quota ?? null,
      used: cap.used_quota ?? null,
      until: cap.cycle_end_timestamp === undefined ? null : cap.cycle_end_timestamp * 1000,
    },
    checkpoint: challenge ? (challenge.challenge_type ?? 'PASSKEY') : null,
  };
}

/**
 * Notifies the worker when restrictions may have changed, and of people who have written: now those in the page's
 * chats, later each new person once. A second call in the same document does nothing.
 */
export function watchHealth(peopleMax: number): void {
  const site = window as unknown as HealthPage;
  const { Msg, Chat } = site.require('WAWebCollections');
  if (!site.wirebird.isFirst(Msg, 'health')) return;
  const seen = new Set<string>();
  /** Who wrote, and is known by a hidden ID only. */
  const hidden = new Map<string, Wid>();
  let unreported: string[] = [];
  const flush = () => {
    const digits = unreported;
    unreported = [];
    site.wirebirdReceivedFrom(digits).catch(() => {});
  };
  const phoneOf = (lid: Wid) => {
    try {
      return site.require('WAWebApiContact').getPhoneNumber(lid);
    } catch {
      return undefined; // a build without it: this person is known once they are written to
    }
  };
  const received = (wid: Wid) => {
    const person = wid.server === 'lid' ? phoneOf(wid) : wid;
    if (person) hidden.delete(wid.user);
    else if (hidden.size < peopleMax) hidden.set(wid.user, wid);
    if (person?.server !== 'c.us' || seen.has(person.user)) return;
    if (seen.size >= peopleMax) seen.clear();
    seen.add(person.user);
    unreported.push(person.user);
    if (unreported.length === 1) void site.wirebird.wait(100).then(flush);
  };
  site.wirebirdLookedUp = () => {
    for (const wid of [...hidden.values()]) received(wid);
  };
  // The latest message of each chat is loaded. A sent message also makes its recipient known.
  for (const { id, ack = 0 } of Msg.getModelsArray().slice(-peopleMax)) {
    if (!id.fromMe || ack >= 1) received(id.remote);
  }
  for (const chat of Chat.getModelsArray().slice(0, peopleMax)) {
    if (chat.lastReceivedKey && !chat.lastReceivedKey.fromMe) received(chat.id);
  }
  Msg.on('add', ({ id }) => {
    if (!id.fromMe) received(id.remote);
  });
  site.require('WAWebCmd').Cmd.on('reachout_timelock_state_change', () => {
    site.wirebirdLimitsChanged().catch(() => {});
  });
}
