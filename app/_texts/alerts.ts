export const alerts = {
  title: 'Alerts',
  bell: (unread: number) => (unread === 0 ? 'Alerts' : `Alerts, ${unread} unread`),
  unread: 'Unread',
  markRead: 'Mark all as read',
  markOne: 'Mark as read',
  markOneLabel: (title: string) => `Mark “${title}” as read`,
  now: (number: string, state: string) => `${number}: ${state}`,
  noAlertYet: 'No alert yet',
  none: 'No alerts',
  noneHelp: 'A number that was unlinked, a plan that ends, messages that fail in a row: you find it here.',
  failed: 'The alerts could not be loaded. They are tried again automatically.',
  open: 'Open the number',
  mailed: 'Each is mailed as well, to everybody in this account.',
  notMailed:
    'Alert mails are off: no mail server is set up here, so they appear on this page alone. The operator switches them on with SMTP_URL.',
} as const;
