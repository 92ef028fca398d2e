const numbers = (count: number) => `${count} ${count === 1 ? 'number' : 'numbers'}`;

export const plan = {
  title: 'Plan and usage',
  lead: (account: string) => `What ${account} has paid for, and what it uses.`,

  /** The state of a plan, and what it means for requests. */
  states: {
    suspended: {
      title: 'This account is suspended',
      text: 'Every request is answered with 402, and nothing is sent. Contact the administrator to resume it.',
    },
    none: {
      title: 'The plan is not enabled yet',
      text: 'You can add numbers and create keys now. You can link a phone and send once a payment is recorded.',
    },
    active: {
      title: (until: string) => `Paid until ${until}`,
      text: (last: string) =>
        `Everything works until the end of that day. You then have until ${last} to pay before sending stops.`,
      textNoGrace:
        'Everything works until the end of that day. Then sending stops until a payment is recorded.',
    },
    beyond: (count: number) =>
      count === 1
        ? 'The plan does not include one of your numbers, and it sends nothing. Choose which numbers stay active, or extend the plan.'
        : `The plan does not include ${count} of your numbers, and they send nothing. Choose which numbers stay active, or extend the plan.`,
    grace: {
      title: (last: string) => `Pay by ${last}, or sending stops`,
      text: (until: string) =>
        `The plan was paid until ${until}. During the grace period everything works. After it, every request is answered with 402.`,
    },
    expired: {
      title: (until: string) => `The plan ended on ${until}`,
      text: 'Every request is answered with 402, and nothing is sent. Numbers stay connected for 14 days after the end. Then they are stopped, and their links are kept. After a payment everything works as before.',
    },
    ended: {
      title: 'The plan was ended by the administrator',
      text: 'Every request is answered with 402, and nothing is sent. Numbers stay connected for 14 days. Then they are stopped, and their links are kept. Keys and history stay. Contact the administrator.',
    },
  },

  facts: {
    label: 'The plan',
    state: 'State',
    until: 'Paid until',
    used: 'Numbers',
    usedOf: (used: number, included: number) => `${used} of ${included} used`,
    price: 'Price',
    priceOf: (price: number) => `${price} euros a month`,
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
    ends: (names: string) => `${names}: requests are answered with 402, and waiting messages are cancelled`,
    sends: (names: string) => `${names}: no change`,
    nobody: 'None',
    linked: 'All numbers stay linked and keep their keys and history',
    back: 'Cancel',
    done: 'The selected numbers stay active',
    cancelled: (count: number) =>
      count === 0
        ? 'No messages were waiting on the others.'
        : `${count} waiting on the others were cancelled.`,
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
    notSent: 'Not sent',
    notSentHelp: 'Expired or cancelled',
    open: 'Waiting',
    openHelp: 'In a queue now',
    partial: 'This account keeps messages for less than a month. Erased messages are not counted.',
    free: 'The plan counts numbers, not messages.',
  },

  pay: {
    title: 'How to pay',
    none: 'The administrator has not added payment instructions yet. Contact them. They enable the plan when your payment arrives.',
    after: 'The administrator enables the plan when your payment arrives.',
    edit: 'Change this text',
  },

  refused: {
    title: 'What 402 means',
    text: 'The API answers 402 Payment Required and sends nothing if:',
    reasons: [
      'the plan is not enabled, has ended, or its grace period is over',
      'the plan does not include the number',
      'the account is suspended',
    ],
    after:
      'The error message says which. Retrying does not help. The same request works again as soon as a payment is recorded.',
  },

  payments: {
    title: 'Payments and plan changes',
    empty: 'No payments yet.',
    noAmount: 'No payment',
    received: (day: string) => `Received ${day}`,
    recorded: 'Recorded',
    enabled: 'Plan set',
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
    title: 'How customers pay',
    lead: 'Every account sees this under Plan and usage. Include your bank account, a contact address and the payment reference to use.',
    label: 'Text',
    help: 'Plain text. Line breaks are kept, and addresses that begin with https:// become links.',
    preview: 'Preview',
    submit: 'Save',
    done: 'Saved. Customers see the new text now',
  },
} as const;
