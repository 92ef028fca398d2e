import { type Id, textOf } from './models.ts';

const SERVERS = ['c.us', 'lid', 'g.us', 'broadcast', 'newsletter'];

/** The address of a person, group or channel: `<user>@<server>`. */
export class Wid {
  readonly server: string;
  readonly user: string;
  readonly _serialized: string;

  constructor(user: string, server: string) {
    this.server = server;
    this.user = user;
    this._serialized = `${user}@${server}`;
  }

  isUser(): boolean {
    return this.server === 'c.us' || this.server === 'lid';
  }
  isLid(): boolean {
    return this.server === 'lid';
  }
  isGroup(): boolean {
    return this.server === 'g.us';
  }
  isBroadcast(): boolean {
    return this.server === 'broadcast';
  }
  isStatus(): boolean {
    return this._serialized === 'status@broadcast';
  }
  isNewsletter(): boolean {
    return this.server === 'newsletter';
  }
  toString(): string {
    return this._serialized;
  }
  toJid(): string {
    return this._serialized.replace('@c.us', '@s.whatsapp.net');
  }
  equals(other: Id): boolean {
    return textOf(other) === this._serialized;
  }
}

/** Parses an address; throws on anything that is none. */
export function createWid(from: Id): Wid {
  if (from instanceof Wid) return from;
  const [user, server] = textOf(from).replace('@s.whatsapp.net', '@c.us').split('@');
  if (!user || !server || !SERVERS.includes(server))
    throw new Error(`wid error: invalid wid ${textOf(from)}`);
  return new Wid(user.replace(/:\d+$/, ''), server); // a device number may stand behind the user
}

interface MsgKeyParts {
  id: string;
  from?: Wid | undefined;
  to?: Wid | undefined;
  participant?: Wid | undefined;
  selfDir?: 'in' | 'out';
  fromMe?: boolean;
  remote?: Wid;
}

/** A message's full id: whose it is, the chat, the bare id and, in a group, who wrote it. */
export class MsgKey {
  readonly fromMe: boolean;
  readonly remote: Wid;
  readonly id: string;
  declare readonly participant?: Wid;
  readonly _serialized: string;

  constructor({ from, to, id, participant, selfDir, fromMe, remote }: MsgKeyParts) {
    this.fromMe = fromMe ?? selfDir === 'out';
    const chat = remote ?? (this.fromMe ? to : from);
    if (!chat) throw new Error('a message key needs a chat');
    this.remote = chat;
    this.id = id;
    if (participant) this.participant = participant;
    const parts = [String(this.fromMe), chat._serialized, id];
    this._serialized = (participant ? [...parts, participant._serialized] : parts).join('_');
  }

  toString(): string {
    return this._serialized;
  }

  /** A fresh bare id in the form that WhatsApp Web gives its own. */
  static async newId(): Promise<string> {
    const random = [...crypto.getRandomValues(new Uint8Array(9))];
    return `3EB0${random
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()}`;
  }

  static fromString(text: string): MsgKey {
    const [fromMe, remote = '', id = '', participant] = text.split('_');
    return new MsgKey({
      fromMe: fromMe === 'true',
      remote: createWid(remote),
      id,
      participant: participant ? createWid(participant) : undefined,
    });
  }
}
