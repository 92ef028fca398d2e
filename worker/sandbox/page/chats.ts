import { put, read, readAll, type StoredMessage } from './database.ts';
import { createWid, MsgKey, type Wid } from './ids.ts';
import { alternateOf, learn } from './lids.ts';
import { Collection, type Id, Model, textOf } from './models.ts';
import type { GroupInfo } from './protocol.ts';
import { strike, takeRule } from './rules.ts';
import { config } from './state.ts';
import { call } from './wire.ts';

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

  async getMessagesById(ids: readonly Id[]): Promise<{ messages: Msg[] }> {
    const found = await Promise.all(
      ids.map(async (id) => this.get(id) ?? hydrate(await read('messages', textOf(id)))),
    );
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
  await put('messages', message.id._serialized, {
    ...plain,
    ack: message.ack,
    id: message.id._serialized,
    chat: (message.id.fromMe ? message.to : message.from)._serialized,
    from: message.from._serialized,
    to: message.to._serialized,
  });
}

function hydrate(stored: StoredMessage | undefined): Msg | undefined {
  if (!stored) return undefined;
  const { chat: _, ...attributes } = stored;
  const [from, to] = [createWid(stored.from), createWid(stored.to)];
  return new Msg({ ...attributes, id: MsgKey.fromString(stored.id), from, to, isNewMsg: false });
}

/** The stored messages that `wanted` picks, loaded into the collection without telling anybody. */
export async function loadMessages(wanted: (stored: StoredMessage) => boolean): Promise<Msg[]> {
  return (await readAll('messages')).filter(wanted).flatMap((stored) => {
    const message = Msgs.get(stored.id) ?? hydrate(stored);
    return message ? [Msgs.add(message, { silent: true })] : [];
  });
}

/** Earlier messages of a chat than those it holds; none when it holds all. */
export async function loadEarlierMsgs({ chat }: { chat: Chat }): Promise<Msg[]> {
  const id = chat.id._serialized;
  const earlier = await loadMessages((stored) => stored.chat === id && !chat.msgs.get(stored.id));
  for (const message of earlier) chat.msgs.add(message, { silent: true });
  return earlier;
}

/** Is this person on WhatsApp? Null if not; otherwise their addresses, which the page remembers. */
export async function queryWidExists(wid: Wid): Promise<{ wid: Wid; lid: Wid } | null> {
  await strike(takeRule('exists', wid));
  const found = await call('exists', { wid: wid._serialized });
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
  await put('chats', id._serialized, {
    id: id._serialized,
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
