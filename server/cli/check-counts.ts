import { COUNTS_DIFFERED } from '#server/operations/keep-counts.ts';
import type { Database } from '#server/platform/db/client.ts';
import { findFact } from '#server/platform/db/facts.ts';
import type { Finding } from './findings.ts';

/** If the last nightly comparison found wrong figures. They are corrected, but there is a cause. */
export async function findWrongCounts(database: Database): Promise<Finding[]> {
  const differed = await findFact(database.db, { key: COUNTS_DIFFERED });
  if (differed === null) return [];
  const { at, corrected } = JSON.parse(differed) as { at: string; corrected: number };
  return [
    {
      ...{ check: 'counts', ok: true, todo: '' },
      found: `${corrected} differed from the messages on ${at.slice(0, 10)}, and were corrected`,
      warning: 'Report this: counts should never differ.',
    },
  ];
}
