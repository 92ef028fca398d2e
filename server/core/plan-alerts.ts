import { addDays, planEndsOn } from './access.ts';
import type { Alert, AlertFacts } from './alert.ts';

const PAY =
  'Open the plan. It shows how to pay, or lets you ask for the payment details. The administrator enables the plan when your payment arrives.';
const WAITING_IS_CANCELLED = 'Waiting and scheduled messages are then cancelled.';
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
  return `${were} cancelled when the plan ended. ${they} not sent automatically: open the messages, and send again what you still need. ${NOT_LISTED}`;
}
const PLAN_SIGN = { tone: 'warn', shape: 'clock' } as const;

/** The detail is the last day paid for. */
const planEnds = {
  lasts: true,
  topic: 'plan',
  sign: PLAN_SIGN,
  page: '/account/plan',
  words: (alert) => ({
    title: planEndsOn(paidUntil(alert)),
    what: `Sending works until the end of ${worksUntil(alert)}. After that nothing is sent. ${WAITING_IS_CANCELLED}`,
    todo: PAY,
  }),
} as const satisfies Alert;

/** The kinds of alerts about a plan. */
export const PLAN_ALERTS = {
  plan_7_days: planEnds,
  plan_1_day: {
    ...planEnds,
    words: (alert) => ({
      ...planEnds.words(alert),
      title: `Reminder: the plan is paid until ${paidUntil(alert)}`,
    }),
  },
  plan_grace: {
    lasts: true,
    topic: 'plan',
    sign: PLAN_SIGN,
    page: '/account/plan',
    words: (alert) => ({
      title: `Sending stops at the end of ${worksUntil(alert)}`,
      what: `The plan was paid until ${paidUntil(alert)}. This is the grace period: sending works until the end of ${worksUntil(alert)}. After that nothing is sent. ${WAITING_IS_CANCELLED}`,
      todo: PAY,
    }),
  },
  plan_ended: {
    lasts: true,
    topic: 'plan',
    sign: { tone: 'fail', shape: 'clock' },
    page: '/account/plan',
    words: () => ({
      title: 'The plan has ended',
      what: 'Nothing is sent, from the dashboard or through the API. Waiting and scheduled messages were cancelled and are not sent later. Numbers stay connected for 14 days, then they are disconnected.',
      todo: `${PAY} You do not have to link the phones again.`,
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

const dayLong = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const day = (date: string) => dayLong.format(new Date(`${date}T00:00:00Z`));
const paidUntil = ({ detail }: AlertFacts) => (detail === null ? '' : day(detail));
const worksUntil = ({ detail, graceDays }: AlertFacts) =>
  detail === null ? '' : day(addDays(detail, graceDays));
