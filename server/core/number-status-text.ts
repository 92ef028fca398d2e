import type { Access } from './access.ts';
import { type FailingKinds, failingSentence } from './failing-kinds.ts';
import type { Cause, SessionStop } from './number/cause.ts';
import { endsLink } from './number/ends-link.ts';
import {
  NUMBER_NAMES,
  type NumberSign,
  type SendConditions,
  type Stop,
  signOf,
  stopOf,
} from './number-sign.ts';
import { type Network, type NumberStatus, retryAfterSeconds } from './number-state.ts';
import { intervalMs, intervalText, longestIntervalSeconds, type SendPace } from './pacing/interval.ts';

/** Everything that decides what a number does with a message. */
export interface NumberFacts extends SendPace {
  /** The state that readers see (`shownStatus`). */
  status: NumberStatus;
  cause: Cause | null;
  /** The cause as a sentence, or the administrator's words for a suspension. */
  statusReason: string | null;
  /** Its session is on a server that does not answer. */
  stranded: boolean;
  /** Why its session is stopped on purpose. */
  sessionStop: SessionStop | null;
  /** Held by its owner. */
  held: boolean;
  access: Access;
  network?: Network;
  phoneNumber: string | null;
  /** Digits of the phone that is to be linked instead. The reason then says what to do. */
  replacementPhone?: string | null;
  /**
   * Waiting messages; how many of them need a decision, wait until new contacts are allowed, or are scheduled for
   * later.
   */
  waiting: number;
  toDecide: number;
  keptBack: number;
  scheduled: number;
  /** WhatsApp, or the pause after its refusals, allows no new contacts now. Known contacts still get messages. */
  closedToNew: boolean;
  /** Kinds of messages that cannot be sent on its build of WhatsApp Web; null if none fails. */
  failing: FailingKinds | null;
}

/** What each state means. */
export const STATE_MEANINGS: Record<NumberStatus, string> = {
  UNLINKED: 'No phone is linked to this number.',
  LINKING: 'A code is shown for linking.',
  SYNCING: 'Linked. WhatsApp is loading the chats, which can take a few minutes.',
  CONNECTED: 'Linked and connected.',
  RECONNECTING: 'The connection was lost. It is reconnecting automatically.',
  LOGGED_OUT: 'The phone is no longer linked.',
  CONFLICT: 'The session is open in another place.',
  BLOCKED: 'WhatsApp has blocked this number.',
  SUSPENDED: 'The administrator suspended this number.',
};

/** What members can do about a state; null if there is nothing to do. */
const STATE_TODOS: Record<NumberStatus, string | null> = {
  UNLINKED: 'Link it.',
  LINKING: 'Scan it with the phone that has this number.',
  SYNCING: null,
  CONNECTED: null,
  RECONNECTING: null,
  LOGGED_OUT: 'Link it again.',
  CONFLICT: 'Choose “Use here” to disconnect the other session.',
  BLOCKED: 'Wait before you try again. If you try too soon, the wait gets longer.',
  SUSPENDED: 'Ask the administrator to resume it.',
};

type QueueFacts = Pick<NumberFacts, 'waiting' | 'toDecide' | 'keptBack' | 'scheduled' | 'closedToNew'>;

const CLOSED_TO_NEW = ' New people cannot be contacted at the moment. Health shows why and until when.';

/** How many of the waiting messages will be sent at the number's interval. */
export function movingOf({ waiting, toDecide, keptBack, scheduled }: QueueFacts): number {
  return waiting - toDecide - keptBack - scheduled;
}

/** What happens to a new message: when it is sent, or how it is refused. */
export function newMessagesSentence(number: SendConditions & SendPace & QueueFacts): string {
  switch (stopOf(number)) {
    case null: {
      const pace =
        movingOf(number) > 0
          ? `Messages are sent every ${intervalText(number)} seconds.`
          : `A new message is sent within ${longestIntervalSeconds(number)} seconds.`;
      return number.closedToNew ? pace + CLOSED_TO_NEW : pace;
    }
    default:
      return refusedMessagesSentence(number);
  }
}

/** As {@link newMessagesSentence}, without the seconds of the interval. */
export function refusedMessagesSentence(number: SendConditions): string {
  const { access, status } = number;
  switch (stopOf(number)) {
    case 'access':
      return `Requests are refused (402) ${UNTIL_ACCESS[access]}`;
    case 'status':
      return retryAfterSeconds(number) === null
        ? `New messages are refused (409) until it is ${status === 'SUSPENDED' ? 'resumed' : 'connected'}.`
        : 'New messages are refused (409 with Retry-After) until it is connected.';
    case 'held':
      return 'New messages are refused (409) until it is released. Messages sent with “Prefer: respond-async” are accepted and wait.';
    case null:
      return 'New messages are sent at its interval.';
  }
}

const UNTIL_ACCESS: Record<Access, string> = {
  ok: '',
  none: 'until the administrator enables a plan.',
  expired: 'and nothing is sent until the plan is active again.',
  ended: 'and nothing is sent until the plan is active again.',
  suspended: 'and nothing is sent until the account is resumed.',
  excess: 'and nothing is sent until an owner keeps this number active or the plan is extended.',
};

/** Times as text, in the form of the page that shows them. */
export interface StatusTextTimes {
  /** The time since its state began. */
  since: string;
  /** The time until its queue is empty. */
  emptyIn: string;
  /** The time until the first message to a new contact may be sent. */
  keptIn: string;
}

/** The texts about a number, the same everywhere. */
export interface NumberStatusText {
  sign: NumberSign;
  /** The sign in a word or two. */
  name: string;
  stop: Stop | null;
  /** The state, what to do, and what happens to new messages. */
  sentence: string;
  /** What happens to new messages. */
  requests: string;
  /** The waiting messages, and what they wait for. */
  queue: string;
  /** The same in a few words. */
  waiting: string;
}

const messagesWait = (count: number) => (count === 1 ? '1 message waits' : `${count} messages wait`);

export function numberStatusText(number: NumberFacts, times: StatusTextTimes): NumberStatusText {
  const sign = signOf(number);
  const requests = newMessagesSentence(number);
  return {
    sign,
    name: NUMBER_NAMES[sign],
    stop: stopOf(number),
    sentence: [stateSentence(number, times), kindsSentence(number), decideSentence(number), requests]
      .filter(Boolean)
      .join(' '),
    requests,
    queue: queueSentence(number, times),
    waiting: waitingText(number, times),
  };
}

function stateSentence(number: NumberFacts, { since }: StatusTextTimes): string {
  const { status, statusReason, cause } = number;
  if (number.sessionStop && statusReason) return statusReason;
  if (number.stranded && statusReason) return `${statusReason} It has waited for ${since}.`;
  if (status === 'CONNECTED') {
    if (number.access === 'ok' && number.held) return 'On hold. It stays linked but sends nothing.';
    return `${number.access === 'ok' ? 'Connected' : 'Linked'} for ${since}.`;
  }
  if (status === 'UNLINKED')
    return number.phoneNumber === null
      ? `No phone has been linked yet.${firstLinkTodo(number)}`
      : [
          'No phone is linked right now.',
          cause?.code !== 'unlinked' && statusReason,
          !number.replacementPhone && number.access === 'ok' && 'Link it again to continue.',
        ]
          .filter(Boolean)
          .join(' ');
  // Its reason says what to do.
  const isFull = status === 'CONFLICT' || status === 'BLOCKED' || status === 'LINKING';
  if ((isFull || endsLink(cause)) && statusReason) return statusReason;
  return [statusReason ?? STATE_MEANINGS[status], STATE_TODOS[status]].filter(Boolean).join(' ');
}

/** What to do about a number without a phone. Without a plan, only a sandbox number may be linked, on trial. */
function firstLinkTodo({ access, network }: NumberFacts): string {
  if (access === 'suspended') return '';
  return access === 'ok' || (access === 'none' && network === 'sandbox')
    ? ' Link one to send messages.'
    : ' Linking one needs a plan.';
}

/** What it cannot send although it sends. */
function kindsSentence(number: NumberFacts): string | null {
  return number.failing && stopOf(number) === null ? failingSentence(number.failing) : null;
}

function decideSentence({ toDecide }: NumberFacts): string | null {
  if (toDecide === 0) return null;
  return `${messagesWait(toDecide)} for your decision.`;
}

function queueSentence(number: NumberFacts, times: StatusTextTimes): string {
  const moving = movingOf(number);
  const decide = decideSentence(number);
  const kept = [keptSentence(number, times), scheduledSentence(number)].filter(Boolean).join(' ') || null;
  if (moving === 0) return [decide, kept].filter(Boolean).join(' ') || 'Nothing is waiting.';
  return [decide, `${messagesWait(moving)}${untilWhen(number, times)}`, kept].filter(Boolean).join(' ');
}

/** Messages to new people that are kept back, and until when. */
function keptSentence(number: NumberFacts, { keptIn }: StatusTextTimes): string | null {
  const { keptBack } = number;
  if (keptBack === 0) return null;
  const next = stopOf(number) === null ? ` The next new person can be contacted in about ${keptIn}.` : '';
  return `${messagesWait(keptBack)} until new people can be contacted.${next}`;
}

function scheduledSentence(number: NumberFacts): string | null {
  const { scheduled } = number;
  if (scheduled === 0) return null;
  const once = decidedOnce(number);
  const them = scheduled === 1 ? 'it' : 'they';
  const decide = once
    ? ` ${once}, you decide whether ${them} ${scheduled === 1 ? 'stays' : 'stay'} scheduled.`
    : '';
  return scheduled === 1
    ? `1 message is scheduled for later.${decide}`
    : `${scheduled} messages are scheduled for later.${decide}`;
}

/** When the owner decides about waiting messages; null if they need no decision. */
function decidedOnce(number: NumberFacts): string | null {
  const { status } = number;
  if (stopOf(number) !== 'status') return null;
  if (status === 'LOGGED_OUT' || status === 'LINKING' || status === 'UNLINKED')
    return 'After you link the same phone number';
  return status === 'SUSPENDED' ? 'When the number is resumed' : null;
}

/** What the messages in the queue wait for. */
function untilWhen(number: NumberFacts, { emptyIn }: StatusTextTimes): string {
  switch (stopOf(number)) {
    case null:
      return `. The last one is sent in about ${emptyIn}.`;
    case 'held':
      return ' until you release the number.';
    case 'access':
      return '. None of them is sent now.';
    case 'status': {
      const once = decidedOnce(number);
      return once ? `. ${once}, you decide whether they are sent.` : ' until it is connected again.';
    }
  }
}

function waitingText(number: NumberFacts, { emptyIn }: StatusTextTimes): string {
  const { waiting, toDecide, keptBack, scheduled } = number;
  if (waiting === 0) return 'Nothing waiting';
  if (toDecide === waiting) return `${toDecide} waiting for your decision`;
  if (scheduled === waiting) return `${scheduled} scheduled`;
  if (keptBack === waiting) return `${keptBack} waiting, to new people`;
  if (stopOf(number) !== null || movingOf(number) === 0) return `${waiting} waiting`;
  const later = [keptBack > 0 && `${keptBack} to new people`, scheduled > 0 && `${scheduled} scheduled`]
    .filter(Boolean)
    .join(', ');
  return later === ''
    ? `${waiting} waiting, all sent in about ${emptyIn}`
    : `${waiting} waiting, ${later}, the others sent in about ${emptyIn}`;
}

/** How long until a number's queue is empty, in ms, if nothing joins it. */
export function queueMs(number: SendPace & QueueFacts): number {
  return movingOf(number) * intervalMs(number, 0.5);
}
