import type { CapStatus } from './engine.ts';
import type { ContactLimit } from './new-contacts.ts';

/** What a number's health is derived from. */
export interface HealthFacts {
  /** What keeps nobody new from being written to; null when nothing does. */
  limit: ContactLimit | null;
  /** WhatsApp's word for the kind of its timelock. */
  timelockKind: string | null;
  capStatus: CapStatus | null;
  checkpoint: string | null;
  /** WhatsApp takes no questions about who is there. */
  lookUpsPaused: boolean;
  /** Messages of the last 7 days, and those that were refused or not confirmed. */
  messages: number;
  notTaken: number;
  /** People of the last 7 days, and those among them who were new. */
  people: number;
  newPeople: number;
}

/** `good`: nothing is known against it. `watch`: it goes on, and something should change. `limited`: nobody new. */
export const HEALTH_LEVELS = ['good', 'watch', 'limited'] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

export interface HealthWords {
  level: HealthLevel;
  /** One sentence. */
  sentence: string;
  /** What to do; null where there is nothing. */
  todo: string | null;
}

/** Fewer than these say nothing about shares. */
const MESSAGES_MIN = 20;
const PEOPLE_MIN = 20;
/** Shares above which something is likely to be wrong: our guess, see `docs/health.md`. */
const NOT_TAKEN_SHARE = 0.1;
const NEW_PEOPLE_SHARE = 0.5;

/** A number's health in words, the worst first. */
export function healthWords(facts: HealthFacts): HealthWords {
  const limited = (sentence: string, todo: string): HealthWords => ({ level: 'limited', sentence, todo });
  const watch = (sentence: string, todo: string): HealthWords => ({ level: 'watch', sentence, todo });
  if (facts.limit === 'timelock')
    return limited(
      facts.timelockKind === 'WEB_COMPANION_ONLY'
        ? 'WhatsApp does not let this number start new conversations from here. The phone itself may.'
        : 'WhatsApp does not let this number start new conversations.',
      'Wait until it ends. Messages to people it knows still leave. Afterwards write to fewer new people, best to those who write first.',
    );
  if (facts.limit === 'cap')
    return limited(
      'WhatsApp’s cap for new conversations is used up.',
      'Wait for the next cycle. Messages to people it knows still leave.',
    );
  if (facts.limit === 'pause')
    return limited(
      'WhatsApp refused several first messages, so this number writes to nobody new for a while.',
      'Wait until the pause is over. Check whether the people you write to expect it.',
    );
  if (facts.checkpoint !== null)
    return watch(
      `WhatsApp asks for a check ${facts.checkpoint === 'PASSKEY' ? 'with a passkey ' : ''}of who uses this number. Messages still leave.`,
      'Open WhatsApp on the phone and do what it asks for there. Do not unlink the number: linking it again may demand the same check, which a server cannot pass.',
    );
  if (facts.lookUpsPaused)
    return watch(
      'WhatsApp does not answer who is on WhatsApp for now, because this number asked too often.',
      'Wait. People it knows can still be written to. Afterwards write to fewer new people at once.',
    );
  if (facts.capStatus === 'FIRST_WARNING' || facts.capStatus === 'SECOND_WARNING')
    return watch(
      'WhatsApp warns that its cap for new conversations is almost used up.',
      'Write to fewer new people until the next cycle.',
    );
  if (facts.messages >= MESSAGES_MIN && facts.notTaken / facts.messages > NOT_TAKEN_SHARE)
    return watch(
      'Many messages of the last 7 days were refused or not confirmed.',
      'Open its messages and read why. WhatsApp may restrict a number if this continues.',
    );
  if (facts.limit === 'budget')
    return watch(
      'It has written to as many new people as a protected number may in 24 hours.',
      'Nothing: the next one can be written to later. Messages to people it knows still leave.',
    );
  if (facts.people >= PEOPLE_MIN && facts.newPeople / facts.people > NEW_PEOPLE_SHARE)
    return watch(
      'Most of the people it wrote to in the last 7 days were new to it.',
      'Let people write first where you can: first messages to strangers are what WhatsApp restricts most.',
    );
  return { level: 'good', sentence: 'No restriction is known, and WhatsApp takes its messages.', todo: null };
}
