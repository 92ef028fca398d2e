export const shell = {
  skip: 'Skip to the content',
  main: 'Main',
  crumbs: 'Breadcrumbs',
  numbers: 'Numbers',
  administration: 'Administration',
  nav: {
    overview: 'Overview',
    messages: 'Messages',
    requests: 'Requests',
    numbers: 'Numbers',
    keys: 'API',
    webhooks: 'Webhooks',
    tryIt: 'Try it',
    sandbox: 'Sandbox phone',
    reference: 'API reference',
    accounts: 'Accounts',
    audit: 'Audit log',
    workers: 'Workers',
    builds: 'WhatsApp Web',
    health: 'Queue health',
    alerts: 'All alerts',
    settings: 'Settings',
    more: 'More',
  },
  search: { open: 'Search', label: 'Search' },
  live: 'Auto-updating',
  liveHelp: 'Updates arrive automatically',
  stale: (since: string) => `Not updated for ${since}`,
  staleHelp: 'The connection to the server dropped. The page reconnects automatically. Nothing is lost.',
  offline: 'You are offline',
  away: {
    offline: (since: string) => `You are offline. This page was last updated at ${since}.`,
    offlineText: 'Messages are still being sent. The page reconnects automatically.',
    server: (since: string) => `The server does not respond. This page was last updated at ${since}.`,
    refused: (since: string) => `This page is not updating. It was last updated at ${since}.`,
    serverText: 'The page reconnects automatically.',
  },
  plan: {
    title: 'Plan',
    used: (used: number, included: number) =>
      `${used} of ${included} ${included === 1 ? 'number' : 'numbers'}`,
    paidUntil: (day: string) => `Paid until ${day}`,
    excess: (count: number) =>
      count === 1
        ? '1 number is not included and sends nothing.'
        : `${count} numbers are not included and send nothing.`,
    grace: (ends: string) => `The plan ends on ${ends} if no payment arrives.`,
    ended: (ends: string) => `The plan ended on ${ends}.`,
    endedByHand: 'Ended by the administrator. Sending is stopped until it is enabled again.',
    none: 'Not enabled yet',
    noneHelp: (price: number) => `${price} euros a month for each number, enabled after payment.`,
    trial: (left: number) => `Trial: ${left} ${left === 1 ? 'message' : 'messages'} left today`,
    suspended: 'This account is suspended. Ask the administrator to resume it.',
  },
  backToSteps: 'Back to the steps',
  account: 'Account',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  yourAccount: 'Your account',
  signOut: 'Sign out',
  yourMenu: 'You and your account',
  administrator: 'Administrator',
} as const;

export const frameNotes = {
  view: {
    label: 'View of another account',
    whose: (name: string) => `You are viewing ${name}.`,
    means: 'Read only: you cannot change anything.',
    logged: 'The audit log records when this view starts and ends.',
    end: 'End the view',
  },
  signedOut: {
    title: 'You are signed out',
    text: (email: string) =>
      `Sign in as ${email} in another tab, then return to this one. What you entered here is kept.`,
    leave: 'Leave this page',
    do: 'Sign in',
  },
  ended: {
    account_deleted: {
      title: (name: string) => `${name} was deleted`,
      text: 'Its phones are unlinked, its keys no longer work, and waiting messages are not sent. Users without another account are signed out.',
    },
    left_account: {
      title: (name: string) => `You are no longer in ${name}`,
      text: 'An owner removed you. If that was a mistake, ask an owner to invite you again.',
    },
    do: 'Continue',
  },
} as const;
