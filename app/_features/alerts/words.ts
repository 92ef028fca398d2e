export const alerts = {
  unread: 'Unread',
  markRead: 'Mark all as read',
  markOne: 'Mark as read',
  markOneLabel: (title: string) => `Mark as read: ${title}`,
  now: (number: string, state: string) => `${number}: ${state}`,
  underWay: 'Ongoing',
  /** A time follows. */
  over: 'Resolved:',
  todo: 'What to do:',
  none: 'No alerts',
  noneHelp:
    'You see an alert here when a number is logged out, a plan ends, or several messages fail in a row.',
  open: 'Open the number',
  mailed: 'You also get alerts by email.',
  choose: 'Choose which',
  notMailed: 'Alerts appear only here, because no mail server is set up.',
} as const;

/** Who can change that no email is sent. */
export const setsUpMail = (admin: boolean): string =>
  `${admin ? 'You' : 'The administrator'} can set one up (SMTP_URL).`;
