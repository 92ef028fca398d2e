import type { AccountScope } from '#server/platform/db/context.ts';
import { type ApiKeyRow, findHangUps, type HangUps, listApiKeyRows } from './queries/api-keys.ts';

export type { ApiKeyRow } from './queries/api-keys.ts';

const HANG_UP_DAYS = 7;
/** Fewer are accidents; this many mean that the program's timeout is too short. */
const HANG_UPS_LEAST = 3;

export interface ListedKey extends ApiKeyRow {
  /** How often its program hung up before the answer in the last 7 days; null if rarely. */
  hangUps: HangUps | null;
}

/** An account's API keys, newest first, revoked ones included. */
export async function listApiKeys({ database, accountId }: AccountScope): Promise<ListedKey[]> {
  const { db } = database;
  const [rows, hangUps] = await Promise.all([
    listApiKeyRows(db, { accountId }),
    findHangUps(db, { accountId, days: HANG_UP_DAYS, least: HANG_UPS_LEAST }),
  ]);
  const ofKey = new Map(hangUps.map(({ keyId, ...hungUp }) => [keyId, hungUp]));
  return rows.map((row) => ({ ...row, hangUps: ofKey.get(row.id) ?? null }));
}
