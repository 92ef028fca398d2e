import { TRIAL } from '#server/core/trial.ts';

/** The state of a plan, and what it means for requests. Apart from the plan page's words, because other pages load it. */
export const planStates = {
  suspended: {
    title: 'This account is suspended',
    text: 'Nothing is sent, from the dashboard or through the API. Ask the administrator to resume it.',
  },
  none: {
    title: 'The plan is not enabled yet',
    text: 'You can add numbers and create keys now. You can link a phone and send once a payment is recorded.',
  },
  trial: {
    title: 'You are trying Wirebird',
    text: (left: number) =>
      `Without a plan you can link one sandbox number and send messages from the dashboard: ${left} of ${TRIAL.messagesPerDay} ${left === 1 ? 'is' : 'are'} left today. With a plan you can link your own phones and use the API.`,
  },
  active: {
    title: (until: string) => `Paid until ${until}`,
  },
  beyond: (count: number) =>
    count === 1
      ? '1 number is not in your plan and sends nothing. Choose which numbers stay active, or extend the plan.'
      : `${count} numbers are not in your plan and send nothing. Choose which numbers stay active, or extend the plan.`,
  grace: {
    title: (ends: string) => `The plan ends on ${ends} if no payment arrives`,
    text: (until: string) =>
      `It was paid until ${until}. This is the grace period: messages are sent until it ends.`,
  },
  expired: {
    title: (ends: string) => `The plan ended on ${ends}`,
    text: (until: string) =>
      `It was paid until ${until}. Nothing is sent, from the dashboard or through the API. Numbers stay connected for 14 days after the end, then they are disconnected. After a payment you can send again, and you do not have to link your phones again. Cancelled messages are not sent later.`,
  },
  ended: {
    title: 'The plan was ended by the administrator',
    text: 'Nothing is sent, from the dashboard or through the API. Numbers stay connected for 14 days, then they are disconnected. Links, keys and history are kept. Contact the administrator.',
  },
  /** Beside a button that would send. */
  refusal: {
    suspended: 'This account is suspended, so nothing can be sent.',
    none: 'The plan is not enabled yet, so nothing can be sent.',
    ended: 'The plan has ended, so nothing can be sent.',
  },
  open: 'Open the plan',
};

export const HOW_TO_PAY = 'How to pay';
/** Accepted messages that ended without being sent: one term in all figures that count both together. */
export const NOT_SENT = 'Expired or cancelled';
