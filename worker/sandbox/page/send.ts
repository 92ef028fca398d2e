import { type Chat, Msg, Msgs, saveMessage } from './chats.ts';
import { waitForMembers } from './groups.ts';
import { MsgKey } from './ids.ts';
import { alternateOf } from './lids.ts';
import { applyRule, takeRule } from './rules.ts';
import { applyRuleAfterJob, type JobResult, resultOf, WAWebSendMsgJob } from './send-job.ts';

export interface SendResult {
  messageSendResult: 'OK' | 'ERROR_NETWORK' | 'ERROR_UNKNOWN';
  t: number;
  count: number;
}

/** The attributes of a new message, from whatsapp-web.js. */
type Draft = ConstructorParameters<typeof Msg>[0] & { id: MsgKey };

/** The group's addressing is outdated: the page fetches the group again and sends once more. */
const STALE_GROUP = 421;
/** The only code that the page records on the message. */
const MONTHLY_CAP = 475;
const MONTHLY_CAP_WORD = 'UserReachedMaxMonthlyLimitForNewMessages';

/**
 * Returns two promises, as the real page does: added to its chat, and sent. The second rejects for a blocked
 * contact, but not if the server refuses the message or the message fails on its way to the server.
 */
export function addAndSendMsgToChat(chat: Chat, draft: Draft): [Promise<Msg>, Promise<SendResult>] {
  const added = applyRule(takeRule('call', chat.id)).then(() => add(chat, draft));
  const sent = added.then(transmit);
  sent.catch((error) => console.error('not sent', error));
  return [added, sent];
}

async function add(chat: Chat, draft: Draft): Promise<Msg> {
  const rule = await applyRule(takeRule('add', chat.id));
  const message = new Msg(rule?.action === 'rekey' ? { ...draft, id: otherKey(draft.id) } : draft);
  Msgs.add(message);
  chat.msgs.add(message);
  chat.set({ t: message.t, lastReceivedKey: message.id });
  await saveMessage(message);
  if ('mediaKey' in message) message.set({ isUnsentMedia: false });
  return message;
}

/** Seen in the field: the message gets another full ID than the library expects. */
function otherKey({ remote, id }: MsgKey): MsgKey {
  return new MsgKey({ fromMe: true, remote: alternateOf(remote) ?? remote, id });
}

/** Sends an added message to the server and stores the answer. */
export async function transmit(message: Msg): Promise<SendResult> {
  const rule = await applyRule(takeRule('job', message.to));
  if (rule?.action === 'blocked') throw new Error('Contact is blocked');
  if (message.to.isGroup()) await waitForMembers(message.to);
  const result = await runJob(message).catch((error: unknown) => {
    console.error('not sent', error);
    return null;
  });
  if (result?.error !== null) {
    await noteFailure(message, result);
    return { messageSendResult: 'ERROR_UNKNOWN', t: message.t, count: 1 };
  }
  await applyRuleAfterJob(message);
  if (message.ack < 1) {
    message.set({ ack: 1 });
    await saveMessage(message);
  }
  return { messageSendResult: 'OK', t: result.t, count: 1 };
}

async function runJob(message: Msg): Promise<JobResult> {
  const run = async () => {
    const result = await WAWebSendMsgJob.encryptAndSendMsg({ type: 'Msg', data: message }, {});
    return resultOf(message) ?? result;
  };
  const result = await run();
  return result.error === STALE_GROUP && message.to.isGroup() ? run() : result;
}

/** `result` is null if nothing was written: the ack stays 0, and only the flag shows the failure. */
async function noteFailure(message: Msg, result: JobResult | null): Promise<void> {
  const refused = result ? { ack: -1 } : {};
  const word = result?.error === MONTHLY_CAP ? { errorCode: MONTHLY_CAP_WORD } : {};
  message.set({ ...refused, ...word, isSendFailure: true });
  await saveMessage(message);
}
