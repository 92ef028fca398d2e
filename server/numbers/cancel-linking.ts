import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { setIntent, setStatus } from './queries/numbers.ts';

/** Ends linking before its time. A phone that was linked just before stays linked. Throws `not_found`. */
export async function cancelLinking(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.link_cancel' }, async (tx, number) => {
    if (number.intent !== 'link' || number.status === 'SYNCING' || number.status === 'CONNECTED') return null;
    await setIntent(tx, { ...params, intent: 'idle' });
    if (number.status === 'LINKING') await setStatus(tx, { ...params, status: 'UNLINKED', reason: null });
    return {};
  });
}
