const WORDS: Record<number, string> = { 1: 'One', 2: 'Two', 3: 'Three', 4: 'Four', 5: 'Five' };

export const overview = {
  title: 'Overview',
  verdict: {
    steps: (left: number) =>
      `${WORDS[left] ?? String(left)} ${left === 1 ? 'step' : 'steps'} to your first message`,
    stepsLead: 'With a sandbox number you can try everything without a real phone.',
    need: (need: number, all: number) =>
      need === all
        ? all === 1
          ? 'Your number needs attention'
          : `All ${all} numbers need attention`
        : `${need} of ${all} numbers ${need === 1 ? 'needs' : 'need'} attention`,
    plan: 'Sending is stopped',
    well: (all: number) => (all === 1 ? 'Your number is connected' : `All ${all} numbers are connected`),
    decide: (count: number) => `${count} ${count === 1 ? 'message needs' : 'messages need'} your decision`,
    decideLead: (names: string[]) =>
      `${names.join(', ')}: accepted before the number disconnected. Send or discard them. Other messages are not affected.`,
    heldTitle: (count: number, all: number) =>
      all === 1 ? 'Your number is held' : `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} held`,
    notConnected: (count: number, all: number) =>
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
      `${count} of ${all} numbers ${count === 1 ? 'is' : 'are'} not included in the plan`,
    beyondLead:
      'They stay linked but send nothing. An owner can choose which numbers stay active, or extend the plan.',
    alsoBeyond: (count: number) =>
      count === 0 ? '' : ` ${count} more ${count === 1 ? 'is' : 'are'} not included in the plan.`,
    openPlan: 'Open the plan',
    wellLead: 'Messages are being sent.',
    planOff: 'The plan of this account is not active.',
    planLead: 'Nothing is deleted. Sending resumes as soon as a payment is recorded.',
    suspendedLead: 'Nothing is deleted. Contact the administrator to resume it.',
  },
  steps: {
    plan: {
      admin: 'Enable your own plan',
      adminText: 'You are the administrator: choose how many numbers your account can link, and until when.',
      adminDo: 'Enable the plan',
      member: 'Get your plan enabled',
      memberText: (price: number) =>
        `Linking and sending require the plan, ${price} euros a month. The administrator enables it after payment. The plan page explains how to pay.`,
      memberDo: 'How to pay',
      done: 'Plan',
    },
    add: {
      title: 'Add a number',
      text: 'Your own WhatsApp number, or a sandbox number with a virtual phone.',
      do: 'Add a number',
    },
    link: {
      title: 'Link its phone',
      text: 'Scan a code with the phone, as you would for WhatsApp Web. It takes about a minute.',
      do: (name: string) => `Link ${name}`,
    },
    key: {
      title: 'Create an API key',
      text: 'Your program sends the key with each request. It is shown once, with a command to try it.',
      do: 'Create key',
    },
    send: {
      title: 'Send your first message',
      text: 'Paste the command shown with the key, or copy code for your language.',
      do: 'Show sample code',
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
    messages: 'View messages',
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
    failedHelp: 'Definitely not sent',
    unknown: 'Unknown',
    unknownHelp: 'May have arrived',
    waiting: 'Waiting',
    emptyIn: (time: string) => `Empty in ${time}`,
    emptyButStopped: (time: string, stopped: string) => `Empty in ${time}, except ${stopped}`,
    unconnected: (many: boolean) => `Resumes when ${many ? 'the numbers are' : 'the number is'} connected`,
    stopped: 'Resumes when sending resumes',
    toDecide: 'Needs your decision',
    toNewPeople: 'Until new people can be contacted',
    nothingWaits: 'Nothing waiting',
  },
  days: {
    title: 'Last 30 days',
    aside: 'Sandbox not counted',
    sent: 'Sent',
    failed: 'Failed',
    unknown: 'Unknown',
    summary: (failed: string, unknown: string) => `sent, ${failed} failed, ${unknown} unknown`,
    label: (from: string, to: string, max: string) =>
      `Messages sent per day, ${from} to ${to}. Most in one day: ${max}.`,
    tip: (day: string, sent: string) => `${day}: ${sent} sent`,
    tipFailed: (count: number) => `${count} failed`,
    tipUnknown: (count: number) => `${count} unknown`,
    today: 'Today',
  },
  troubles: {
    title: 'Needs attention',
    all: 'All',
    empty: 'Nothing failed or was cancelled in the last 7 days.',
    failed: 'Not sent',
    unknown: 'No confirmation',
  },
} as const;
