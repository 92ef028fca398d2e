import type { AlertTopic, MailTime } from '#server/core/alert.ts';

/** Texts of the card on the user's own page. */
export const mailTimes = {
  title: 'Alert emails',
  help: 'These settings are only for you. The bell shows all alerts.',
  topics: {
    numbers: {
      name: 'Numbers',
      help: 'Logged out, blocked, restricted, suspended, connected again, failed messages',
    },
    api: { name: 'API', help: 'Many refused requests, and when they stop. A webhook that was switched off' },
    plan: { name: 'Plan', help: 'When it ends, payments, cancelled messages' },
    server: { name: 'Server', help: 'Disk space, new builds of WhatsApp Web' },
  } satisfies Record<AlertTopic, { name: string; help: string }>,
  times: { now: 'Immediately', daily: 'Daily at 8:00', never: 'Never' } satisfies Record<MailTime, string>,
  label: (topic: string) => `Emails about: ${topic}`,
  saved: 'Saved',
  off: 'No mail server is set up, so you get no emails.',
} as const;
