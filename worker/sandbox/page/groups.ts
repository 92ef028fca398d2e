import { delay } from './bytes.ts';
import { Chat, Chats } from './chats.ts';
import { Collection, type Id, Model } from './models.ts';
import type { GroupInfo } from './protocol.ts';
import { applyRule, takeRule } from './rules.ts';
import { config } from './state.ts';
import { createWid, type Wid } from './wid.ts';
import { call } from './wire.ts';

/** Groups. The page knows their members only after it has requested them. */

class Participant extends Model {
  declare id: Wid;
}

class Group extends Model {
  declare id: Wid;
  declare subject: string;
  declare participants: Collection<Participant>;
  /** The members are known, or all attempts to request them are used up. */
  settled = false;

  constructor(id: Wid) {
    super({
      id,
      subject: '',
      announce: false,
      isLidAddressingMode: config.lidChats,
      participants: Object.assign(new Collection<Participant>(), { length: 0 }),
    });
  }

  /** Requests the group from the server, unless its members are known. */
  async fetch(): Promise<void> {
    if (this.participants.getModelsArray().length > 0) return;
    await applyRule(takeRule('groups', this.id));
    const info = await call('group', { id: String(this.id) });
    if (!info) return;
    this.set({ subject: info.name, settled: true });
    for (const participant of participantsOf(info)) this.participants.add(new Participant(participant));
    Object.assign(this.participants, { length: this.participants.getModelsArray().length });
  }

  override serialize(): Record<string, unknown> {
    return {
      ...super.serialize(),
      participants: this.participants.getModelsArray().map((one) => one.serialize()),
    };
  }
}

class GroupCollection extends Collection<Group> {
  async find(id: Id): Promise<Group> {
    const group = this.get(id) ?? this.add(new Group(createWid(id)), { silent: true });
    await group.fetch();
    return group;
  }
  async update(id: Id): Promise<void> {
    await this.find(id);
  }
}

export const Groups = new GroupCollection();

const participantsOf = ({ participants }: GroupInfo) =>
  participants.map((id) => ({ id: createWid(id), isAdmin: false, isSuperAdmin: false }));

/** A group that this account is in, with its chat; its members are not known yet. */
export function addGroup({ id, name }: GroupInfo): void {
  const chat = groupChat(createWid(id), name);
  chat.set({ formattedTitle: name });
}

/** The chat with a group. The page creates one for every requested group, even if the account is not in it. */
export function groupChat(wid: Wid, name = ''): Chat {
  const groupMetadata = Groups.get(wid) ?? Groups.add(new Group(wid), { silent: true });
  const chat = { id: wid, name: name || 'Unknown subject', formattedTitle: name, groupMetadata };
  return Chats.get(wid) ?? Chats.add(new Chat(chat), { silent: true });
}

/** All groups that this account is in, from the server. The page's own models do not change. */
export async function queryAllGroups(): Promise<object[]> {
  await applyRule(takeRule('groups'));
  const groups = await call('groups', null);
  return groups.map((info) => ({
    id: createWid(info.id),
    subject: info.name,
    participants: participantsOf(info),
    size: info.participants.length,
  }));
}

/** The members that a message to this group is addressed to. */
export const knownMembers = (wid: Wid): number => Groups.get(wid)?.participants.getModelsArray().length ?? 0;

/** Seconds between tries to request a group. After the last one the message is sent anyway. */
const RETRY_SECONDS = [1, 2, 4, 0];
/** Time limit for an answer, in the same unit. */
const ANSWER_SECONDS = 2.5;

/** Before the first message to a group: waits until its members are known, or four tries got no answer. */
export async function waitForMembers(wid: Wid): Promise<void> {
  const group = Groups.get(wid);
  if (!group || group.settled) return;
  const unit = config.groupSecondMs;
  for (const seconds of RETRY_SECONDS) {
    const answered = group.fetch().then(
      () => true,
      () => false,
    );
    if (await Promise.race([answered, delay(ANSWER_SECONDS * unit)])) return;
    await delay(seconds * unit);
  }
  group.settled = true;
}
