import { foreignKey, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { NETWORKS } from '#server/core/number-state.ts';
import { instant } from './columns.ts';
import { numbers } from './numbers.ts';
import { pageBuilds } from './page-builds.ts';

/** Numbers whose page failed its self-test on a build, until it passes there. */
export const pageBuildFailures = pgTable(
  'page_build_failures',
  {
    network: text('network', { enum: NETWORKS }).notNull(),
    version: text('version').notNull(),
    numberId: text('number_id')
      .notNull()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    /** In a row, each in a fresh document. */
    failures: integer('failures').notNull(),
    /** The version of Wirebird that tested it. */
    testedBy: text('tested_by').notNull(),
    failedAt: instant('failed_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.network, t.version, t.numberId] }),
    foreignKey({
      columns: [t.network, t.version],
      foreignColumns: [pageBuilds.network, pageBuilds.version],
      name: 'page_build_failures_build_fk',
    }).onDelete('cascade'),
  ],
);
