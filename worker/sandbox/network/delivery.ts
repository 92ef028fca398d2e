import crypto from 'node:crypto';
import type { Chat, InboxEntry } from '#server/sandbox/contract.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { ackAt, inboxEntry, receivedLine, sentLine, withAck } from '../inbox.ts';
import { lidOf, phoneOfLid } from '../lid.ts';
import type { MediaFiles } from '../media-files.ts';
import type { Calls, SentMessage } from '../page/protocol.ts';
import type { InboundMessage, Store, StoredMessage } from '../store.ts';
import type { Connections, PageConnection } from './connections.ts';
import { chatIdOf, type Phones } from './phones.ts';

const MESSAGES_PER_PHONE_MAX = 10_000;
const INBOUND_PER_PHONE_MAX = 1000;
// Each login sends the latest acks again, because the page may have ended before it stored them.
const ACKS_RESENT = 50;
const CHAT_MESSAGES_SHOWN = 50;

/**
 * The server's codes for refused messages: in general, to a new person during a timelock, and beyond the cap.
 */
const REFUSED = 400;
const RESTRICTED = 463;
const CAPPED = 475;

/**
 * Outside the first area codes, accounts in Brazil have no ninth digit. The server finds them with it too, but a message
 * to that address never arrives.
 */
const registeredForm = (address: string) => address.replace(/^(55[3-9]\d)9(\d{8})(?!\d)/, '$1$2');

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Parts {
  store: Store;
  phones: Phones;
  connections: Connections;
  media: MediaFiles;
  config: () => NetworkConfig;
}

/** Who is on WhatsApp, and what happens to messages. */
export class Delivery {
  readonly #parts: Parts;
  /** The messages that each phone has sent, by bare id, oldest first. */
  readonly #sent = new Map<string, Map<string, StoredMessage>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    for (const message of parts.store.list('message')) {
      this.#of(message.phone).set(message.entry.id, message);
      if (ackAt(message, Date.now()) < 3) this.#scheduleAcks(message);
    }
  }

  async exists(phone: string, wid: string): Promise<Calls['exists']['result']> {
    const other = wid.endsWith('@lid') ? phoneOfLid(wid) : wid.slice(0, wid.indexOf('@'));
    const rule = this.#parts.phones.takeRule(phone, 'not-on-whatsapp', chatIdOf(other));
    if (rule) await delay(rule.ms ?? 0);
    if (rule || !this.#parts.phones.isRegistered(other)) return null;
    const registered = registeredForm(other);
    return { pn: chatIdOf(registered), lid: lidOf(registered) };
  }

  /**
   * The server receives a message. It is stored before it is acknowledged; a repeated id is acknowledged but not
   * delivered again. A message is refused (ack −1) by a rule or restriction, without a recipient, or if the
   * product does not send its kind.
   */
  async accept(phone: string, message: SentMessage): Promise<Calls['send']['result']> {
    const { phones, config } = this.#parts;
    const to = message.to.endsWith('@lid') ? chatIdOf(phoneOfLid(message.to)) : message.to;
    const refusal = phones.takeRule(phone, 'refuse', to);
    if (refusal) await delay(refusal.ms ?? 0);
    const refused = (error: number) => ({
      ack: -1 as const,
      error,
      atSeconds: Math.floor(Date.now() / 1000),
    });
    if (refusal) return refused(refusal.code ?? REFUSED);
    // A message to a group whose members the page does not know reaches nobody.
    const joined = phones.ensure(phone).groups.some(({ id }) => id === to);
    if (joined && message.members === 0)
      return { ack: 1, error: null, atSeconds: Math.floor(Date.now() / 1000) };
    const known = this.#repeat(phone, message.id);
    const restriction = known ? null : this.#restrictedBy(phone, to);
    if (restriction !== null) return refused(restriction);
    const accepted = known ?? this.#record(phone, to, message);
    if (!accepted) return refused(REFUSED);
    await delay(config().serverAckMs);
    if (!known) this.#scheduleAcks(accepted); // not before the server's own ack, which must come first
    return { ack: 1, error: null, atSeconds: Math.floor(accepted.entry.at / 1000) };
  }

  /** Sends what a page may have missed: acks, and messages of other people. */
  catchUp(page: PageConnection, phone: string): void {
    const now = Date.now();
    for (const message of [...this.#of(phone).values()].slice(-ACKS_RESENT)) {
      const ack = ackAt(message, now);
      if (ack > 1) page.send({ t: 'ack', key: message.key, ack });
    }
    for (const message of this.#received(phone)) if (!message.delivered) this.#deliver(message);
  }

  /** Delivered messages, oldest first; the latest `limit` of them. */
  inbox(phone: string, limit: number = MESSAGES_PER_PHONE_MAX): InboxEntry[] {
    const now = Date.now();
    return [...this.#of(phone).values()].slice(-limit).map((message) => withAck(message, now));
  }

  count(phone: string): number {
    return this.#of(phone).size;
  }

  clear(phone: string): void {
    for (const id of this.#of(phone).keys()) this.#parts.store.delete('message', `${phone}/${id}`);
    for (const { id } of this.#received(phone)) this.#parts.store.delete('inbound', `${phone}/${id}`);
    this.#sent.delete(phone);
    this.#parts.phones.update(phone, { repeats: 0 });
  }

  /** Another person sends the phone a message, which waits until a page is connected. */
  receive(phone: string, from: string, body: string): { id: string } {
    const id = `3A${crypto.randomBytes(9).toString('hex').toUpperCase()}`;
    const earlier = this.#received(phone);
    const [oldest] = earlier;
    if (oldest && earlier.length >= INBOUND_PER_PHONE_MAX) {
      this.#parts.store.delete('inbound', `${phone}/${oldest.id}`);
    }
    this.#deliver({ id, phone, from, body, at: Date.now(), delivered: false });
    return { id };
  }

  /** The phone's chats, the latest first, each with its latest messages. */
  chats(phone: string): Chat[] {
    const now = Date.now();
    const chats = new Map<string, Chat>();
    const chatWith = (id: string) => {
      const chat = chats.get(id) ?? { id, name: this.#chatName(phone, id), lastAt: 0, messages: [] };
      chats.set(id, chat);
      return chat;
    };
    for (const { id } of this.#parts.phones.ensure(phone).groups) chatWith(id);
    for (const message of this.#of(phone).values()) {
      chatWith(message.entry.to).messages.push(sentLine(message, now));
    }
    for (const message of this.#received(phone)) {
      chatWith(chatIdOf(message.from)).messages.push(receivedLine(message));
    }
    return [...chats.values()]
      .map((chat) => ({ ...chat, messages: chat.messages.sort((a, b) => a.at - b.at) }))
      .map((chat) => ({
        ...chat,
        lastAt: chat.messages.at(-1)?.at ?? 0,
        messages: chat.messages.slice(-CHAT_MESSAGES_SHOWN),
      }))
      .sort((a, b) => b.lastAt - a.lastAt);
  }

  /** The code that refuses a message, or null. Restricted phones may write in their existing chats. */
  #restrictedBy(phone: string, to: string): number | null {
    if (!to.endsWith('@c.us')) return null;
    const { timelock, cap } = this.#parts.phones.restrictions(phone);
    if (!timelock && cap?.status !== 'CAPPED') return null;
    const written = [...this.#of(phone).values()].some(({ entry }) => entry.to === to);
    if (written || this.#received(phone).some(({ from }) => chatIdOf(from) === to)) return null;
    return timelock ? RESTRICTED : CAPPED;
  }

  #isReachable(phone: string, to: string): boolean {
    const { phones } = this.#parts;
    return to.endsWith('@g.us')
      ? phones.get(phone).groups.some(({ id }) => id === to)
      : phones.isRegistered(to.slice(0, to.indexOf('@')));
  }

  #repeat(phone: string, id: string): StoredMessage | undefined {
    const known = this.#of(phone).get(id);
    if (!known) return undefined;
    const repeated = { ...known, repeats: known.repeats + 1 };
    this.#save(repeated);
    this.#parts.phones.update(phone, { repeats: this.#parts.phones.get(phone).repeats + 1 });
    return repeated;
  }

  #record(phone: string, to: string, message: SentMessage): StoredMessage | null {
    const at = Date.now();
    const { deliveredMs, readMs } = this.#parts.phones.get(phone);
    const entry = inboxEntry(message, { at, to, media: this.#mediaOf(message) });
    if (!entry || !this.#isReachable(phone, to)) return null;
    const arrives = registeredForm(to) === to;
    const stored: StoredMessage = {
      phone,
      key: message.key,
      entry,
      deliveredAt: deliveredMs === null || !arrives ? null : at + deliveredMs,
      readAt: readMs === null || !arrives ? null : at + readMs,
      repeats: 0,
    };
    this.#save(stored);
    this.#dropOldest(phone);
    return stored;
  }

  #mediaOf({ filehash }: SentMessage): { sha256: string; bytes: number } | undefined {
    if (filehash === undefined) return undefined;
    const sha256 = Buffer.from(filehash, 'base64').toString('hex');
    const bytes = this.#parts.media.size(sha256);
    return bytes === undefined ? undefined : { sha256, bytes };
  }

  #save(message: StoredMessage): void {
    this.#parts.store.put('message', `${message.phone}/${message.entry.id}`, message);
    this.#of(message.phone).set(message.entry.id, message);
  }

  #dropOldest(phone: string): void {
    const sent = this.#of(phone);
    for (const id of sent.keys()) {
      if (sent.size <= MESSAGES_PER_PHONE_MAX) return;
      this.#parts.store.delete('message', `${phone}/${id}`);
      sent.delete(id);
    }
  }

  #scheduleAcks({ phone, key, deliveredAt, readAt }: StoredMessage): void {
    const now = Date.now();
    for (const [ack, at] of [[2, deliveredAt] as const, [3, readAt] as const]) {
      if (at === null) continue;
      const sendAck = () => {
        for (const page of this.#parts.connections.of(phone)) page.send({ t: 'ack', key, ack });
      };
      setTimeout(sendAck, Math.max(0, at - now)).unref();
    }
  }

  #deliver(message: InboundMessage): void {
    const pages = this.#parts.connections.of(message.phone);
    this.#parts.store.put('inbound', `${message.phone}/${message.id}`, {
      ...message,
      delivered: pages.length > 0,
    });
    const { id, from, body, at } = message;
    for (const page of pages) {
      page.send({ t: 'message', id, from: chatIdOf(from), body, atSeconds: Math.floor(at / 1000) });
    }
  }

  #received(phone: string): InboundMessage[] {
    return this.#parts.store.list('inbound').filter((message) => message.phone === phone);
  }

  #chatName(phone: string, id: string): string {
    const group = this.#parts.phones.get(phone).groups.find((candidate) => candidate.id === id);
    return group?.name ?? `+${id.slice(0, id.indexOf('@'))}`;
  }

  #of(phone: string): Map<string, StoredMessage> {
    const sent = this.#sent.get(phone) ?? new Map<string, StoredMessage>();
    this.#sent.set(phone, sent);
    return sent;
  }
}
