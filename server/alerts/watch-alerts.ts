import type { InstallationContext } from '#server/platform/db/context.ts';
import { type Mailer, mailer } from '#server/platform/mail/mailer.ts';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { mailAlerts } from './mail-alerts.ts';
import { raiseAlerts } from './raise-alerts.ts';

/** Often enough that an alert's mail arrives well within a minute. */
const LOOK_EVERY_MS = 10_000;

/**
 * Raises alerts and mails them until stopped. Every web process and worker does this, in case others have ended;
 * each event is still reported once.
 */
export function watchAlerts(
  { database }: InstallationContext,
  options: { mailer?: Mailer | null; everyMs?: number } = {},
): () => Promise<void> {
  const { mailer: sender = mailer(), everyMs = LOOK_EVERY_MS } = options;
  return runPeriodically(
    async () => {
      try {
        await raiseAlerts({ database });
      } finally {
        if (sender) await mailAlerts({ database }, sender);
      }
    },
    { everyMs, failed: 'alerts could not be looked for' },
  );
}
