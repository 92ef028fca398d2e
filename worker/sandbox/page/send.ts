import { holdAcks, releaseAcks } from './acks.ts';
import { type Chat, Msg, Msgs, saveMessage } from './chats.ts';
import { MsgKey } from './ids.ts';
import { alternateOf } from './lids.ts';
import type { SentMessage } from './protocol.ts';
import { strike, takeRule } from './rules.ts';
import { call } from './wire.ts';

export interface SendResult {
  messageSendResult: 'OK' | 'ERROR_UNKNOWN';
  t: number;
  count: number;
}

/** What whatsapp-web.js hands over: the attributes of a message to be. */
type Draft = ConstructorParameters<typeof Msg>[0] & { id: MsgKey };

/** Two promises, as in the real page: the message was added to its chat; the server has answered. */
export function addAndSendMsgToChat(chat: Chat, draft: Draft): [Promise<Msg>, Promise<SendResult>] {
  const added = strike(takeRule('call', chat.id)).then(() => add(chat, draft));
  const sent = added.then(transmit);
  sent.catch((error) => console.error('not sent', error));
  return [added, sent];
}

async function add(chat: Chat, draft: Draft): Promise<Msg> {
  const rule = await strike(takeRule('add', chat.id));
  const message = new Msg(rule?.action === 'rekey' ? { ...draft, id: otherKey(draft.id) } : draft);
  Msgs.add(message);
  chat.msgs.add(message);
  chat.set({ t: message.t, lastReceivedKey: message.id });
  await saveMessage(message);
  if ('mediaKey' in message) message.set({ isUnsentMedia: false });
  return message;
}

/** Seen in the field: the message ends up under another full id than the library looks for. */
function otherKey({ remote, id }: MsgKey): MsgKey {
  return new MsgKey({ fromMe: true, remote: alternateOf(remote) ?? remote, id });
}

/** Brings an added message to the server and notes its answer. */
export async function transmit(message: Msg): Promise<SendResult> {
  const { to } = message;
  await strike(takeRule('wire', to));
  const answer = await call('send', payloadOf(message));
  const after = takeRule('after', to); // in the same turn as the answer, so that no later ack slips through
  if (after) holdAcks(String(message.id));
  try {
    await strike(after);
  } finally {
    if (after) void releaseAcks(String(message.id));
  }
  if (answer.ack === -1) {
    message.set({ ack: -1, isSendFailure: true });
    await saveMessage(message);
    return { messageSendResult: 'ERROR_UNKNOWN', t: message.t, count: 1 };
  }
  if (message.ack < 1) {
    message.set({ ack: 1, t: answer.atSeconds });
    await saveMessage(message);
  }
  return { messageSendResult: 'OK', t: answer.atSeconds, count: 1 };
}

/** What leaves the page of a message: what its kind carries, nothing else. */
function payloadOf(message: Msg): SentMessage {
  const attributes = message as unknown as Record<string, unknown>;
  const text = (name: string) => {
    const value = attributes[name];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  const place = {
    latitude: Number(attributes.lat),
    longitude: Number(attributes.lng),
    place: String(attributes.loc ?? ''),
  };
  return {
    id: message.id.id,
    key: String(message.id),
    to: String(message.to),
    type: message.type,
    ...text('body'),
    ...text('caption'),
    ...text('mimetype'),
    ...text('filename'),
    ...text('filehash'),
    ...(message.type === 'location' ? place : {}),
    ...(attributes.preview === true ? { linkPreview: String(attributes.title) } : {}),
  };
}
