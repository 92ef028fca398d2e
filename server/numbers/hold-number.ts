import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { setHeld } from './queries/numbers.ts';

/** Holds a number: it stays linked and sends nothing until released. Throws `not_found`. */
export async function holdNumber(database: Database, params: NumberChange): Promise<NumberView> {
  return changeNumber(database, { ...params, action: 'number.hold' }, async (tx, number) => {
    if (number.held) return null;
    await setHeld(tx, { ...params, held: true });
    return { waiting: number.waiting };
  });
}
