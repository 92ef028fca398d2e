import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { notFound } from '#server/core/not-found.ts';
import { notifyOfAccount } from '#server/numbers/queries/numbers.ts';
import type { AccountContext, AccountScope, InstallationScope } from '#server/platform/db/context.ts';
import { requireNumbersIncluded } from './numbers-included.ts';
import {
  type AnyPlanRequestRow,
  deletePlanRequest,
  findPlanRequest,
  listPlanRequestRows,
  type PlanRequestRow,
  putPlanRequest,
} from './queries/plan-requests.ts';

export type { AnyPlanRequestRow, PlanRequestRow } from './queries/plan-requests.ts';

const CONTACT_CHARS_MAX = 200;
const NOTE_CHARS_MAX = 500;
const LISTED_MAX = 200;

/**
 * Asks the administrator for a plan, or changes the open request. An alert mails the administrators, at most once
 * a day for each account. Throws `invalid_parameters`.
 */
export async function requestPlan(
  { database, accountId, actor }: AccountContext,
  input: { numbers: number; contact: string; note: string },
): Promise<void> {
  requireNumbersIncluded(input.numbers);
  const contact = cleanLine('The contact', input.contact, CONTACT_CHARS_MAX);
  const note = cleanLine('The note', input.note, NOTE_CHARS_MAX);
  if (contact === '')
    throw new AppError(
      'invalid_parameters',
      'Enter a contact, such as a phone number or an email address. The administrator needs it to reach you.',
    );
  await database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    const requestedBy = actor.kind === 'user' ? actor.userId : null;
    const { numbers } = input;
    await putPlanRequest(tx, { id: newId('planRequest'), accountId, numbers, contact, note, requestedBy });
    await notifyOfAccount(tx, { accountId });
    const detail = { numbersIncluded: numbers };
    await audit(tx, { actor, accountId, action: 'plan.request', target: accountId, detail });
  });
}

/**
 * Removes the open request: the customer withdraws it, or the administrator dismisses it. Repeating it changes
 * nothing. Throws `not_found`.
 */
export async function withdrawPlanRequest({ database, accountId, actor }: AccountContext): Promise<void> {
  await database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    if (!(await deletePlanRequest(tx, { accountId }))) return;
    await notifyOfAccount(tx, { accountId });
    const entry = { actor, accountId, target: accountId };
    await audit(tx, { ...entry, action: 'plan.withdraw_request' });
  });
}

/** The account's open request; null when there is none. */
export function planRequestOf({ database, accountId }: AccountScope): Promise<PlanRequestRow | null> {
  return findPlanRequest(database.db, { accountId });
}

/** For the administrator: the open requests of all accounts that are not suspended, oldest first. */
export function listPlanRequests({ database: { db } }: InstallationScope): Promise<AnyPlanRequestRow[]> {
  return listPlanRequestRows(db, { limit: LISTED_MAX });
}
