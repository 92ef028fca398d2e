import { holdAcks, releaseAcks } from './acks.ts';
import type { Msg } from './chats.ts';
import { waitForOfflineDeliveryEnd } from './offline-delivery.ts';
import type { PageRule, SentMessage } from './protocol.ts';
import { strike, takeRule } from './rules.ts';
import { call } from './wire.ts';

/** From an added message to the server's answer. */

export interface JobResult {
  t: number;
  /** The code with which the server refused it; null when it was accepted. */
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

/** In a group a stanza waits until the one before it was answered. */
const groupQueues = new Map<string, Promise<unknown>>();
/** A rule `after`/`throw` fails what comes after the job, whose result is known by then. */
const failsAfter = new WeakMap<Msg, PageRule>();

/** The job's module: callers go through it, so that a replaced member is called. */
export const WAWebSendMsgJob = { encryptAndSendMsg };

/** Rejects when nothing was written; resolves with the server's answer, for which it waits without end. */
async function encryptAndSendMsg({ data }: JobRequest, _reporters: unknown): Promise<JobResult> {
  await waitForOfflineDeliveryEnd();
  const rule = await strike(takeRule('wire', data.to));
  if (rule?.action === 'encrypt') throw new Error('encryption fail: no session for the recipient');
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
  const after = takeRule('after', message.to); // in the same turn as the answer, so that no later ack slips through
  if (after?.action === 'throw') failsAfter.set(message, after);
  else if (after) await holdBack(message, after);
  const { atSeconds: t, error } = answer;
  return { t, error, phash: null, refreshLid: false, addressingMode: null, count: 1, sync: null };
}

async function holdBack(message: Msg, rule: PageRule): Promise<void> {
  const key = String(message.id);
  holdAcks(key);
  try {
    await strike(rule);
  } finally {
    void releaseAcks(key);
  }
}

/** Carries out a rule that fails what comes after the job. */
export async function strikeAfterJob(message: Msg): Promise<void> {
  const rule = failsAfter.get(message);
  failsAfter.delete(message);
  await strike(rule);
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
