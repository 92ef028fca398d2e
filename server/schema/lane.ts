import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import type { Lane } from '#server/core/pacing/lanes.ts';

/** How `sync` is stored. Older processes of a rolling update, and backups, use this word, so the rows keep it. */
const STORED_SYNC = 'plain';

/** A lane as its column holds it, for SQL written by hand. */
export const storedLane = (lane: Lane): string => (lane === 'sync' ? STORED_SYNC : lane);

/** Is the message `row` in the sync lane? An equality with a literal, so that the index of waiting messages serves it. */
export const isSync = (row: string) =>
  sql<boolean>`${sql.identifier(row)}.lane = ${STORED_SYNC}`.inlineParams();

/** The lane of the message `row`, as `Lane` names it. */
export const laneOf = (row: string) =>
  sql<Lane>`case when ${isSync(row)} then 'sync' else ${sql.identifier(row)}.lane end`;

export const laneColumn = customType<{ data: Lane; driverData: string }>({
  dataType: () => 'text',
  toDriver: storedLane,
  fromDriver: (stored) => (stored === STORED_SYNC ? 'sync' : 'async'),
});
