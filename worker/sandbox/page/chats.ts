import { put, read, readAll, type StoredMessage } from './database.ts';
import { createWid, MsgKey, type Wid } from './ids.ts';
import { alternateOf, learn } from './lids.ts';
import { Collection, type Id, Model, textOf } from './models.ts';
import type { GroupInfo } from './protocol.ts';
import { strike, takeRule } from './rules.ts';
import { config } from './state.ts';
import { call } from './wire.ts';

/** Assumed: how many messages the page loads in one go is not known. */
const EARLIER_AT_ONCE = 50;

export class Msg extends Model {
  declare id: MsgKey;
  declare ack: number;
  declare type: string;
  declare from: Wid;
  declare to: Wid;
  declare t: number;
  declare body?: unknown;
  declare caption?: string;

  get isEphemeral(): boolean {
    return false;
  }
  get isStatusV3(): boolean {
    return false;
  }
  unsafe(): this {
    return this;
  }
  canReply(): boolean {
    return true;
  }
  msgContextInfo(): object {
    return {
      quotedMsg: { body: this.body, type: this.type },
      quotedStanzaID: this.id.id,
      quotedParticipant: this.from,
    };
  }
}

export class Chat extends Model {
  declare id: Wid;
  declare formattedTitle: string;
  declare unreadCount: number;
  declare msgs: Collection<Msg>;
  declare lastReceivedKey?: MsgKey;

  constructor(attributes: { id: Wid; formattedTitle: string; t?: number; groupMetadata?: Group }) {
    super({
      unreadCount: 0,
      archive: false,
      pin: 0,
      isLocked: false,
      muteExpiration: 0,
      mute: { expiration: 0 },
      msgs: new Collection<Msg>(),
      ...attributes,
    });
  }

  override serialize(): Record<string, unknown> {
    return { ...super.serialize(), msgs: this.msgs.getModelsArray().map((message) => message.serialize()) };
  }
}

export class Contact extends Model {
  declare id: Wid;
  declare formattedName: string;
  declare name?: string;
  declare pushname?: string;
}

export class Group extends Model {
  declare id: Wid;
}

class MessageCollection extends Collection<Msg> {
  readonly modelClass = Msg;

  /** Reads what it does not hold from the database, which rejects a key that is undefined (DataError). */
  async getMessagesById(ids: readonly (string | MsgKey)[]): Promise<{ messages: Msg[] }> {
    const load = async (id: string | MsgKey) =>
      this.get(id) ?? hydrate(await read('messages', typeof id === 'object' ? textOf(id) : id));
    const found = await Promise.all(ids.map(load));
    return { messages: found.filter((message) => message !== undefined) };
  }
}

class ChatCollection extends Collection<Chat> {
  async find(id: Id): Promise<Chat | undefined> {
    return (await findOrCreateLatestChat(createWid(id)))?.chat;
  }
}

class ContactCollection extends Collection<Contact> {
  async find(id: Id): Promise<Contact> {
    const wid = createWid(id);
    return this.get(wid) ?? this.add(new Contact({ id: wid, formattedName: `+${wid.user}`, type: 'in' }));
  }
}

class GroupCollection extends Collection<Group> {
  async find(id: Id): Promise<Group | undefined> {
    return this.get(id);
  }
  async update(): Promise<void> {}
}

export const Msgs = new MessageCollection();
export const Chats = new ChatCollection();
export const Contacts = new ContactCollection();
export const Groups = new GroupCollection();

/** Keeps a message as it is now; an interrupted one is found again by the next load of the page. */
export async function saveMessage(message: Msg): Promise<void> {
  const plain = JSON.parse(JSON.stringify(message)) as Record<string, unknown>;
  const id = textOf(message.id);
  await put('messages', id, {
    ...plain,
    id,
    ack: message.ack,
    chat: textOf(message.id.fromMe ? message.to : message.from),
    from: textOf(message.from),
    to: textOf(message.to),
  });
}

function hydrate(stored: StoredMessage | undefined): Msg | undefined {
  if (!stored) return undefined;
  const { chat: _, ...attributes } = stored;
  const [from, to] = [createWid(stored.from), createWid(stored.to)];
  const id = MsgKey.fromString(stored.id);
  // What was on its way when an earlier document ended is shown as failed, whether it had left or not.
  const failed = id.fromMe && stored.ack === 0 ? { isSendFailure: true } : {};
  return new Msg({ ...attributes, ...failed, id, from, to, isNewMsg: false });
}

/** The stored messages that `wanted` picks, loaded into the collection without telling anybody. */
export async function loadMessages(wanted: (stored: StoredMessage) => boolean): Promise<Msg[]> {
  return (await readAll('messages')).filter(wanted).flatMap((stored) => {
    const message = Msgs.get(stored.id) ?? hydrate(stored);
    return message ? [Msgs.add(message, { silent: true })] : [];
  });
}

/** The latest message of each stored chat, which is all that the page holds after a start. */
export async function loadLatest(): Promise<void> {
  for (const stored of newestFirst(await readAll('messages'))) {
    const chat = Chats.get(stored.chat);
    if (!chat || chat.lastReceivedKey) continue;
    const [latest] = hold(chat, [stored]);
    if (latest) chat.set({ lastReceivedKey: latest.id });
  }
}

/** The next page of a chat's messages, older than those it holds; empty when it holds all. */
export async function loadEarlierMsgs({ chat }: { chat: Chat }): Promise<Msg[]> {
  const id = textOf(chat.id);
  const earlier = (await readAll('messages')).filter(
    (stored) => stored.chat === id && !chat.msgs.get(stored.id),
  );
  return hold(chat, newestFirst(earlier).slice(0, EARLIER_AT_ONCE));
}

const newestFirst = (messages: StoredMessage[]): StoredMessage[] =>
  messages.sort((a, b) => Number(b.t) - Number(a.t));

function hold(chat: Chat, messages: readonly StoredMessage[]): Msg[] {
  return messages.flatMap((stored) => {
    const message = Msgs.get(stored.id) ?? hydrate(stored);
    if (!message) return [];
    const held = Msgs.add(message, { silent: true });
    return [chat.msgs.add(held, { silent: true })];
  });
}

/** The table of messages, by the keys' text. */
export const messageTable = { get: (text: string) => read('messages', text) };

/** Is this person on WhatsApp? Null if not; otherwise their addresses, which the page remembers. */
export async function queryWidExists(wid: Wid): Promise<{ wid: Wid; lid: Wid } | null> {
  await strike(takeRule('exists', wid));
  const found = await call('exists', { wid: textOf(wid) });
  if (!found) return null;
  await learn(found.pn, found.lid);
  return { wid: createWid(found.pn), lid: createWid(found.lid) };
}

/** A chat with a person or group. Only groups that this account is in have one. */
export async function findOrCreateLatestChat(
  wid: Wid,
): Promise<{ chat: Chat; created: boolean } | undefined> {
  const other = alternateOf(wid);
  const known = Chats.get(wid) ?? Chats.get(other);
  if (known) return { chat: known, created: false };
  if (wid.isGroup()) throw new Error('Chat not found');
  const lid = wid.isLid()
    ? wid
    : (other ?? (config.strictLid ? undefined : (await queryWidExists(wid))?.lid));
  if (!lid) {
    if (config.strictLid) throw new Error('No LID for user');
    return undefined;
  }
  const id = config.lidChats ? lid : wid;
  const chat = new Chat({ id, formattedTitle: `+${wid.user}`, t: Math.floor(Date.now() / 1000) });
  await put('chats', textOf(id), {
    id: textOf(id),
    formattedTitle: chat.formattedTitle,
    t: Math.floor(Date.now() / 1000),
  });
  return { chat: Chats.add(chat), created: true };
}

/** A group that this account is in, with its chat. */
export function addGroup({ id, name, participants }: GroupInfo): void {
  const wid = createWid(id);
  const members = participants.map((participant) => ({
    id: createWid(participant),
    isAdmin: false,
    isSuperAdmin: false,
  }));
  const group = new Group({
    id: wid,
    subject: name,
    announce: false,
    isLidAddressingMode: config.lidChats,
    participants: members,
  });
  const groupMetadata = Groups.add(group, { silent: true });
  if (!Chats.get(wid))
    Chats.add(new Chat({ id: wid, formattedTitle: name, groupMetadata }), { silent: true });
}
