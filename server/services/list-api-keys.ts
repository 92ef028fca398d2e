import type { Db } from '#server/db/client.ts';
import { type ApiKeyRow, listApiKeyRows } from '#server/store/api-keys.ts';

export type { ApiKeyRow } from '#server/store/api-keys.ts';

/** An account's API keys, newest first, revoked ones included. */
export function listApiKeys(db: Db, params: { accountId: string }): Promise<ApiKeyRow[]> {
  return listApiKeyRows(db, params);
}
