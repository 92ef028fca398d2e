import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { type AccountContext, type AccountScope, inside } from '#server/platform/db/context.ts';
import { audit } from './audit.ts';
import { findRetention, type Retention, updateRetention } from './queries/accounts.ts';

export type { Retention } from './queries/accounts.ts';

/** The maximum, and the default until an account lowers it. */
export const RETENTION_MOST = {
  textRetentionDays: 30,
  metadataRetentionDays: 90,
} as const satisfies Retention;

/** How long an account keeps its messages. Throws `not_found`. */
export async function retentionOf({ database, accountId }: AccountScope): Promise<Retention> {
  const found = await findRetention(database.db, { accountId });
  if (!found) throw notFound('account');
  return found;
}

/**
 * Changes how long an account keeps its messages, up to the maximum. Older ones are erased within minutes. Throws
 * `not_found`, `invalid_parameters`.
 */
export async function setRetention(
  context: AccountContext,
  { textRetentionDays, metadataRetentionDays }: Retention,
): Promise<Retention> {
  const { database, accountId, actor } = context;
  const given = { textRetentionDays, metadataRetentionDays };
  for (const name of Object.keys(RETENTION_MOST) as (keyof Retention)[]) {
    const most = RETENTION_MOST[name];
    if (!Number.isInteger(given[name]) || given[name] < 0 || given[name] > most)
      throw new AppError('invalid_parameters', `${WORDS[name]} must be a whole number from 0 to ${most}.`);
  }
  return database.db.transaction(async (tx) => {
    if (!(await updateRetention(tx, { accountId, ...given }))) throw notFound('account');
    await audit(tx, {
      actor,
      accountId,
      action: 'account.retention',
      target: accountId,
      detail: given,
    });
    return retentionOf(inside(tx, context));
  });
}

const WORDS = {
  textRetentionDays: 'The days for texts',
  metadataRetentionDays: 'The days for everything else',
} as const satisfies Record<keyof Retention, string>;
