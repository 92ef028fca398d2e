import { sampleFiles } from '#server/sandbox/sample-files.ts';
import { settings } from '#server/settings.ts';
import { changes } from './changes.ts';
import { errors } from './errors.ts';
import { firstMessage } from './first-message.ts';
import { goingLive } from './going-live.ts';
import type { Facts, Guide } from './guide.ts';
import { health } from './health.ts';
import { idempotency } from './idempotency.ts';
import { media } from './media.ts';
import { queue } from './queue.ts';
import { rateLimits } from './rate-limits.ts';
import { troubleshooting } from './troubleshooting.ts';
import { webhooks } from './webhooks.ts';

/** In the order of the table of contents. */
export const GUIDES: readonly Guide[] = [
  firstMessage,
  errors,
  idempotency,
  queue,
  media,
  webhooks,
  rateLimits,
  goingLive,
  health,
  troubleshooting,
  changes,
];

export const guidePath = (slug: string): string => `/docs/guides/${slug}`;

/** The values that samples contain on this installation. */
export const currentFacts = (): Facts => ({ base: `${settings.publicUrl}/v1`, files: sampleFiles() });

/** A guide as Markdown, with its title. */
export function guideMarkdown({ title, lead, text }: Guide): string {
  return `# ${title}\n\n${lead}\n\n${text(currentFacts()).trim()}\n`;
}
