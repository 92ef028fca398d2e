import { planPriceText } from '#server/core/access.ts';
import { HOW_TO_PAY, NOT_SENT } from './state-words.ts';

const numbers = (count: number) => `${count} ${count === 1 ? 'number' : 'numbers'}`;

export const plan = {
  title: 'Plan and usage',
  lead: (account: string) => `What ${account} has paid for, and what it uses.`,

  facts: {
    label: 'The plan',
    state: 'State',
    until: 'Paid until',
    used: 'Numbers',
    usedOf: (used: number, included: number) =>
      included === 0 ? `${used} used` : `${used} of ${included} used`,
    price: 'Price',
    priceOf: planPriceText,
    none: 'None',
    counts: 'A number counts from the first time it is linked until it is removed.',
  },

  keep: {
    title: 'Active numbers',
    lead: (used: number, included: number) =>
      `${numbers(used)} are linked, and the plan includes ${included}. Choose which numbers keep sending. You can change this at any time.`,
    chosen: (count: number, most: number) => `${count} of ${most} selected`,
    legend: 'Numbers that stay active',
    stays: 'Sends now',
    stopped: 'Sends nothing now',
    submit: 'Save selection',
    ownerOnly: 'Only an owner of this account can change this.',
    confirmTitle: 'Change active numbers?',
    ends: (names: string) => `${names}: nothing is sent, and waiting and scheduled messages are cancelled`,
    sends: (names: string) => `${names}: no change`,
    nobody: 'None',
    linked: 'All numbers stay linked and keep their keys and history',
    back: 'Go back',
    done: 'The selected numbers stay active',
    cancelled: (count: number) =>
      count === 0
        ? 'No messages were waiting on the other numbers.'
        : count === 1
          ? '1 waiting message of the other numbers was cancelled.'
          : `${count} waiting messages of the other numbers were cancelled.`,
  },

  usage: {
    title: (month: string) => `Messages in ${month}`,
    zone: (zone: string) => `${zone} time`,
    sent: 'Sent',
    sentHelp: 'Confirmed by WhatsApp',
    failed: 'Failed',
    failedHelp: 'Definitely not sent',
    unknown: 'Unknown',
    unknownHelp: 'May have arrived',
    notSent: NOT_SENT,
    notSentHelp: 'Accepted, but not sent',
    open: 'Waiting',
    openHelp: 'In a queue now',
    free: 'The plan counts numbers, not messages.',
  },

  pay: {
    title: HOW_TO_PAY,
    none: (where: string) =>
      `After your request on this page, under “${where}”, the administrator sends you the payment details, and enables the plan when your payment arrives.`,
    /** Read by an administrator. */
    noneOwn:
      'No payment instructions are set. Accounts request a plan on this page. You then send them the payment details, and enable the plan when their payment arrives.',
    afterOwn: 'You enable the plan when the payment arrives.',
    after: 'The administrator enables the plan when your payment arrives.',
    contact: 'Questions?',
    edit: 'Change this text',
  },

  unpaid: {
    title: 'If you do not pay',
    steps: (ends: string) => [
      `The plan ends on ${ends}. Until then messages are sent. Then sending stops, and waiting and scheduled messages are cancelled.`,
      'Numbers stay connected for 14 more days, then they are disconnected.',
      'Links to phones, keys and history are kept.',
    ],
    after:
      'After a payment you can send again, and you do not have to link your phones again, even later. Cancelled messages are not sent later.',
  },

  request: {
    title: 'Request a plan',
    titleRenew: 'Renew the plan',
    titleChange: 'Renew or change the plan',
    changeLead: 'To renew the plan, or to have more or fewer numbers, ask the administrator.',
    /** Where payment instructions are set. */
    justPay: `To renew the plan as it is, just pay, as described under “${HOW_TO_PAY}”.`,
    changeOnly: 'To have more or fewer numbers, ask the administrator.',
    askChange: 'Request a renewal or change',
    numbers: 'Numbers',
    contact: 'How to reach you',
    contactHelp: 'A name with an email address or a phone number.',
    note: 'Note',
    noteHelp:
      'Optional. For example, for a month or a year, when you want to start, or what the invoice should say.',
    noteHelpRenew: 'Optional. For example, for a month or a year, or what the invoice should say.',
    price: (price: number, count: number) =>
      `${numbers(count)} ${count === 1 ? 'costs' : 'cost'} ${(price * count).toLocaleString('en')} euros a month, or ${(price * count * 12).toLocaleString('en')} euros a year.`,
    questions: (contact: string) =>
      contact === ''
        ? 'If you have questions, write them in the note: the administrator reads it.'
        : `If you have questions, contact ${contact}.`,
    submit: 'Send the request',
    cancel: 'Cancel',
    done: 'The administrator has your request',
    requested: (count: number) => `Requested: a plan for ${numbers(count)}`,
    next: 'The administrator sees your request. You get an alert here when the plan is enabled.',
    nextMailed:
      'We emailed the administrator, who sends you the payment details. You get an email when the plan is enabled.',
    at: 'Requested',
    contactOf: (contact: string) => `Contact: ${contact}.`,
    noteOf: (note: string) => `Note: ${note}.`,
    change: 'Change',
    withdraw: 'Withdraw',
    withdrawn: 'The request was withdrawn',
    ownerOnly: 'Only an owner of this account can request a plan.',
  },

  payments: {
    title: 'Payments and plan changes',
    empty: 'No payments yet.',
    noAmount: 'No amount recorded',
    received: (day: string) => `Payment arrived ${day}`,
    recorded: 'Recorded',
    enabled: 'Plan changed',
    columns: {
      when: 'When',
      amount: 'Amount',
      numbers: 'Numbers',
      until: 'Paid until',
      reference: 'Reference',
      note: 'Note',
    },
    until: (until: string) => `until ${until}`,
    numbers,
  },

  howToPay: {
    title: 'Payment instructions',
    lead: 'Every account sees this under Plan and usage.',
    label: HOW_TO_PAY,
    placeholder: 'Bank transfer to …\nReference: your email address',
    contactName: 'Contact for questions',
    contactNameHelp: 'Optional.',
    contactAddress: 'Email address or phone number',
    help: 'For example your bank account and the payment reference to use. Plain text. Line breaks are kept, and addresses that begin with https:// become links.',
    preview: 'Preview',
    submit: 'Save',
    done: 'Saved. Customers see the new text now',
  },
} as const;
