import { holdAcks, releaseAcks } from './acks.ts';
import type { Msg } from './chats.ts';
import { knownMembers } from './groups.ts';
import { isMe } from './ids.ts';
import { requireEntry } from './media.ts';
import { waitForOfflineDeliveryEnd } from './offline-delivery.ts';
import type { PageRule, SentMessage } from './protocol.ts';
import { applyRule, takeRule } from './rules.ts';
import { config } from './state.ts';
import { call } from './wire.ts';

/** The job that sends an added message and waits for the server's answer. */

export interface JobResult {
  t: number;
  /** The code with which the server refused the message; null if it was accepted. */
  error: number | null;
  phash: string | null;
  refreshLid: boolean;
  addressingMode: string | null;
  count: number;
  sync: string | null;
}

interface JobRequest {
  type: string;
  data: Msg;
}

const WITH_FILE = ['image', 'video', 'audio', 'ptt', 'document'];

/** In a group, a stanza waits until the previous one was answered. */
const groupQueues = new Map<string, Promise<unknown>>();
/** A rule `after`/`throw` fails the steps after the job, whose result is known by then. */
const failsAfter = new WeakMap<Msg, PageRule>();
/** The latest result of each message's job. Builds can return it to callers in another form. */
const results = new WeakMap<Msg, JobResult>();
export const resultOf = (message: Msg): JobResult | undefined => results.get(message);

/** The job's module. Callers use it, so that a replaced member is called. */
export const WAWebSendMsgJob = { encryptAndSendMsg };

/** Rejects if nothing was written. Otherwise waits, without a time limit, for the server's answer. */
async function encryptAndSendMsg({ data }: JobRequest, _reporters: unknown): Promise<JobResult> {
  await waitForOfflineDeliveryEnd();
  const rule = await applyRule(takeRule('wire', data.to));
  if (rule?.action === 'encrypt') throw new Error('encryption fail: no session for the recipient');
  if (!config.ownPhoneKeys && isMe(data.to)) throw new Error('encryptMsgProtobuf: encryption fail');
  if (!config.ownPhoneKeys && data.to.isGroup())
    throw new Error('getKeyDistributionMsg: encryption fail for primary device');
  return keyedMutex(data, () => write(data));
}

function keyedMutex(message: Msg, work: () => Promise<JobResult>): Promise<JobResult> {
  if (!message.to.isGroup()) return work();
  const group = String(message.to);
  const turn = (groupQueues.get(group) ?? Promise.resolve()).then(work);
  const answered = turn.catch(() => {});
  groupQueues.set(group, answered);
  return turn;
}

async function write(message: Msg): Promise<JobResult> {
  const answer = await call('send', payloadOf(message));
  const after = takeRule('after', message.to); // synchronously after the answer, so that no later ack gets through
  if (after?.action === 'throw') failsAfter.set(message, after);
  else if (after) await holdBack(message, after);
  const { atSeconds: t, error } = answer;
  const result = { t, error, phash: null, refreshLid: false, addressingMode: null, count: 1, sync: null };
  results.set(message, result);
  return result;
}

async function holdBack(message: Msg, rule: PageRule): Promise<void> {
  const key = String(message.id);
  holdAcks(key);
  try {
    await applyRule(rule);
  } finally {
    void releaseAcks(key);
  }
}

/** Applies a rule that fails the steps after the job. */
export async function applyRuleAfterJob(message: Msg): Promise<void> {
  const rule = failsAfter.get(message);
  failsAfter.delete(message);
  await applyRule(rule);
}

/** The message as it leaves the page, with only the fields of its kind. */
function payloadOf(message: Msg): SentMessage {
  const attributes = message as unknown as Record<string, unknown>;
  if (WITH_FILE.includes(message.type)) requireEntry(attributes);
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
    ...(message.to.isGroup() ? { members: knownMembers(message.to) } : {}),
    ...(attributes.preview === true ? { linkPreview: String(attributes.title) } : {}),
  };
}
