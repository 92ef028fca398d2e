import { randomInt } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import { lockAccount } from '#server/accounts/queries/accounts.ts';
import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { newId } from '#server/core/id.ts';
import { notFound } from '#server/core/not-found.ts';
import type { Network } from '#server/core/number-state.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { pick } from '#server/core/pick.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type AccountContext, inside } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { getNumber } from './get-number.ts';
import { requireSendInterval } from './number-settings.ts';
import type { NumberView } from './number-view.ts';
import { countNeverLinked, insertNumber, isSandboxPhoneTaken } from './queries/numbers.ts';
import { WORDS } from './words.ts';

/**
 * Adds a number, unlinked; one of the sandbox gets a virtual phone. Needs no plan. Throws
 * `not_found` for the account, `invalid_parameters` for label or interval, `forbidden` for a sandbox that is
 * switched off, and when too many numbers of the account were never linked.
 */
export async function addNumber(
  context: AccountContext,
  input: { network: Network; label?: string | undefined; sendIntervalSeconds?: number | undefined },
): Promise<NumberView> {
  const { database, accountId, actor } = context;
  const { network, sendIntervalSeconds = SEND_INTERVAL_SECONDS.default } = input;
  if (network === 'sandbox' && !settings.sandbox) throw new AppError('forbidden', WORDS.sandboxOff);
  const label = cleanLine('The label', input.label ?? '');
  requireSendInterval(sendIntervalSeconds);
  const numberId = newId('number');
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    await requireRoom(tx, accountId);
    const sandboxPhone = network === 'sandbox' ? await freeSandboxPhone(tx) : null;
    await insertNumber(tx, { id: numberId, accountId, network, label, sandboxPhone, sendIntervalSeconds });
    const number = await getNumber(inside(tx, context), { numberId });
    await audit(tx, {
      actor,
      accountId,
      action: 'number.add',
      target: numberId,
      detail: { network, ...pick(number, 'sendIntervalSeconds', 'protected') },
    });
    return number;
  });
}

/** Each number has a lease that workers look after, linked or not. */
const NEVER_LINKED_MAX = 50;

async function requireRoom(db: Db, accountId: string): Promise<void> {
  if ((await countNeverLinked(db, { accountId })) < NEVER_LINKED_MAX) return;
  throw new AppError(
    'forbidden',
    `This account has ${NEVER_LINKED_MAX} numbers that were never linked, which is the maximum. Link or remove one before you add another.`,
  );
}

/** Digits that no virtual phone has yet, in a range that the world's numbering plan leaves empty. */
async function freeSandboxPhone(db: Db): Promise<string> {
  for (;;) {
    const sandboxPhone = `999${String(randomInt(1_000_000_000)).padStart(9, '0')}`;
    if (!(await isSandboxPhoneTaken(db, { sandboxPhone }))) return sandboxPhone;
  }
}
