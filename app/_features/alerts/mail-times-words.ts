import type { AlertTopic, MailTime } from '#server/core/alert.ts';

/** Texts of the card on the user's own page. */
export const mailTimes = {
  title: 'Alert mails',
  help: 'For you only. Everybody chooses for themselves. The bell shows all alerts.',
  topics: {
    numbers: {
      name: 'Numbers',
      help: 'Unlinked, refused, restricted, suspended, connected again, failed messages',
    },
    api: { name: 'API', help: 'Many refused requests and their end, a webhook that was switched off' },
    plan: { name: 'Plan', help: 'When it ends, payments, cancelled messages' },
    server: { name: 'Server', help: 'Disk space, new builds of WhatsApp Web' },
  } satisfies Record<AlertTopic, { name: string; help: string }>,
  times: { now: 'At once', daily: 'Daily at 8:00', never: 'Never' } satisfies Record<MailTime, string>,
  label: (topic: string) => `Mails about: ${topic}`,
  saved: 'Saved',
  off: 'No mail server is set up, so no alerts are mailed. The operator can set SMTP_URL.',
} as const;
