import { z } from 'zod';
import { FileProblem, sayFileProblem } from './file-problem.ts';
import { Cause } from './number/cause.ts';
import { sayCause } from './number/say.ts';
import { OUTCOMES, type OutcomeCode } from './outcomes.ts';
import { refusalSentence, SEND_FAILURES } from './send-failures.ts';

/** Sentences of `outcomes.ts` that name nothing, by their key within their code. */
const PLAIN = [
  ...(Object.keys(SEND_FAILURES) as (keyof typeof SEND_FAILURES)[]),
  ...(['suspended', 'async', 'moved', 'restored', 'person', 'group', 'notStored', 'lookUps'] as const),
  ...(['unconfirmed', 'lost', 'restoredWaiting', 'restoredScheduled', 'movedSending'] as const),
  ...([
    'restoredSending',
    'ended',
    'excess',
    'number',
    'account',
    'unlinked',
    'inQueue',
    'setAside',
  ] as const),
] as const;

/**
 * Why a message ended, beside its code: the key of its sentence and what that sentence names. Null for a code that has
 * only one sentence.
 */
export const OutcomeFact = z.discriminatedUnion('say', [
  z.object({ say: z.enum(PLAIN) }),
  /** No slot within so many seconds. */
  z.object({ say: z.literal('sync'), seconds: z.number() }),
  /** By WhatsApp's server. `code`: the reason it gave. */
  z.object({ say: z.literal('refused'), code: z.number().nullable(), toGroup: z.boolean() }),
  /** `label`: the number whose phone was replaced. */
  z.object({ say: z.literal('replaced'), label: z.string() }),
  /** Its number's state. */
  z.object({ say: z.literal('cause'), cause: Cause }),
  /** What is wrong with its file. */
  z.object({ say: z.literal('file'), file: FileProblem }),
  /** A refused address of a file, or a sentence of an earlier version. It is only shown. */
  z.object({ say: z.literal('detail'), detail: z.string() }),
]);
export type OutcomeFact = z.infer<typeof OutcomeFact>;

/** A message's code and fact. */
export interface MessageOutcome<Code extends OutcomeCode = OutcomeCode> {
  errorCode: Code;
  outcome?: OutcomeFact | null;
}

type Says<Code extends OutcomeCode> = (typeof OUTCOMES)[Code] extends { says: infer Given } ? Given : never;

/** The outcome with the sentence `say` of this code. */
export function because<Code extends OutcomeCode>(
  errorCode: Code,
  say: keyof Says<Code> & (typeof PLAIN)[number],
): MessageOutcome<Code> & { outcome: OutcomeFact } {
  return { errorCode, outcome: { say } };
}

/** A message's outcome as a sentence for its sender. Null for one that only a later version knows. */
export function sayOutcome(
  { errorCode, outcome = null }: MessageOutcome,
  settings: { timeZone: string },
): string | null {
  switch (outcome?.say) {
    case 'sync':
      return OUTCOMES.deadline_passed.says.sync(outcome.seconds);
    case 'refused':
      return refusalSentence(outcome.code, outcome);
    case 'replaced':
      return OUTCOMES.unlinked.says.replaced(outcome.label);
    case 'cause':
      return sayCause(outcome.cause, settings);
    case 'file':
      return sayFileProblem(outcome.file);
    case 'detail':
      return outcome.detail;
    default: {
      const says: unknown = 'says' in OUTCOMES[errorCode] ? OUTCOMES[errorCode].says : null;
      if (!outcome) return typeof says === 'string' ? says : null;
      // Failures that are an outcome of their own, such as a file that is too large, have their sentences there.
      const all: Partial<Record<string, unknown>> = { ...SEND_FAILURES, ...(says as object | null) };
      const sentence = all[outcome.say];
      return typeof sentence === 'string' ? sentence : null;
    }
  }
}

/** A fact as it is stored. */
export const storedOutcome = (fact: OutcomeFact | null = null) => fact && JSON.stringify(fact);

/** A stored fact. Null without one, or for one that only a later version knows. */
export function parseOutcome(stored: unknown): OutcomeFact | null {
  return OutcomeFact.safeParse(stored).data ?? null;
}
