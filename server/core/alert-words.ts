import type { AlertKind } from './alert.ts';
import { isSendingOff } from './build-changed.ts';
import type { NumberStatus } from './number-state.ts';
import { refusedSentence } from './number-words.ts';

/** A number that should be connected and is not for this long is an alert. */
export const DISCONNECTED_ALERT_MS = 10 * 60_000;
/** So many failures in a row on one number are an alert. */
export const FAILURES_IN_A_ROW = 5;

export interface AlertFacts {
  kind: AlertKind;
  /** Its label, or its phone number with the middle hidden; empty for an alert about the plan. */
  number: string;
  /**
   * Why a number is in its state, as it stands beside it; of one that recovered, what becomes of new messages; of
   * one with messages to decide about, how many.
   */
  reason: string | null;
  /** Of messages in a row: how many may have arrived anyway. Null if not counted. */
  unclear: number | null;
  /** Of messages that were cancelled: how many. */
  cancelled: number;
  /** How many messages wait on the number now; null where that is not asked. */
  waiting: number | null;
  /** The last day paid for, and the last one on which sending works, for reading. */
  paidUntil: string;
  worksUntil: string;
}

export interface AlertWords {
  title: string;
  /** What it means. */
  what: string;
  todo: string;
}

/** What happens to new messages in a state, in the words of the number's own page. */
const refusedIn = (status: NumberStatus) => refusedSentence({ access: 'ok', status, held: false });

const PAY = 'Pay, then inform the administrator, who enables the plan.';

/** An alert in words, the same in the mail and in the dashboard. */
export function alertWords(alert: AlertFacts): AlertWords {
  const { number } = alert;
  switch (alert.kind) {
    case 'logged_out':
      return {
        title: `${number} is unlinked`,
        what: `${alert.reason ?? 'WhatsApp asks for a new link.'} ${refusedIn('LOGGED_OUT')}${waitingIn(alert)}`,
        todo: 'Open linking and scan the code with the phone that has this number. A new phone with the same number works too. Then decide whether messages accepted before are still sent.',
      };
    case 'blocked':
      return {
        title: `WhatsApp refuses ${number}`,
        what: `${alert.reason ?? 'WhatsApp has blocked this number.'} ${refusedIn('BLOCKED')}${waitingIn(alert)}`,
        todo: 'Open WhatsApp on the phone. It shows details and lets you request a review of a ban. Do not keep trying: each attempt makes the wait longer.',
      };
    case 'conflict':
      return {
        title: `${number} is open elsewhere`,
        what: `WhatsApp Web was opened elsewhere with this session, and WhatsApp allows only one at a time. ${refusedIn('CONFLICT')}${waitingIn(alert)}`,
        todo: 'Choose “Use here” on the number’s page to disconnect the other session. If nobody on your team opened it, check Linked devices on the phone.',
      };
    case 'suspended':
      return {
        title: `${number} is suspended`,
        what: `The administrator has suspended it${alert.reason ? `: ${alert.reason}` : '.'} ${refusedIn('SUSPENDED')}${waitingIn(alert)} Keys, history and the link stay.`,
        todo: 'Contact the administrator. Only they can resume it. Then decide whether messages accepted before are still sent.',
      };
    case 'health':
      return {
        title: `WhatsApp restricts ${number}`,
        what: `${alert.reason ?? 'It may not start new conversations.'} Until then, requests to new people are answered with 429.`,
        todo: 'Open the number. The Health card shows the end of the restriction and what to do. Do not send from another number instead: WhatsApp may restrict both.',
      };
    case 'disconnected':
      return {
        title: `${number} has not been connected for 10 minutes`,
        what: `${alert.reason ?? 'Its session is gone.'} It is reconnecting automatically. ${refusedIn('RECONNECTING')}${waitingIn(alert)}`,
        todo: 'Check that the phone is on and online. If several numbers are disconnected, the problem is the server: the operator should run “npm run -s cli -- doctor”.',
      };
    case 'recovered':
      return {
        title: `${number} is connected again`,
        what: alert.reason ?? refusedIn('CONNECTED'),
        todo: 'Nothing. Messages marked unknown may have arrived: check the phone before you send one again.',
      };
    case 'to_decide': {
      const one = alert.reason === '1';
      return {
        title: `${alert.reason ?? 'Some'} ${one ? 'message waits' : 'messages wait'} for your decision on ${number}`,
        what: `${one ? 'It was' : 'They were'} accepted before the number disconnected, and ${one ? 'is' : 'are'} not sent until you decide. Other messages are not affected.`,
        todo: `Open the number and choose whether to send or discard ${one ? 'it' : 'them'}. Without a decision, ${one ? 'it expires' : 'they expire'}.`,
      };
    }
    case 'failures':
      return {
        title: `${FAILURES_IN_A_ROW} messages in a row ${alert.unclear === 0 ? 'failed' : 'were not confirmed'} on ${number}`,
        what: `${howTheyEnded(alert.unclear)} WhatsApp may restrict a number if this continues.`,
        todo: 'Stop sending from this number, open its messages and check what happened. Continue when a test message arrives.',
      };
    case 'build_changed':
      if (alert.reason !== null && !isSendingOff(alert.reason))
        return {
          title: 'A new build of WhatsApp Web does not work',
          what: `${alert.reason} Numbers that loaded it were restarted on the older build. Nothing was sent or lost.`,
          todo: 'Update Wirebird soon: WhatsApp removes older builds after days or weeks. “WhatsApp Web” under Administration shows each build.',
        };
      return {
        title: 'WhatsApp Web has changed',
        what: `${alert.reason ?? 'This version of Wirebird does not know the new build.'} Numbers that loaded this build are blocked, and their requests are answered with 409. Nothing was sent or lost.`,
        todo: 'Update Wirebird. Then choose “Try again” on the page of each blocked number. It connects without its phone.',
      };
    case 'disk_low':
      return {
        title: 'The disk of the server is almost full',
        what: `${alert.reason ?? 'There is little space left.'} Messages with a file are answered with 503 until there is space. Other messages are sent as usual.`,
        todo: 'Free some space, or make the disk larger. “npm run -s cli -- doctor” shows how much is needed.',
      };
    case 'disk_full':
      return {
        title: 'The disk of the server is full',
        what: `${alert.reason ?? 'There is no space left.'} Numbers were disconnected before their stored sessions could be damaged. Requests are answered with 409. The links stay.`,
        todo: 'Free some space, or make the disk larger. The numbers then reconnect automatically. “npm run -s cli -- doctor” shows how much is needed.',
      };
    case 'disk_recovered':
      return {
        title: 'The disk of the server has space again',
        what: 'Files are accepted again, and numbers reconnect.',
        todo: 'Nothing. If the disk fills up often, make it larger.',
      };
    case 'webhook_off':
      return {
        title: 'A webhook endpoint was switched off',
        what: `${alert.reason ?? 'It failed for 3 days.'} It gets no more events. Messages are sent as usual.`,
        todo: 'Repair the endpoint and switch it on again under Webhooks. Then replay what it missed: events are kept for 7 days.',
      };
    case 'plan_7_days':
    case 'plan_1_day':
      return {
        title: `The plan ends on ${alert.paidUntil}`,
        what: `Sending works until ${alert.worksUntil}. After that every request is answered with 402.`,
        todo: PAY,
      };
    case 'plan_grace':
      return {
        title: `Sending stops after ${alert.worksUntil}`,
        what: `The plan was paid until ${alert.paidUntil}. Sending still works until ${alert.worksUntil}. After that every request is answered with 402, and waiting messages are cancelled.`,
        todo: PAY,
      };
    case 'plan_paid':
      return {
        title: 'Your payment was recorded',
        what: `The plan is paid until ${alert.paidUntil}.`,
        todo: 'Nothing. Cancelled messages are not sent automatically. Open Messages to send them again.',
      };
    case 'waiting_cancelled':
      return {
        title: `${alert.cancelled} waiting ${alert.cancelled === 1 ? 'message was' : 'messages were'} cancelled`,
        what: 'The plan ended, or no longer includes their number. None of them was sent.',
        todo: 'Renew the plan. Then open Messages, filter by Cancelled, and send again what you still need.',
      };
    case 'plan_ended':
      return {
        title: 'The plan has ended',
        what: 'Every request is answered with 402, and nothing is sent. Numbers stay connected for 14 days. Then they are stopped, and their links are kept.',
        todo: `${PAY} The numbers then reconnect without their phones.`,
      };
    default:
      return alert.kind satisfies never;
  }
}

/** The waiting messages of a number that sends nothing. */
function waitingIn({ waiting }: AlertFacts): string {
  if (waiting === null) return '';
  if (waiting === 0) return ' No messages are waiting.';
  return waiting === 1
    ? ' 1 message is waiting and is kept until its deadline, at most 24 hours.'
    : ` ${waiting} messages are waiting and are kept until their deadlines, at most 24 hours.`;
}

/** Of the messages in a row: how many definitely failed, and how many may have arrived. */
function howTheyEnded(unclear: number | null): string {
  if (unclear === null) return 'WhatsApp confirmed none of them.';
  if (unclear === 0) return 'WhatsApp accepted none of them.';
  const failed = FAILURES_IN_A_ROW - unclear;
  const perhaps = `${unclear} ${unclear === 1 ? 'has' : 'have'} no confirmation and may have arrived.`;
  return failed === 0 ? perhaps : `${failed} failed. ${perhaps}`;
}

/** A phone number whose middle is hidden: +49 … 7386. */
export function maskedPhone(digits: string): string {
  return `+${digits.slice(0, 2)} … ${digits.slice(-4)}`;
}
