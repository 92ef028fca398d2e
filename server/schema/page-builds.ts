import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#server/core/number-state.ts';
import { COMMS_MODES } from '#server/core/page-build.ts';
import { bytes, instant } from './columns.ts';
import { numbers } from './numbers.ts';

/** A build of WhatsApp Web as the site served it: whether it works with this product, and its document. */
export const pageBuilds = pgTable(
  'page_builds',
  {
    network: text('network', { enum: NETWORKS }).notNull(),
    /** As the page reports it. */
    version: text('version').notNull(),
    firstSeenAt: instant('first_seen_at').notNull(),
    /** When the site was last seen to serve it. */
    lastSeenAt: instant('last_seen_at').notNull(),
    /** Result of the last self-test; null before the first. */
    verdict: text('verdict', { enum: ['passed', 'failed'] }),
    /** What differs, in a clause, if the self-test failed. */
    failedCheck: text('failed_check'),
    testedAt: instant('tested_at'),
    /** The version of Wirebird that tested it: a later one tries a build that failed again. */
    testedBy: text('tested_by'),
    /** At the last self-test that passed; null before the first. */
    comms: text('comms', { enum: COMMS_MODES }),
    /** When WhatsApp first acknowledged a message on it after a self-test that passed. */
    provenAt: instant('proven_at'),
    /** When the kept document did not load, or WhatsApp refused it as too old. */
    unservedAt: instant('unserved_at'),
    /** The number that tries it first, and until when the others wait for it. */
    tryingNumberId: text('trying_number_id').references(() => numbers.id, { onDelete: 'set null' }),
    tryingUntil: instant('trying_until'),
    /** Compressed with gzip; kept for the newest builds that work or are not yet proven. */
    document: bytes('document'),
  },
  (t) => [primaryKey({ columns: [t.network, t.version] })],
);
