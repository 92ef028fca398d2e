const numbers = (count: number) => `${count} ${count === 1 ? 'number' : 'numbers'}`;

/** What the page about plan and usage says. */
export const plan = {
  title: 'Plan and usage',
  lead: (account: string) => `What ${account} has paid for, and what it uses.`,

  /** The state of a plan: what is so, and what it means for requests. */
  states: {
    suspended: {
      title: 'This account is suspended',
      text: 'Every request is answered with 402 and nothing is sent. Write to the administrator to have it resumed.',
    },
    none: {
      title: 'The plan is not enabled yet',
      text: 'You can add numbers, make keys and try the forms. Linking a phone and sending begin once a payment is recorded.',
    },
    active: {
      title: (until: string) => `Paid until ${until}`,
      text: (last: string) =>
        `Everything works until the end of that day. After it you have until ${last} to pay before messages stop.`,
      textNoGrace:
        'Everything works until the end of that day. Then messages stop until a payment is recorded.',
    },
    beyond: (count: number) =>
      count === 1
        ? 'One number is beyond the plan and sends nothing: choose which stay, or have the plan extended. The others go on.'
        : `${count} numbers are beyond the plan and send nothing: choose which stay, or have the plan extended. The others go on.`,
    grace: {
      title: (last: string) => `Pay by ${last}, or messages stop`,
      text: (until: string) =>
        `The plan was paid until ${until}. For some days more everything goes on as before; afterwards every request is answered with 402.`,
    },
    expired: {
      title: (until: string) => `The plan ended on ${until}`,
      text: 'Every request is answered with 402 and nothing is sent. Numbers stay connected for 14 days after the end; then they are stopped and their links are kept. A payment brings everything back as it was.',
    },
    ended: {
      title: 'The plan was ended by the administrator',
      text: 'Every request is answered with 402 and nothing is sent. Numbers stay connected for 14 days; then they are stopped and their links are kept. Write to the administrator; keys and history are still here.',
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
    none: 'Nothing yet',
    counts: 'A number counts from the first time it is linked until it is removed.',
  },

  keep: {
    title: 'Which numbers stay',
    lead: (used: number, included: number) =>
      `${numbers(used)} are linked, and the plan includes ${included}. Choose the ones that go on sending; you can change it at any time.`,
    chosen: (count: number, most: number) => `${count} of ${most} chosen`,
    legend: 'Numbers that stay',
    stays: 'Sends now',
    stopped: 'Sends nothing now',
    submit: 'Keep these',
    ownerOnly: 'Only an owner of this account chooses.',
    confirmTitle: 'Keep these numbers?',
    ends: (names: string) => `${names}: requests are answered with 402, and what waits is cancelled`,
    stays2: (names: string) => `${names}: sends as before`,
    nobody: 'None',
    linked: 'All of them stay linked, with their keys and history',
    back: 'Do not change it',
    done: 'The chosen numbers stay',
    cancelled: (count: number) =>
      count === 0 ? 'Nothing was waiting on the others.' : `${count} waiting on the others were cancelled.`,
  },

  usage: {
    title: (month: string) => `Messages in ${month}`,
    zone: (zone: string) => `${zone} time`,
    sent: 'Sent',
    sentHelp: 'WhatsApp accepted them',
    failed: 'Failed',
    failedHelp: 'certainly not sent',
    unknown: 'Unknown',
    unknownHelp: 'may have been sent',
    notSent: 'Not sent',
    notSentHelp: 'too late, or cancelled',
    open: 'Waiting',
    openHelp: 'in a queue now',
    partial: 'This account keeps its messages for less than a month. What was erased is not counted.',
    free: 'The plan counts numbers, not messages.',
  },

  pay: {
    title: 'How to pay',
    none: 'The administrator of this Wirebird has not written down how to pay. Write to them; they enable the plan by hand once the payment has arrived.',
    after: 'The plan is enabled by hand once the payment has arrived.',
    edit: 'Change this text',
  },

  refused: {
    title: 'What 402 means',
    text: 'The API answers 402 Payment Required, and sends nothing, while one of these is so:',
    reasons: [
      'the plan is not enabled, has ended, or its days of grace are over',
      'the number is beyond those that the plan includes',
      'the account is suspended',
    ],
    after:
      'The answer’s text says which. Repeating the request does not help; as soon as a payment is recorded the same request works again.',
  },

  payments: {
    title: 'Payments and terms',
    empty: 'No payment has been recorded yet.',
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
    lead: 'Every account reads this under Plan and usage: the bank account, an address to write to, what to name as reference.',
    label: 'Text',
    help: 'Plain text. Lines stay as you break them, and addresses that begin with https:// become links.',
    preview: 'As customers read it',
    submit: 'Save the text',
    done: 'Customers read the new text from now on',
  },
} as const;
