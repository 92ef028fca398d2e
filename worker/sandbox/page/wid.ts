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

/** Parses an address. Throws if the text is not one. */
export function createWid(from: Id): Wid {
  if (from instanceof Wid) return from;
  const [user, server] = textOf(from).replace('@s.whatsapp.net', '@c.us').split('@');
  if (!user || !server || !SERVERS.includes(server))
    throw new Error(`wid error: invalid wid ${textOf(from)}`);
  return new Wid(user.replace(/:\d+$/, ''), server); // the user may be followed by a device number
}
