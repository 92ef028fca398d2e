import type { InstallationContext } from '#server/platform/db/context.ts';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { forgetLinkingCodes } from './queries/linking-codes.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Deletes expired QR and pairing codes until stopped. A worker replaces its own in time; this deletes those of a
 * worker that died, so every web process and worker does it.
 */
export function watchLinkingCodes(
  { database }: InstallationContext,
  { everyMs = LOOK_EVERY_MS } = {},
): () => Promise<void> {
  return runPeriodically(() => forgetLinkingCodes(database), {
    everyMs,
    failed: 'codes for linking that are over could not be looked for',
  });
}
