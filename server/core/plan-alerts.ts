import { addDays, LINK_KEPT_DAYS, PLAN_PRICE_EUROS_PER_MONTH, planPriceText } from './access.ts';
import { type Alert, type AlertFacts, administrator } from './alert.ts';

const pay = (alert: AlertFacts) =>
  `Open the plan. It shows how to pay, or lets you ask for the payment details. If you have questions, contact ${administrator(alert)}, who enables the plan when your payment arrives.`;
const NOTHING_IS_SENT =
  'nothing is sent from the dashboard, and every API request is refused (402), also those that only ask.';
const KEPT = 'Links, keys and history are kept.';
const NOT_LISTED =
  'Messages that your program sent afterwards were refused and are not in that list: send them again from your program.';

/** What becomes of the messages that the plan's end cancelled, if the alert counts them. */
function sendCancelledAgain({ cancelled }: AlertFacts): string {
  if (cancelled === null)
    return `If messages were cancelled when the plan ended, they are not sent automatically. Open Messages, filter by Cancelled, and send again what you still need. ${NOT_LISTED}`;
  if (cancelled === 0)
    return 'No message was cancelled. If your program sent messages after the plan ended, they were refused: send them again from your program.';
  const [were, they] =
    cancelled === 1 ? ['1 message was', 'It is'] : [`${cancelled} messages were`, 'They are'];
  return `${were} cancelled when the plan ended. ${they} not sent automatically: open Messages, and send again what you still need. ${NOT_LISTED}`;
}
const PLAN_SIGN = { tone: 'warn', shape: 'clock' } as const;

/** The detail is the last day paid for. */
const planEnds = {
  lasts: true,
  topic: 'plan',
  sign: PLAN_SIGN,
  page: '/account/plan',
  words: (alert) => ({
    title: `The plan ends on ${paidUntil(alert)}: pay to keep sending`,
    what: `The plan is paid until ${paidUntil(alert)}. ${sendingStops(alert)}`,
    todo: pay(alert),
  }),
} as const satisfies Alert;

/** The kinds of alerts about a plan. */
export const PLAN_ALERTS = {
  plan_7_days: planEnds,
  plan_1_day: {
    ...planEnds,
    words: (alert) => ({
      title: `The plan ends on ${paidUntil(alert)}, and no payment is recorded yet`,
      what: `This is the last reminder before the plan ends. ${sendingStops(alert)}`,
      todo: `Pay today: a bank transfer can take days to arrive. If you have already paid, contact ${administrator(alert)}, who has not recorded your payment yet. Otherwise open the plan. It shows how to pay, or lets you ask for the payment details.`,
    }),
  },
  plan_grace: {
    lasts: true,
    topic: 'plan',
    sign: PLAN_SIGN,
    page: '/account/plan',
    words: (alert) => ({
      title: `Sending stops at the end of ${worksUntil(alert)}: the plan is not paid`,
      what: `The plan was paid until ${paidUntil(alert)}. It is now in its grace period. ${afterwards(alert)}`,
      todo: pay(alert),
    }),
  },
  plan_ended: {
    lasts: true,
    topic: 'plan',
    sign: { tone: 'fail', shape: 'clock' },
    page: '/account/plan',
    words: (alert) => ({
      title: 'The plan has ended: nothing is sent',
      what: `The plan was paid until ${paidUntil(alert)}. Since it ended, ${NOTHING_IS_SENT} Waiting and scheduled messages were cancelled and are not sent later. Another alert counts them, if there were any. Numbers stay connected for ${LINK_KEPT_DAYS} days, then they are disconnected. ${KEPT}${price(alert)}`,
      todo: `${pay(alert)} You do not have to link the phones again.`,
    }),
  },
  /** Administrators record the payments themselves. */
  plan_paid: {
    topic: 'plan',
    sign: { tone: 'ok', shape: 'done' },
    page: '/account/plan',
    only: 'members',
    words: (alert) => ({
      title: 'Your payment was recorded',
      what: `The plan is paid until ${paidUntil(alert)}. You can send.`,
      todo: sendCancelledAgain(alert),
    }),
  },
  /** A requested plan was enabled without a payment. */
  plan_enabled: {
    topic: 'plan',
    sign: { tone: 'ok', shape: 'done' },
    page: '/account/plan',
    only: 'members',
    words: (alert) => ({
      title: 'Your plan is enabled',
      what: `It works until ${paidUntil(alert)}. You can send now. Linked phones stay linked.`,
      todo: sendCancelledAgain(alert),
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
  /** The detail is how many messages were cancelled. */
  waiting_cancelled: {
    topic: 'plan',
    sign: { tone: 'fail', shape: 'cross' },
    page: '/messages?status=cancelled',
    words: ({ detail }) => ({
      title: `${Number(detail)} waiting ${Number(detail) === 1 ? 'message was' : 'messages were'} cancelled`,
      what: 'The plan ended, or no longer includes their number. Scheduled messages are cancelled too. None was sent, and none will be sent later.',
      todo: `Renew the plan first, if it is not active. Then open Messages, filter by Cancelled, and send again what you still need. ${NOT_LISTED}`,
    }),
  },
} as const satisfies Record<string, Alert>;

/** What happens to a plan that still works, and when. */
function sendingStops(alert: AlertFacts): string {
  const { graceDays } = alert;
  const later = graceDays === 0 ? '' : `${graceDays === 1 ? '1 day' : `${graceDays} days`} later, `;
  return `Without a payment, sending stops ${later}at the end of ${worksUntil(alert)}. ${afterwards(alert)}`;
}

const afterwards = (alert: AlertFacts) =>
  `After that ${NOTHING_IS_SENT} Waiting and scheduled messages are then cancelled. ${KEPT}${price(alert)}`;

const price = ({ numbersIncluded }: AlertFacts) =>
  numbersIncluded === null
    ? ''
    : ` The price is ${planPriceText(PLAN_PRICE_EUROS_PER_MONTH, numbersIncluded)}.`;

const dayLong = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const day = (date: string) => dayLong.format(new Date(`${date}T00:00:00Z`));
const paidUntil = ({ detail }: AlertFacts) => (detail === null ? '' : day(detail));
const worksUntil = ({ detail, graceDays }: AlertFacts) =>
  detail === null ? '' : day(addDays(detail, graceDays));
