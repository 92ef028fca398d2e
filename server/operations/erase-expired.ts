import { forgetLinkingCodes } from '#server/numbers/queries/linking-codes.ts';
import { deleteOldSignIns } from '#server/people/queries/sign-ins.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { deleteCounts } from './queries/message-counts.ts';
import {
  deleteLeftovers,
  deleteLookUps,
  deleteMessages,
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
  linkingCodes: forgetLinkingCodes,
  texts: eraseTexts,
  files: eraseFiles,
  hashes: eraseHashes,
  messages: deleteMessages,
  lookUps: deleteLookUps,
  recipients: deleteRecipients,
  recipientChecks: deleteRecipientChecks,
  webhookEvents: deleteWebhookEvents,
  requests: deleteRequests,
  counts: deleteCounts,
  leftovers: deleteLeftovers,
} as const satisfies Record<string, EraseBatch>;

/** How many rows each step touched. */
export type Erased = Record<keyof typeof STEPS | 'signIns', number>;

/**
 * Erases data that is older than its account keeps it. Safe to repeat and to run concurrently. `batch`: rows per
 * statement.
 */
export async function eraseExpired(
  { database }: InstallationContext,
  { batch = BATCH } = {},
): Promise<Erased> {
  const erased = { signIns: await deleteOldSignIns(database.db) } as Erased;
  for (const [name, step] of Object.entries(STEPS)) {
    let total = 0;
    for (let round = 0; round < BATCHES_MAX; round++) {
      const rows = await step(database, { limit: batch });
      total += rows;
      if (rows < batch) break;
    }
    erased[name as keyof typeof STEPS] = total;
  }
  return erased;
}
