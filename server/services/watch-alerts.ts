import type { Database } from '#server/db/client.ts';
import { log } from '#server/log.ts';
import { type Mailer, mailer } from '#server/mail/mailer.ts';
import { mailAlerts } from './mail-alerts.ts';
import { raiseAlerts } from './raise-alerts.ts';

/** Whoever should hear of something has it in their mailbox well within a minute. */
const LOOK_EVERY_MS = 10_000;

/**
 * Raises alerts and mails them until stopped. Web processes and workers all do so: whichever is alive tells,
 * and each thing is told once.
 */
export function watchAlerts(
  database: Database,
  options: { mailer?: Mailer | null; everyMs?: number } = {},
): () => Promise<void> {
  const { mailer: sender = mailer(), everyMs = LOOK_EVERY_MS } = options;
  let looking: Promise<void> | null = null;
  const look = async () => {
    await raiseAlerts(database);
    if (sender) await mailAlerts(database, sender);
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'alerts could not be looked for'))
      .finally(() => {
        looking = null;
      });
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
