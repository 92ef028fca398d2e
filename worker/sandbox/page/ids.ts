import { type Id, textOf } from './models.ts';
import { config, me } from './state.ts';
import { createWid, Wid } from './wid.ts';

/** Made either from sender and receiver, which decide who wrote it, or from its own parts. */
type MsgKeyParts = { id: string; participant?: Wid | undefined } & (
  | { from: Wid; to: Wid; selfDir?: 'in' | 'out'; fromMe?: undefined; remote?: undefined }
  | { fromMe: boolean; remote: Wid; selfDir?: 'in' | 'out'; from?: undefined; to?: undefined }
);

/**
 * A message's full ID: whether it is ours, the chat, the bare ID and, in a group, the author. In the chat with oneself it
 * ends with the direction. The property with its text is `_serialized` or `$1`, depending on the build.
 */
export class MsgKey {
  readonly fromMe: boolean;
  readonly remote: Wid;
  readonly id: string;
  declare readonly self?: 'in' | 'out';
  declare readonly participant?: Wid;

  constructor({ from, to, id, participant, selfDir, fromMe, remote }: MsgKeyParts) {
    const ends = from !== undefined || to !== undefined;
    if (ends === (remote !== undefined || fromMe !== undefined))
      throw new Error('MsgKey error: needs from and to, or fromMe and remote');
    for (const wid of ends ? [from, to] : [remote])
      if (!(wid instanceof Wid)) throw new Error('MsgKey error: not a wid');
    if (participant !== undefined && !(participant instanceof Wid))
      throw new Error('MsgKey error: the participant is not a wid');
    const chat = remote ?? (isMe(from) ? to : from);
    if (!chat) throw new Error('MsgKey error: no chat');
    const withOneself = from === undefined ? isMe(chat) : isMe(from) && to?.equals(from) === true;
    const self = withOneself ? selfDir : undefined;
    this.fromMe = fromMe ?? (self === undefined ? isMe(from) : self === 'out');
    this.remote = chat;
    this.id = id;
    if (self !== undefined) this.self = self;
    if (participant) this.participant = participant;
    const text = [String(this.fromMe), chat, id, this.self, participant].filter((part) => part !== undefined);
    Object.assign(this, { [config.keyField]: text.join('_') });
  }

  toString(): string {
    return storedText(this);
  }

  equals(other: Id): boolean {
    return textOf(other) === this.toString();
  }

  /** A new bare ID in WhatsApp Web's form. */
  static async newId(): Promise<string> {
    const random = [...crypto.getRandomValues(new Uint8Array(9))];
    return `3EB0${random
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()}`;
  }

  static fromString(text: string): MsgKey {
    const [fromMe, remote = '', id = '', ...rest] = text.split('_');
    const selfDir = rest.find((part) => part === 'in' || part === 'out');
    const participant = rest.find((part) => part.includes('@'));
    return new MsgKey({
      fromMe: fromMe === 'true',
      remote: createWid(remote),
      id,
      ...(selfDir && { selfDir }),
      ...(participant && { participant: createWid(participant) }),
    });
  }
}

/** The text in a key's own property, which the database also uses, even if a broken build changes `toString`. */
export const storedText = (key: MsgKey): string =>
  (key as unknown as Record<string, string>)[config.keyField] ?? '';

/** Is this the account's own number or LID? */
export const isMe = (wid: Wid | undefined): boolean =>
  wid !== undefined && [me.pn, me.lid].some((mine) => mine?.equals(wid));
