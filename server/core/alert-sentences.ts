import { type AlertReading, administrator } from './alert.ts';
import type { NumberStatus } from './number-state.ts';
import { refusedMessagesSentence } from './number-status-text.ts';

/** What alerts say about refused, waiting and unknown messages. */

/** What happens to new messages in a state, in the words of the number's own page. */
export const refusedIn = (status: NumberStatus) =>
  refusedMessagesSentence({ access: 'ok', status, held: false });

/** What happens to requests of a number that is not connected, and how many were refused so far. */
export function refusedNow(status: NumberStatus, alert: AlertReading): string {
  const { refused, countedUntil } = alert;
  if (!refused) return `${refusedIn(status)} Refused messages are not sent later; Requests lists them.`;
  const since = status === 'SUSPENDED' ? 'since then' : 'since it was last connected';
  return `${refusedCount(refused)} ${since}, up to ${countedUntil}.${refusedTo(alert)} ${sendAgain(refused)} ${refusedIn(status)}`;
}

/** The requests that were refused until a number was connected again. */
export function refusedBefore(alert: AlertReading): string {
  const { refused } = alert;
  if (!refused) return '';
  return ` ${refusedCount(refused)} while it was not connected.${refusedTo(alert)} ${sendAgain(refused)}`;
}

/** To whom refused requests were. */
export const refusedTo = ({ refusedTo: to }: AlertReading) => (to === '' ? '' : ` To ${to}.`);

export const refusedWhy = ({ refusedAnswer }: AlertReading) =>
  refusedAnswer === null ? '' : ` The most frequent response: “${refusedAnswer}”`;

/** The reason of a state can name the administrator. */
export const needHelp = (alert: AlertReading) =>
  alert.contact === '' ? '' : ` If you need help, contact ${administrator(alert)}.`;

/** What a restore or a move made of the messages of a number. Expired ones have an alert of their own. */
export const restoredOn = ({ unknown }: AlertReading) => (unknown ? ` ${unknownSentence(unknown)}` : '');

export function afterOutage({ unknown, refused, cancelled }: AlertReading): string {
  const lost = [cancelled ? 'cancelled' : '', refused ? 'refused' : ''].filter(Boolean);
  const todo = [
    unknown ? unknownSentence(unknown) : '',
    lost.length > 0 ? `Send again what was ${lost.join(' or ')} and is still needed.` : '',
  ].filter(Boolean);
  return todo.join(' ') || 'Nothing.';
}

const unknownSentence = (count: number) =>
  count === 1
    ? '1 message is marked unknown: it may have arrived. Look at its chat on the phone before you send it again.'
    : `${count} messages are marked unknown: they may have arrived. Look at their chats on the phone before you send them again.`;

export const NOT_KEPT = 'Wirebird does not keep the text of refused requests.';
export const SENT_AGAIN_BY = 'If a message is still needed, send it again from your own system or by hand.';

const refusedCount = (count: number) =>
  count === 1 ? '1 request to send was refused' : `${count} requests to send were refused`;
// A client may have repeated some of them until they were accepted.
const sendAgain = (count: number) =>
  count === 1
    ? `It was not sent. ${NOT_KEPT} ${SENT_AGAIN_BY}`
    : `They were not sent. ${NOT_KEPT} ${SENT_AGAIN_BY}`;

/** The waiting messages of a number that sends nothing. `once`: when a person decides whether to send them. */
export function waitingIn({ waiting, scheduled }: AlertReading, once?: string): string {
  if (waiting === null) return '';
  return `\n${waitingSentence(waiting)}${scheduledSentence(scheduled, once)}${decisionSentence(waiting + scheduled, once)}`;
}

function waitingSentence(waiting: number): string {
  if (waiting === 0) return 'No messages are waiting.';
  return waiting === 1
    ? '1 message is waiting and is kept until its deadline, at most 24 hours.'
    : `${waiting} messages are waiting and are kept until their deadlines, at most 24 hours.`;
}

function scheduledSentence(scheduled: number, once?: string): string {
  if (scheduled === 0) return '';
  const one = scheduled === 1;
  const what = one ? ' 1 message is scheduled for later' : ` ${scheduled} messages are scheduled for later`;
  const kept = one
    ? 'It is kept for at most 24 hours after its time.'
    : 'They are kept for at most 24 hours after their times.';
  return once === undefined ? `${what} and ${one ? 'stays' : 'stay'} scheduled. ${kept}` : `${what}. ${kept}`;
}

function decisionSentence(messages: number, once?: string): string {
  if (messages === 0 || once === undefined) return '';
  return ` ${once}, ${messages === 1 ? 'it is' : 'they are'} sent only after a decision on the number’s page.`;
}

/** What a decision means for the scheduled ones of the messages that need it. */
export function scheduledAmong(scheduled: number, one: boolean): string {
  if (scheduled === 0) return '';
  if (one) return ' It is scheduled for later: if you choose to send it, it stays scheduled.';
  return scheduled === 1
    ? ' 1 of them is scheduled for later: if you choose to send, it stays scheduled.'
    : ` ${scheduled} of them are scheduled for later: if you choose to send, they stay scheduled.`;
}
