import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { type AccountContext, type AccountScope, inside } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { audit } from './audit.ts';
import {
  findAccountSettings,
  findCountsTimeZone,
  hasTimeZone,
  updateAccountSettings,
} from './queries/account-settings.ts';
import {
  lockAccount,
  hasAcceptedRisk as readAccepted,
  acceptRisk as writeAccepted,
} from './queries/accounts.ts';

const TIME_ZONE_HINT = 'The time zone must be one such as Europe/Berlin.';

/** An account's name and the time zone of its mails, days and months. Throws `not_found`. */
export async function accountSettings({ database, accountId }: AccountScope) {
  const found = await findAccountSettings(database.db, { accountId });
  if (!found) throw notFound('account');
  /** The time zone is an IANA name; null for the installation's, which accounts without their own use. */
  return { ...found, installationTimeZone: settings.timeZone };
}

/** The time zone in which an account's hours and days are counted. A new one applies once it was counted again. */
export async function countsTimeZone({ database, accountId }: AccountScope): Promise<string> {
  return (await findCountsTimeZone(database.db, { accountId })) ?? settings.timeZone;
}

/** Renames an account. Throws `not_found`, `invalid_parameters` for an empty or a long name. */
export async function renameAccount(context: AccountContext, input: { name: string }) {
  const name = cleanLine('The account name', input.name);
  if (name === '') throw new AppError('invalid_parameters', 'Enter a name for the account.');
  return change(context, { action: 'account.rename', set: { name } });
}

/**
 * Chooses the time zone of an account's mails, days and months; null returns to the installation's. Figures follow
 * within a minute. Throws `not_found`, `invalid_parameters` for a zone that the calendar or the database does not know.
 */
export async function setTimeZone(context: AccountContext, { timeZone }: { timeZone: string | null }) {
  if (timeZone !== null && !(isTimeZone(timeZone) && (await hasTimeZone(context.database.db, { timeZone }))))
    throw new AppError('invalid_parameters', TIME_ZONE_HINT);
  return change(context, { action: 'account.time_zone', set: { timeZone } });
}

/** Whether the text is a name such as Europe/Berlin, not an offset such as +02:00. */
function isTimeZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}

/** Makes one change with its audit log entry, unless the value stays the same. */
async function change(
  context: AccountContext,
  { action, set }: { action: string; set: { name: string } | { timeZone: string | null } },
) {
  const { database, accountId, actor } = context;
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    const before = await accountSettings(inside(tx, context));
    const changes = Object.entries(set).some(([field, value]) => before[field as 'name'] !== value);
    if (!changes) return before;
    await updateAccountSettings(tx, { accountId, set });
    // A name can be a person's, and the log outlives the account.
    const detail = 'timeZone' in set ? { from: before.timeZone, to: set.timeZone } : null;
    await audit(tx, { actor, accountId, action, target: accountId, detail });
    return accountSettings(inside(tx, context));
  });
}

/** Records, once for each account, that a member has read the risks of linking a real number. */
export async function acceptRisk({ database, accountId, actor }: AccountContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (await writeAccepted(tx, { accountId }))
      await audit(tx, { actor, accountId, action: 'account.accept_risk', target: accountId, detail: {} });
  });
}

/** Whether a member of the account has read the risks of linking a real number. */
export function hasAcceptedRisk({ database, accountId }: AccountScope): Promise<boolean> {
  return readAccepted(database.db, { accountId });
}
