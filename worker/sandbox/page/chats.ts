import { put, read, readAll, type StoredMessage } from './database.ts';
import { MsgKey, storedText } from './ids.ts';
import { Collection, type Id, Model, textOf } from './models.ts';
import { createWid, type Wid } from './wid.ts';

/** Assumed: it is not known how many messages the page loads at once. */
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

  constructor(attributes: { id: MsgKey } & Record<string, unknown>) {
    if (attributes.id == null || '__x_id' in attributes)
      throw new Error('Data passed to getter must include an id property');
    super(attributes);
  }

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

  constructor(attributes: {
    id: Wid;
    formattedTitle: string;
    t?: number;
    name?: string;
    groupMetadata?: Model;
  }) {
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

class MessageCollection extends Collection<Msg> {
  modelClass = Msg;

  /** Reads messages that are not in memory from the database, which rejects an undefined key (DataError). */
  async getMessagesById(ids: readonly (string | MsgKey)[]): Promise<{ messages: Msg[] }> {
    const load = async (id: string | MsgKey) =>
      this.get(id) ?? hydrate(await read('messages', typeof id === 'object' ? textOf(id) : id));
    const found = await Promise.all(ids.map(load));
    return { messages: found.filter((message) => message !== undefined) };
  }
}

class ContactCollection extends Collection<Contact> {
  async find(id: Id): Promise<Contact> {
    const wid = createWid(id);
    return this.get(wid) ?? this.add(new Contact({ id: wid, formattedName: `+${wid.user}`, type: 'in' }));
  }
}

export const Msgs = new MessageCollection();
export const Chats = new Collection<Chat>();
export const Contacts = new ContactCollection();

/** Stores a message's current state, so that the next load of the page finds an interrupted message. */
export async function saveMessage(message: Msg): Promise<void> {
  const json = JSON.parse(JSON.stringify(message)) as Record<string, unknown>;
  const id = storedText(message.id);
  await put('messages', id, {
    ...json,
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
  // A message that was being sent when an earlier document ended is shown as failed, whether or not it had left.
  const failed = id.fromMe && stored.ack === 0 ? { isSendFailure: true } : {};
  return new Msg({ ...attributes, ...failed, id, from, to, isNewMsg: false });
}

/** The stored messages that match `wanted`, loaded into the collection without events. */
export async function loadMessages(wanted: (stored: StoredMessage) => boolean): Promise<Msg[]> {
  return (await readAll('messages')).filter(wanted).flatMap((stored) => {
    const message = Msgs.get(stored.id) ?? hydrate(stored);
    return message ? [Msgs.add(message, { silent: true })] : [];
  });
}

/** Loads the latest message of each stored chat, which is all that the page has after a start. */
export async function loadLatest(): Promise<void> {
  for (const stored of newestFirst(await readAll('messages'))) {
    const chat = Chats.get(stored.chat);
    if (!chat || chat.lastReceivedKey) continue;
    const [latest] = hold(chat, [stored]);
    if (latest) chat.set({ lastReceivedKey: latest.id });
  }
}

/** The next page of a chat's messages, older than the loaded ones; empty if all are loaded. */
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
