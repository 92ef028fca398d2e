const WORDS: Record<number, string> = { 1: 'One', 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

export const overview = {
  title: 'Overview',
  verdict: {
    steps: (left: number) =>
      `${WORDS[left] ?? String(left)} ${left === 1 ? 'step' : 'steps'} to your first message`,
    stepsLead:
      'Everything here works the same in the sandbox, without a real phone. Start with whichever you like.',
    need: (need: number, all: number) =>
      need === all
        ? all === 1
          ? 'Your number needs you'
          : `All ${all} numbers need you`
        : `${need} of ${all} numbers ${need === 1 ? 'needs' : 'need'} you`,
    plan: 'Messages are stopped',
    well: (all: number) => (all === 1 ? 'Your number is connected' : `All ${all} numbers are connected`),
    decide: (count: number) =>
      `${count} ${count === 1 ? 'message waits' : 'messages wait'} for your decision`,
    decideLead: (names: string[]) =>
      `${names.join(', ')}: accepted before the number was lost. Send or discard; no other message waits for this.`,
    heldTitle: (count: number, all: number) =>
      all === 1 ? 'Your number is held' : `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} held`,
    under: (count: number, all: number) =>
      all === 1
        ? 'Your number is not connected'
        : `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} not connected`,
    none: 'No number yet',
    noneLead: 'Add one to send from it.',
    someWell: (count: number) =>
      count === 0 ? '' : ` ${count} ${count === 1 ? 'is' : 'are'} sending normally.`,
    othersWell: (count: number) =>
      count === 0
        ? ''
        : count === 1
          ? ' The other one is sending normally.'
          : ` The other ${count} are sending normally.`,
    held: (names: string[]) =>
      names.length === 0
        ? ''
        : names.length === 1
          ? `${names[0]} is held: it sends nothing until it is released.`
          : `${names.length} are held: they send nothing until they are released.`,
    beyond: (count: number, all: number) =>
      `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} beyond the plan`,
    beyondLead:
      'They stay linked, and send nothing. An owner chooses which numbers stay, or has the plan extended.',
    alsoBeyond: (count: number) =>
      count === 0 ? '' : ` ${count} more ${count === 1 ? 'is' : 'are'} beyond the plan.`,
    openPlan: 'Open the plan',
    wellLead: 'Messages leave as they come.',
    planOff: 'The plan of this account is not active.',
    planLead: 'Nothing is deleted; messages go on as soon as a payment is recorded.',
    suspendedLead: 'Nothing is deleted. Write to the administrator to have it resumed.',
  },
  steps: {
    plan: {
      admin: 'Enable your own plan',
      adminText: 'You are the administrator: say how many numbers your account may link, and until when.',
      adminDo: 'Enable the plan',
      member: 'Have the plan enabled',
      memberText: (price: number) =>
        `Linking and sending need the plan of ${price} euros a month. The administrator enables it by hand after payment; the plan’s page says how to pay.`,
      memberDo: 'How to pay',
      done: 'Plan',
    },
    add: {
      title: 'Add a number',
      text: 'Your own WhatsApp number, or one of the sandbox with a virtual phone.',
      do: 'Add a number',
    },
    link: {
      title: 'Link its phone',
      text: 'Scan a code with the phone that has the number, as you would for WhatsApp Web. Takes about a minute.',
      do: (name: string) => `Link ${name}`,
    },
    key: {
      title: 'Create its key',
      text: 'The key is how your program signs in. It is shown once, with a command to try it.',
      do: 'Create key',
    },
    send: {
      title: 'Send your first message',
      text: 'Paste the command that came with the key, or take code for your language.',
      do: 'Show the code',
    },
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide',
  },
  openNumber: (name: string) => `Open ${name}`,

  card: {
    hours: 'Last 24 hours',
    sent: 'Sent today',
    failed: 'Failed',
    unknown: 'Unknown',
    actions: (name: string) => `Actions for ${name}`,
    open: 'Open',
    messages: 'Its messages',
    key: 'Create a key',
  },
  today: {
    title: 'Today',
    aside: 'Since midnight',
    asideSandbox: 'Since midnight, sandbox included',
    sent: 'Sent',
    delivered: (percent: string) => `${percent} delivered so far`,
    noneSent: 'Nothing yet',
    failed: 'Failed',
    failedHelp: 'Certain: nothing left',
    unknown: 'Unknown',
    unknownHelp: 'May have arrived',
    waiting: 'Waiting',
    emptyIn: (time: string) => `Empty in ${time}`,
    emptyButStopped: (time: string, stopped: string) => `Empty in ${time}, but ${stopped} not yet`,
    unconnected: (many: boolean) => `Goes on once ${many ? 'the numbers are' : 'the number is'} connected`,
    stopped: 'Goes on once sending does',
    toDecide: 'For your decision',
    nothingWaits: 'Nothing waits',
  },
  days: {
    title: 'Last 30 days',
    aside: 'sandbox not counted',
    sent: 'Sent',
    failed: 'Failed',
    unknown: 'Unknown',
    summary: (failed: string, unknown: string) => `sent, ${failed} failed, ${unknown} unknown`,
    label: (from: string, to: string, max: string) =>
      `Messages sent per day, ${from} to ${to}; the most on one day: ${max}.`,
    tip: (day: string, sent: string) => `${day}: ${sent} sent`,
    tipFailed: (count: number) => `${count} failed`,
    tipUnknown: (count: number) => `${count} unknown`,
    today: 'Today',
  },
  troubles: {
    title: 'Needs a look',
    all: 'All',
    empty: 'Nothing failed or was cancelled in the last 7 days.',
    failed: 'Not sent',
    unknown: 'No confirmation',
    failedTodo: 'Mend the cause, then send it again.',
    unknownTodo: 'May have arrived. Look on the phone before sending again.',
  },
} as const;
