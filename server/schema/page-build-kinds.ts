import { foreignKey, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { NETWORKS } from '#server/core/number-state.ts';
import { instant } from './columns.ts';
import { numbers } from './numbers.ts';
import { pageBuilds } from './page-builds.ts';

/** Which kinds of messages a build of WhatsApp Web can send. */
export const pageBuildKinds = pgTable(
  'page_build_kinds',
  {
    network: text('network', { enum: NETWORKS }).notNull(),
    version: text('version').notNull(),
    kind: text('kind', { enum: MESSAGE_TYPES }).notNull(),
    /** When it was last tested, or a message of it failed. */
    testedAt: instant('tested_at').notNull(),
    /** The version of Wirebird that tested it. */
    testedBy: text('tested_by').notNull(),
    /** What differs, in a clause; null if it passed. */
    failedCheck: text('failed_check'),
    /** When WhatsApp first acknowledged a message of this kind. */
    provenAt: instant('proven_at'),
    /** The number whose message of this kind is under way, while the kind is not proven, and until when others wait. */
    tryingNumberId: text('trying_number_id').references(() => numbers.id, { onDelete: 'set null' }),
    tryingUntil: instant('trying_until'),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.version, t.kind] }),
    foreignKey({
      name: 'page_build_kinds_build_fk',
      columns: [t.network, t.version],
      foreignColumns: [pageBuilds.network, pageBuilds.version],
    }).onDelete('cascade'),
  ],
);
