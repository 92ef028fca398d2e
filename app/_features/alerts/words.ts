export const alerts = {
  unread: 'Unread',
  markRead: 'Mark all as read',
  markOne: 'Mark as read',
  markOneLabel: (title: string) => `Mark “${title}” as read`,
  now: (number: string, state: string) => `${number}: ${state}`,
  underWay: 'Under way',
  /** A time follows. */
  over: 'Over since',
  none: 'No alerts',
  noneHelp:
    'You see an alert here when a number is unlinked, a plan ends, or several messages fail in a row.',
  failed: 'The alerts could not be loaded. The page retries automatically.',
  open: 'Open the number',
  mailed: 'Alerts are also mailed.',
  choose: 'Choose which',
  notMailed:
    'Alert mails are off because no mail server is set up. Alerts appear only here. The operator can set SMTP_URL to switch mails on.',
} as const;
