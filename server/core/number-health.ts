import type { CapStatus } from './engine.ts';
import type { ContactLimit } from './new-contacts.ts';

export interface HealthFacts {
  /** What forbids new contacts; null if they are allowed. */
  limit: ContactLimit | null;
  /** WhatsApp's word for the kind of its timelock. */
  timelockKind: string | null;
  capStatus: CapStatus | null;
  checkpoint: string | null;
  /** WhatsApp answers no look-ups. */
  lookUpsPaused: boolean;
  /** Messages of the last 7 days, and those that were refused or not confirmed. */
  messages: number;
  notTaken: number;
  /** People of the last 7 days, and those among them who were new. */
  people: number;
  newPeople: number;
}

/**
 * `good`: no known problem. `watch`: it sends, but something should change. `limited`: it cannot contact new
 * people.
 */
export const HEALTH_LEVELS = ['good', 'watch', 'limited'] as const;
export type HealthLevel = (typeof HEALTH_LEVELS)[number];

export interface HealthWords {
  level: HealthLevel;
  sentence: string;
  /** What to do; null if there is nothing to do. */
  todo: string | null;
}

/** Below these, shares mean nothing. */
const MESSAGES_MIN = 20;
const PEOPLE_MIN = 20;
/** Shares above which something is probably wrong: our estimate, see `docs/health.md`. */
const NOT_TAKEN_SHARE = 0.1;
const NEW_PEOPLE_SHARE = 0.5;

/** What to do about a check of who uses a number. */
export const CHECK_TODO =
  'Open WhatsApp on the phone and do what it asks. Do not unlink the number: linking it again may require the same check, which a server cannot pass.';

/** A number's health in words, the worst first. */
export function healthWords(facts: HealthFacts): HealthWords {
  const limited = (sentence: string, todo: string): HealthWords => ({ level: 'limited', sentence, todo });
  const watch = (sentence: string, todo: string): HealthWords => ({ level: 'watch', sentence, todo });
  if (facts.limit === 'timelock')
    return limited(
      facts.timelockKind === 'WEB_COMPANION_ONLY'
        ? 'WhatsApp does not let this number start new conversations from here. The phone itself can.'
        : 'WhatsApp does not let this number start new conversations.',
      'Wait until it ends. Messages to known people are still sent. Afterwards contact fewer new people, ideally those who write to you first.',
    );
  if (facts.limit === 'cap')
    return limited(
      'WhatsApp’s cap for new conversations is used up.',
      'Wait for the next cycle. Messages to known people are still sent.',
    );
  if (facts.limit === 'pause')
    return limited(
      'WhatsApp refused several first messages, so this number cannot contact new people for a while.',
      'Wait until the pause ends. Check whether the recipients expect your messages.',
    );
  if (facts.checkpoint !== null)
    return watch(
      `WhatsApp asks for a check ${facts.checkpoint === 'PASSKEY' ? 'with a passkey ' : ''}of who uses this number. Messages are still sent.`,
      CHECK_TODO,
    );
  if (facts.lookUpsPaused)
    return watch(
      'WhatsApp does not let this number look up recipients for now, because it did so too often.',
      'Wait. Known people can still be contacted. Afterwards contact fewer new people at once.',
    );
  if (facts.capStatus === 'FIRST_WARNING' || facts.capStatus === 'SECOND_WARNING')
    return watch(
      'WhatsApp warns that its cap for new conversations is almost used up.',
      'Contact fewer new people until the next cycle.',
    );
  if (facts.messages >= MESSAGES_MIN && facts.notTaken / facts.messages > NOT_TAKEN_SHARE)
    return watch(
      'Many messages of the last 7 days were refused or not confirmed.',
      'Open its messages and read why. WhatsApp may restrict a number if this continues.',
    );
  if (facts.limit === 'budget')
    return watch(
      'It has contacted as many new people as a protected number may in 24 hours.',
      'Nothing: the next one can be contacted later. Messages to known people are still sent.',
    );
  if (facts.people >= PEOPLE_MIN && facts.newPeople / facts.people > NEW_PEOPLE_SHARE)
    return watch(
      'Most of the people it contacted in the last 7 days were new to it.',
      'Let people write first where you can: first messages to new people are what WhatsApp restricts most.',
    );
  return {
    level: 'good',
    sentence:
      facts.messages === 0
        ? 'No restriction is known.'
        : 'No restriction is known, and WhatsApp accepts its messages.',
    todo: null,
  };
}
