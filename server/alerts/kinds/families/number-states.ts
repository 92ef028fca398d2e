import { toNumberView } from '#server/numbers/number-view.ts';
import { findNumberRows } from '#server/numbers/queries/numbers.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { FoundAlert } from '../../queries/found.ts';

/** For alerts about numbers: what decides what happens to new messages of each; null if it is gone. */
export async function statesOf(database: Database, alerts: readonly FoundAlert[]) {
  const numberIds = alerts.flatMap(({ numberId }) => numberId ?? []);
  const rows = await findNumberRows(database.db, { numberIds });
  const states = new Map(
    rows.map((row) => {
      const { access, status, held } = toNumberView(row);
      return [row.id, { access, status, held }] as const;
    }),
  );
  return ({ numberId }: FoundAlert) => states.get(numberId ?? '') ?? null;
}
