import { removeDeletedAccounts } from '#server/accounts/delete-account.ts';
import { forgetLinkingCodes } from '#server/numbers/queries/linking-codes.ts';
import { deleteOldSignIns } from '#server/people/queries/sign-ins.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { runEach } from '#server/platform/db/run-each.ts';
import { log } from '#server/platform/log.ts';
import { deleteCounts } from './queries/message-counts.ts';
import {
  deleteLeftovers,
  deleteLookUps,
  deleteMessages,
  deleteNumberEvents,
  deleteRecipientChecks,
  deleteRecipients,
  deleteRequests,
  deleteWebhookEvents,
  type EraseBatch,
  eraseFiles,
  eraseHashes,
  eraseTexts,
} from './queries/retention.ts';

const BATCH = 1000;
/** After this many batches the rest waits for the next run. */
const BATCHES_MAX = 100;

const STEPS = {
  signIns: ({ db }) => deleteOldSignIns(db),
  linkingCodes: forgetLinkingCodes,
  texts: eraseTexts,
  files: eraseFiles,
  hashes: eraseHashes,
  messages: deleteMessages,
  lookUps: deleteLookUps,
  recipients: deleteRecipients,
  recipientChecks: deleteRecipientChecks,
  numberEvents: deleteNumberEvents,
  webhookEvents: deleteWebhookEvents,
  requests: deleteRequests,
  counts: deleteCounts,
  leftovers: deleteLeftovers,
  accounts: (database) => removeDeletedAccounts({ database }),
} as const satisfies Record<string, EraseBatch>;

/** How many rows each step touched, and how many deleted accounts were removed. */
export type Erased = Record<keyof typeof STEPS, number>;

/**
 * Erases data that is older than its account keeps it, and the rest of deleted accounts. Safe to repeat and to run
 * concurrently. A step that fails does not keep the others from their work; its error is thrown at the end.
 * `batch`: rows per statement.
 */
export async function eraseExpired(
  { database }: InstallationContext,
  { batch = BATCH } = {},
): Promise<Erased> {
  const erased = {} as Erased;
  const failures = await runEach(database, Object.keys(STEPS) as (keyof typeof STEPS)[], async (name) => {
    const step: EraseBatch = STEPS[name];
    erased[name] = 0;
    for (let round = 0; round < BATCHES_MAX; round++) {
      const rows = await step(database, { limit: batch });
      erased[name] += rows;
      if (rows < batch) break;
    }
  });
  for (const error of failures) log.error({ err: error }, 'expired data could not be erased');
  if (failures.length > 0) throw failures[0];
  return erased;
}
