import { notFound } from '#server/core/not-found.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type NumberView, toNumberView } from './number-view.ts';
import { findNumberRow, type NumberRef } from './queries/numbers.ts';

/** One number of an account. Throws `not_found`. */
export async function getNumber(db: Db, params: NumberRef): Promise<NumberView> {
  const row = await findNumberRow(db, params);
  if (!row) throw notFound('number');
  return toNumberView(row);
}
