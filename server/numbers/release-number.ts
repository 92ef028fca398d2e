import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { setHeld } from './queries/numbers.ts';

/** Releases a number that was held: its queue goes out at its pace, what is set aside stays. Throws `not_found`. */
export async function releaseNumber(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.release' }, async (tx, number) => {
    if (!number.held) return null;
    await setHeld(tx, { ...params, held: false });
    return { waiting: number.waiting };
  });
}
