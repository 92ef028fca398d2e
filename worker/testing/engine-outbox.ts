import type { Outgoing } from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { SeenDraft } from '#worker/engine/drafts/draft.ts';
import { DRAFTS } from '#worker/engine/drafts/index.ts';
import { Outbox } from '#worker/engine/outbox.ts';
import { outgoing } from './engine-message.ts';

/** The message as a page builds it that has not changed. */
export const rightDraft = ({ waMessageId, content }: Outgoing): SeenDraft => {
  const { type, needs } = DRAFTS[content.type];
  return { type, id: waMessageId, names: [...needs] };
};

export const LIMIT_MS = 60;

/** An outbox with the test in place of the page, and the outbox's reports. */
export function outbox(mayDispatch: (id: string) => Promise<boolean> = async () => true) {
  const acks: [string, number, number | null][] = [];
  const failures = new Map<string, SendError>();
  const waitingFiles: string[] = [];
  const silentJobs: boolean[] = [];
  const box = new Outbox({
    mayDispatch,
    askMs: 40,
    ack: (id, ack, code) => acks.push([id, ack, code]),
    notSent: (id, failure) => failures.set(id, failure),
    onFileWaits: (id) => waitingFiles.push(id),
    onJobSilent: (asked) => silentJobs.push(asked),
  });
  /** Dispatches a message, and the page accepts it. */
  const taken = async (one = message()) => {
    await box.dispatch(one, LIMIT_MS, () => box.openGate(one.waMessageId, rightDraft(one)));
    return one.waMessageId;
  };
  return { box, acks, failures, waitingFiles, silentJobs, taken };
}
export const message = () => outgoing('491700000002@c.us', { type: 'text', body: 'x' });
export const never = new Promise<never>(() => {});

export async function failureOf(work: Promise<void>): Promise<Pick<SendError, 'certain' | 'reason'>> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof SendError)) throw new Error(`no SendError but ${String(failure)}`);
  return { certain: failure.certain, reason: failure.reason };
}
