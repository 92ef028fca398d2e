import type { Group } from '#server/core/engine.ts';

/** Reads groups inside WhatsApp's page. Each function is sent there as text. */

interface Wid {
  toString(): string;
}
interface Participants {
  getModelsArray(): { id: Wid }[];
}
interface GroupMetadata {
  find(wid: Wid): Promise<{ participants?: Participants } | undefined>;
}
interface Modules {
  WAWebCollections: {
    Chat: {
      get(wid: Wid): { formattedTitle?: string; groupMetadata?: { participants?: Participants } } | undefined;
    };
    GroupMetadata?: GroupMetadata;
    WAWebGroupMetadataCollection?: GroupMetadata;
  };
  /** A group with too many members for one answer has only the user part of its Wid, and a size. */
  WAWebGroupQueryJob: {
    queryAllGroups(): Promise<
      { id: Wid | string; subject?: string; participants?: { length: number }; size?: number }[]
    >;
  };
  WAWebWidFactory: { createWid(chatId: string): Wid };
  WAWebUserPrefsMeUser: { getMaybeMePnUser(): Wid | null; getMaybeMeLidUser(): Wid | null };
}
interface SitePage {
  require<K extends keyof Modules>(name: K): Modules[K];
}

/** A refusal by WhatsApp's server. A thrown error would keep only its name and text when it leaves the page. */
export interface Refusal {
  status: number | null;
  text: string;
}

/**
 * The groups that this account is in, as WhatsApp's server lists them. The page's chats do not show that: it
 * creates a chat for each requested group, and knows no members until it has fetched them.
 */
export async function queryGroups(): Promise<{ groups: Group[] } | { refused: Refusal }> {
  const site = window as unknown as SitePage;
  const { Chat } = site.require('WAWebCollections');
  const { createWid } = site.require('WAWebWidFactory');
  try {
    const listed = await site.require('WAWebGroupQueryJob').queryAllGroups();
    const groups = listed.map(({ id: given, subject, participants, size }) => {
      const id = String(given).includes('@') ? String(given) : `${given}@g.us`;
      const name = subject || Chat.get(createWid(id))?.formattedTitle || '';
      return { id, name, participants: participants?.length || size || 0 };
    });
    return { groups };
  } catch (error) {
    const { status = null } = error as { status?: number };
    return { refused: { status, text: String(error) } };
  }
}

/** Has the page fetched the group's members, and is this account one of them? */
export function isMember(chatId: string): boolean {
  const site = window as unknown as SitePage;
  const chat = site.require('WAWebCollections').Chat.get(site.require('WAWebWidFactory').createWid(chatId));
  const { getMaybeMePnUser, getMaybeMeLidUser } = site.require('WAWebUserPrefsMeUser');
  const mine = [getMaybeMePnUser(), getMaybeMeLidUser()].map(String);
  const members = chat?.groupMetadata?.participants?.getModelsArray() ?? [];
  return members.some(({ id }) => mine.includes(String(id)));
}

/** The first of these groups with which the page has a chat; null if there is none. */
export function firstWithChat(chatIds: readonly string[]): string | null {
  const site = window as unknown as SitePage;
  const { Chat } = site.require('WAWebCollections');
  const { createWid } = site.require('WAWebWidFactory');
  return chatIds.find((chatId) => Chat.get(createWid(chatId))) ?? null;
}

/** Makes the page fetch a group's members. False if it knows none afterwards: a message would reach nobody. */
export async function fetchGroup(chatId: string): Promise<boolean> {
  const site = window as unknown as SitePage;
  const collections = site.require('WAWebCollections');
  const metadata = collections.GroupMetadata ?? collections.WAWebGroupMetadataCollection;
  const group = await metadata?.find(site.require('WAWebWidFactory').createWid(chatId));
  return (group?.participants?.getModelsArray().length ?? 0) > 0;
}
