import { Chat, Chats, Msg, Msgs } from './chats.ts';
import { put } from './database.ts';
import { groupChat } from './groups.ts';
import { isMe, MsgKey } from './ids.ts';
import { alternateOf, learn } from './lids.ts';
import { textOf } from './models.ts';
import { applyRule, takeRule } from './rules.ts';
import { config } from './state.ts';
import { createWid, type Wid } from './wid.ts';
import { call } from './wire.ts';

interface ExistsAnswer {
  wid: Wid;
  biz: boolean;
  bizInfo: undefined;
  isUsernameSearch: boolean;
}

/**
 * Is this person on WhatsApp? Null if not. The answer does not contain their LID, but the page remembers it.
 */
export async function queryWidExists(wid: Wid): Promise<ExistsAnswer | null> {
  const rule = await applyRule(takeRule('exists', wid));
  const found = await call('exists', { wid: textOf(wid) });
  if (!found) return null;
  const isHidden = rule?.action === 'hidden';
  if (!isHidden) await learn(found.pn, found.lid);
  return {
    wid: createWid(isHidden ? found.lid : found.pn),
    biz: false,
    bizInfo: undefined,
    isUsernameSearch: false,
  };
}

/** Whether private chats use the LID, so that a person without a known LID cannot get a message. */
export const isLidMigrated = (): boolean => config.lidChats;

const knownChat = (wid: Wid): Chat | undefined => Chats.get(wid) ?? Chats.get(alternateOf(wid));

export async function findExistingChat(wid: Wid): Promise<Chat | undefined> {
  return knownChat(wid);
}

/** A new chat with oneself begins with a notice, which has no acknowledgement. */
async function addNotice(to: Wid): Promise<void> {
  const id = new MsgKey({ from: to, to, id: await MsgKey.newId(), selfDir: 'out' });
  Msgs.add(new Msg({ id, from: to, to, type: 'e2e_notification' }), { silent: true });
}

/** A chat with a person or group. An unknown person is looked up; a foreign group gets a chat too. */
export async function findOrCreateLatestChat(
  wid: Wid,
): Promise<{ chat: Chat; created: boolean } | undefined> {
  const known = knownChat(wid);
  if (known) return { chat: known, created: false };
  if (wid.isGroup()) return { chat: groupChat(wid), created: true };
  if (!wid.isLid() && !alternateOf(wid)) {
    if (isLidMigrated()) throw new Error('No LID for user');
    if (!(await queryWidExists(wid))) return undefined;
  }
  const lid = wid.isLid() ? wid : alternateOf(wid);
  const id = config.lidChats && lid ? lid : wid;
  const t = Math.floor(Date.now() / 1000);
  const chat = new Chat({ id, formattedTitle: `+${wid.user}`, t });
  await put('chats', textOf(id), { id: textOf(id), formattedTitle: chat.formattedTitle, t });
  if (isMe(wid)) await addNotice(id);
  return { chat: Chats.add(chat), created: true };
}
