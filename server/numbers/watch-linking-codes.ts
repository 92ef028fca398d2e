import type { InstallationContext } from '#server/platform/db/context.ts';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { forgetLinkingCodes } from './queries/linking-codes.ts';

const LOOK_EVERY_MS = 1000;

/**
 * Forgets QR and pairing codes as soon as they are valid no more, until stopped. The worker that shows one
 * replaces it in time; this is for one that died. Web processes and workers all do so: whichever is alive.
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
