import type { Database } from '#server/platform/db/client.ts';
import { changeNumber, type NumberChange } from './change-number.ts';
import type { NumberView } from './number-view.ts';
import { setProtected } from './queries/number-health.ts';

/** Protects a number from WhatsApp's restrictions, or no longer. Throws `not_found`. */
export async function setProtection(
  database: Database,
  params: NumberChange & { on: boolean },
): Promise<NumberView> {
  const { on } = params;
  return changeNumber(database, { ...params, action: 'number.protection' }, async (tx, number) => {
    if (number.protected === on) return null;
    await setProtected(tx, params);
    return { from: number.protected, to: on };
  });
}
