import { cleanLine } from '#server/core/clean-line.ts';
import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { updateNumber } from './queries/numbers.ts';

/** Names a number for its owner; empty takes the name away. Throws `not_found`, `invalid_parameters`. */
export async function setLabel(
  database: Database,
  params: NumberChange & { label: string },
): Promise<NumberView> {
  const label = cleanLine('The label', params.label);
  return changeNumber(database, { ...params, action: 'number.label' }, async (tx, number) => {
    if (number.label === label) return null;
    await updateNumber(tx, { ...params, set: { label } });
    return {};
  });
}
