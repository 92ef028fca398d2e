import { LINK_KEPT_DAYS, PLAN_PRICE_EUROS_PER_MONTH, planPriceText } from './access.ts';
import { type Alert, type AlertFacts, administrator } from './alert.ts';
import { longDay, planEndText } from './plan-end.ts';

const pay = (alert: AlertFacts) =>
  `Open the plan. It shows how to pay, or lets you ask for the payment details. If you have questions, contact ${administrator(alert)}, who enables the plan when your payment arrives.`;
const payToday = (alert: AlertFacts) =>
  `Pay today: a bank transfer can take days to arrive. If you have already paid, contact ${administrator(alert)}, who has not recorded your payment yet. Otherwise open the plan. It shows how to pay, or lets you ask for the payment details.`;
const NOTHING_IS_SENT =
  'nothing is sent from the dashboard, and every API request is refused (402), even one that only reads a status.';
const KEPT = 'Links, keys and history are kept.';
const REFUSED_ARE_NOT_LISTED =
  'Requests that were refused are not in that list. Wirebird does not keep their text: send again from your own system what is still needed.';

const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** What the end of the plan cancelled and refused, with recipients. `when`: the requests were refused. */
function lostBy({ cancelled, cancelledTo, refused, refusedTo }: AlertFacts, when: string): string {
  const to = (people: string) => (people === '' ? '' : `, to ${people}`);
  const parts = [
    cancelled &&
      `${counted(cancelled, 'waiting or scheduled message was', 'waiting or scheduled messages were')} cancelled when the plan ended${to(cancelledTo)}.`,
    refused &&
      `${counted(refused, 'request to send was', 'requests to send were')} refused ${when}${to(refusedTo)}.`,
  ].filter(Boolean);
  if (parts.length === 0) return '';
  return `${parts.join(' ')} ${(cancelled ?? 0) + (refused ?? 0) === 1 ? 'It is' : 'They are'} not sent later.`;
}

function sendAgain({ cancelled, refused }: AlertFacts): string {
  const messages = 'open those under Messages, and send again what you still need.';
  if (cancelled === null)
    return `If messages were cancelled when the plan ended, they are not sent automatically: ${messages} ${REFUSED_ARE_NOT_LISTED}`;
  if (cancelled > 0)
    return `Messages were cancelled: ${messages}${refused === 0 ? '' : ` ${REFUSED_ARE_NOT_LISTED}`}`;
  return refused
    ? 'Open Requests, which lists them. Wirebird does not keep their text: send again from your own system what is still needed.'
    : 'Nothing. No message was cancelled, and no request to send was refused.';
}

/** After a payment. Without an end before it, it changes nothing for messages. */
function worksAgain(alert: AlertFacts): string {
  const { cancelled, refused } = alert;
  if (cancelled === null || (refused === null && cancelled === 0)) return 'You can send.';
  const lost = lostBy(alert, 'while the plan did not work');
  return `You can send again, and linked phones stay linked. ${lost || 'While the plan did not work, no message was cancelled and no request to send was refused.'}`;
}

/** The detail is the last day paid for. */
const planEnds = {
  lasts: true,
  topic: 'plan',
  sign: { tone: 'warn', shape: 'clock' },
  page: '/account/plan',
  words: (alert) => ({
    title: `The plan ends on ${endOf(alert)}: pay to keep sending`,
    what: `The plan is paid until ${paidUntil(alert)}. ${endsUnpaid(alert)}`,
    todo: pay(alert),
  }),
} as const satisfies Alert;

const PLAN_WORKS = {
  topic: 'plan',
  sign: { tone: 'ok', shape: 'done' },
  page: '/account/plan',
  only: 'members',
} as const;

/** The kinds of alerts about a plan. */
export const PLAN_ALERTS = {
  plan_7_days: planEnds,
  plan_1_day: {
    ...planEnds,
    words: (alert) => ({
      title: `The plan ends on ${endOf(alert)}, and no payment is recorded yet`,
      what: `The last paid day is ${paidUntil(alert)}. ${endsUnpaid(alert)}`,
      todo: payToday(alert),
    }),
  },
  plan_grace: {
    ...planEnds,
    words: (alert) => ({
      title: `The plan ends on ${endOf(alert)}: it is not paid`,
      what: `The plan was paid until ${paidUntil(alert)}. It is now in its grace period: messages are sent until it ends on ${endOf(alert)}. ${afterwards(alert)}`,
      todo: payToday(alert),
    }),
  },
  plan_ended: {
    lasts: true,
    topic: 'plan',
    sign: { tone: 'fail', shape: 'clock' },
    page: '/account/plan',
    words: (alert) => ({
      title: 'The plan has ended: nothing is sent',
      what: `The plan${alert.account && ` of ${alert.account}`} ended on ${alert.at}. It was paid until ${paidUntil(alert)}.\n${cutOff(alert)}\nSince the plan ended, ${NOTHING_IS_SENT} Numbers stay connected for ${LINK_KEPT_DAYS} days. Then they are disconnected, but their links are kept. Keys and history are kept, too.${price(alert)}`,
      todo: `${pay(alert)} You do not have to link the phones again, even later.${alert.cancelled || alert.refused ? ' Afterwards, send again what you still need.' : ''}${alert.refused ? ' Wirebird does not keep the text of refused requests: send those from your own system.' : ''}`,
    }),
  },
  /** Administrators record the payments themselves. The detail also has the amount in cents: `2026-12-26 5000`. */
  plan_paid: {
    ...PLAN_WORKS,
    words: (alert) => ({
      title: 'Your payment was recorded',
      what: `${amount(alert)}The plan is paid until ${paidUntil(alert)}. ${worksAgain(alert)}`,
      todo: sendAgain(alert),
    }),
  },
  /** A plan that was requested or had ended was enabled without a payment. */
  plan_enabled: {
    ...PLAN_WORKS,
    words: (alert) => ({
      title: 'Your plan is enabled',
      what: `It works until ${paidUntil(alert)}. ${worksAgain(alert)}`,
      todo: sendAgain(alert),
    }),
  },
  /** The detail is what the customer wrote. */
  plan_requested: {
    lasts: true,
    topic: 'plan',
    sign: { tone: 'warn', shape: 'question' },
    page: '/admin/accounts',
    only: 'administrators',
    words: ({ detail }) => ({
      title: 'A plan was requested',
      what: detail ?? 'A customer requests a plan.',
      todo: 'Open Accounts and choose “Enable” beside the request. The customer then gets an email.',
    }),
  },
  /** The detail is how many messages were cancelled, and why if all had one cause. */
  waiting_cancelled: {
    topic: 'plan',
    sign: { tone: 'fail', shape: 'cross' },
    page: '/messages?status=cancelled',
    words: ({ detail }) => {
      const [count = '', cause = 'unknown'] = (detail ?? '').split(' ');
      return {
        title: `${counted(Number(count), 'waiting message was', 'waiting messages were')} cancelled`,
        what: `${CANCEL_CAUSES[cause]?.why} Scheduled messages are cancelled too. None was sent, and none will be sent later.`,
        todo: `${CANCEL_CAUSES[cause]?.first} Then open the cancelled messages, and send again what you still need. ${REFUSED_ARE_NOT_LISTED}`,
      };
    },
  },
} as const satisfies Record<string, Alert>;

/** Alerts of earlier versions have no cause. */
const CANCEL_CAUSES: Record<string, { why: string; first: string }> = {
  ended: { why: 'The plan ended.', first: 'Renew the plan first, if it is not active.' },
  excess: {
    why: 'The plan no longer includes their number.',
    first: 'Open the plan first: choose which numbers stay active, or extend it.',
  },
  unknown: {
    why: 'The plan ended, or no longer includes their number.',
    first: 'Renew the plan first, if it is not active.',
  },
};

/** What the end of the plan cost until now. */
function cutOff(alert: AlertFacts): string {
  const lost = lostBy(alert, `since it ended, up to ${alert.countedUntil}`);
  if (lost) return lost;
  return alert.cancelled === null
    ? 'Waiting and scheduled messages were cancelled and are not sent later.'
    : 'No message was waiting, so none was cancelled.';
}

/** What happens to a plan that still works, and when. */
function endsUnpaid(alert: AlertFacts): string {
  const { graceDays } = alert;
  const grace = graceDays === 0 ? '' : `, after ${graceDays === 1 ? '1 day' : `${graceDays} days`} of grace`;
  return `Without a payment it ends on ${endOf(alert)}${grace}. ${afterwards(alert)}`;
}

const afterwards = (alert: AlertFacts) =>
  `After that ${NOTHING_IS_SENT} Waiting and scheduled messages are then cancelled. ${KEPT}${price(alert)}`;

const price = ({ numbersIncluded }: AlertFacts) =>
  numbersIncluded === null
    ? ''
    : ` The price is ${planPriceText(PLAN_PRICE_EUROS_PER_MONTH, numbersIncluded)}.`;

const paidUntil = ({ detail }: AlertFacts) => (detail === null ? '' : longDay(dayOf(detail)));
const endOf = (alert: AlertFacts) => (alert.detail === null ? '' : planEndText(dayOf(alert.detail), alert));
const dayOf = (detail: string) => detail.slice(0, 10);

/** Alerts of earlier versions have no amount. */
function amount({ detail }: AlertFacts): string {
  const cents = detail?.split(' ')[1];
  return cents === undefined ? '' : `The amount is ${(Number(cents) / 100).toFixed(2)} euros. `;
}
