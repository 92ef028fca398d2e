import { Chats, Msg, Msgs, saveMessage } from './chats.ts';
import { findOrCreateLatestChat, queryWidExists } from './find-chat.ts';
import { MsgKey } from './ids.ts';
import { me } from './state.ts';
import { createWid } from './wid.ts';
import { onFrame } from './wire.ts';

/** Incoming data: acknowledgements of our messages, and messages of other people. */

/** Acks that the page withholds for now: the latest of each message, by full ID. */
const held = new Map<string, number>();

export const holdAcks = (key: string): Map<string, number> => held.set(key, 0);

export async function releaseAcks(key: string): Promise<void> {
  const ack = held.get(key) ?? 0;
  held.delete(key);
  if (ack > 0) await note(key, ack);
}

export function listenForMessages(): void {
  onFrame('ack', ({ key, ack }) => {
    if (held.has(key)) held.set(key, ack);
    else void note(key, ack);
  });
  onFrame('message', async ({ id, from, body, atSeconds }) => {
    const sender = createWid(from);
    if (!Chats.get(sender)) await queryWidExists(sender);
    const found = await findOrCreateLatestChat(sender);
    if (!found) return;
    const { chat } = found;
    const key = new MsgKey({ fromMe: false, remote: chat.id, id });
    const attributes = {
      id: key,
      ack: 1,
      body,
      from: chat.id,
      to: me.pn,
      t: atSeconds,
      type: 'chat',
      isNewMsg: true,
    };
    const message = Msgs.add(new Msg(attributes));
    chat.msgs.add(message);
    await saveMessage(message);
    chat.set({ unreadCount: chat.unreadCount + 1, lastReceivedKey: key, t: atSeconds });
  });
}

/** Records an ack that is higher than the known one. */
async function note(key: string, ack: number): Promise<void> {
  const [found] = (await Msgs.getMessagesById([key])).messages;
  if (!found || found.ack >= ack) return;
  const message = Msgs.add(found, { silent: true });
  message.set({ ack });
  await saveMessage(message);
}
