import { z } from 'zod';
import { LINK_KEPT_DAYS, PLAN_PRICE_EUROS_PER_MONTH, planPriceText } from './access.ts';
import { type Alert, type AlertReading, administrator, stating } from './alert.ts';
import { longDay, planEndText } from './plan-end.ts';

const pay = (alert: AlertReading) =>
  `Open the plan. It shows how to pay, or lets you ask for the payment details. If you have questions, contact ${administrator(alert)}, who enables the plan when your payment arrives.`;
const payToday = (alert: AlertReading) =>
  `Pay today: a bank transfer can take days to arrive. If you have already paid, contact ${administrator(alert)}, who has not recorded your payment yet. Otherwise open the plan. It shows how to pay, or lets you ask for the payment details.`;
const NOTHING_IS_SENT =
  'nothing is sent from the dashboard, and every API request is refused (402), even one that only reads a status.';
const KEPT = 'Links, keys and history are kept.';
const REFUSED_ARE_NOT_LISTED =
  'Requests that were refused are not in that list. Wirebird does not keep their text: send again from your own system what is still needed.';

const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${count} ${many}`);

/** What the end of the plan cancelled and refused, with recipients. `when`: the requests were refused. */
function lostBy({ cancelled, cancelledTo, refused, refusedTo }: AlertReading, when: string): string {
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

function sendAgain({ cancelled, refused }: AlertReading): string {
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
function worksAgain(alert: AlertReading): string {
  const { cancelled, refused } = alert;
  if (cancelled === null || (refused === null && cancelled === 0)) return 'You can send.';
  const lost = lostBy(alert, 'while the plan did not work');
  return `You can send again, and linked phones stay linked. ${lost || 'While the plan did not work, no message was cancelled and no request to send was refused.'}`;
}

/** The last day paid for. */
const PaidUntil = z.object({ paidUntil: z.iso.date() });
type OfPlan = AlertReading<z.infer<typeof PaidUntil>>;

/** The kinds of alerts about a plan. */
export const PLAN_ALERTS = {
  plan_7_days: stating(PaidUntil, (alert) => ({
    title: `The plan ends on ${endOf(alert)}: pay to keep sending`,
    what: `The plan is paid until ${paidUntil(alert)}. ${endsUnpaid(alert)}`,
    todo: pay(alert),
  })),
  plan_1_day: stating(PaidUntil, (alert) => ({
    title: `The plan ends on ${endOf(alert)}, and no payment is recorded yet`,
    what: `The last paid day is ${paidUntil(alert)}. ${endsUnpaid(alert)}`,
    todo: payToday(alert),
  })),
  plan_grace: stating(PaidUntil, (alert) => ({
    title: `The plan ends on ${endOf(alert)}: it is not paid`,
    what: `The plan was paid until ${paidUntil(alert)}. It is now in its grace period: messages are sent until it ends on ${endOf(alert)}. ${afterwards(alert)}`,
    todo: payToday(alert),
  })),
  plan_ended: stating(PaidUntil, (alert) => ({
    title: 'The plan has ended: nothing is sent',
    what: `The plan${alert.account && ` of ${alert.account}`} ended on ${alert.at}. It was paid until ${paidUntil(alert)}.\n${cutOff(alert)}\nSince the plan ended, ${NOTHING_IS_SENT} Numbers stay connected for ${LINK_KEPT_DAYS} days. Then they are disconnected, but their links are kept. Keys and history are kept, too.${price(alert)}`,
    todo: `${pay(alert)} You do not have to link the phones again, even later.${alert.cancelled || alert.refused ? ' Afterwards, send again what you still need.' : ''}${alert.refused ? ' Wirebird does not keep the text of refused requests: send those from your own system.' : ''}`,
  })),
  /** Administrators record the payments themselves. Alerts of earlier versions have no amount. */
  plan_paid: stating(PaidUntil.extend({ amountCents: z.int().nullable() }), (alert) => ({
    title: 'Your payment was recorded',
    what: `${amount(alert)}The plan is paid until ${paidUntil(alert)}. ${worksAgain(alert)}`,
    todo: sendAgain(alert),
  })),
  /** A plan that was requested or had ended was enabled without a payment. */
  plan_enabled: stating(PaidUntil, (alert) => ({
    title: 'Your plan is enabled',
    what: `It works until ${paidUntil(alert)}. ${worksAgain(alert)}`,
    todo: sendAgain(alert),
  })),
  plan_requested: stating(
    z.object({ numbers: z.int(), contact: z.string(), note: z.string() }),
    ({ facts, legacy }) => ({
      title: 'A plan was requested',
      what: facts ? requested(facts) : (legacy ?? 'A customer requests a plan.'),
      todo: 'Open Accounts and choose “Enable” beside the request. The customer then gets an email.',
    }),
  ),
  /** `why`: if all had one cause. */
  waiting_cancelled: stating(
    z.object({ count: z.int(), why: z.enum(['ended', 'excess']).nullable() }),
    ({ facts }) => {
      const { why, first } = CANCEL_CAUSES[facts?.why ?? 'unknown'];
      return {
        title: `${counted(facts?.count ?? 0, 'waiting message was', 'waiting messages were')} cancelled`,
        what: `${why} Scheduled messages are cancelled too. None was sent, and none will be sent later.`,
        todo: `${first} Then open the cancelled messages, and send again what you still need. ${REFUSED_ARE_NOT_LISTED}`,
      };
    },
  ),
} as const satisfies Record<string, Alert>;

const CANCEL_CAUSES = {
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
function cutOff(alert: AlertReading): string {
  const lost = lostBy(alert, `since it ended, up to ${alert.countedUntil}`);
  if (lost) return lost;
  return alert.cancelled === null
    ? 'Waiting and scheduled messages were cancelled and are not sent later.'
    : 'No message was waiting, so none was cancelled.';
}

/** What happens to a plan that still works, and when. */
function endsUnpaid(alert: OfPlan): string {
  const { graceDays } = alert;
  const grace = graceDays === 0 ? '' : `, after ${graceDays === 1 ? '1 day' : `${graceDays} days`} of grace`;
  return `Without a payment it ends on ${endOf(alert)}${grace}. ${afterwards(alert)}`;
}

const afterwards = (alert: AlertReading) =>
  `After that ${NOTHING_IS_SENT} Waiting and scheduled messages are then cancelled. ${KEPT}${price(alert)}`;

const price = ({ numbersIncluded }: AlertReading) =>
  numbersIncluded === null
    ? ''
    : ` The price is ${planPriceText(PLAN_PRICE_EUROS_PER_MONTH, numbersIncluded)}.`;

const paidUntil = ({ facts }: OfPlan) => (facts === null ? '' : longDay(facts.paidUntil));
const endOf = (alert: OfPlan) => (alert.facts === null ? '' : planEndText(alert.facts.paidUntil, alert));

const amount = ({ facts }: AlertReading<{ amountCents: number | null }>) =>
  facts?.amountCents ? `The amount is ${(facts.amountCents / 100).toFixed(2)} euros. ` : '';

const requested = (of: { numbers: number; contact: string; note: string }) =>
  `For ${counted(of.numbers, 'number', 'numbers')}. Contact: ${of.contact}${of.note === '' ? '' : `\nNote: ${of.note}`}`;
