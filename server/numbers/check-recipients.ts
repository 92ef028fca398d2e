import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import { shownStatus } from '#server/core/number-state.ts';
import { notConnectedError } from '#server/core/number-status-errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { NumberScope } from '#server/platform/db/context.ts';
import { settings } from '#server/settings.ts';
import { lockNumber } from './queries/numbers.ts';
import { countChecks, type KnownPhone, listKnownPhones, queueChecks } from './queries/recipient-checks.ts';

/** `pending`: WhatsApp has not been asked yet. */
export interface CheckedRecipient {
  digits: string;
  status: 'on_whatsapp' | 'not_on_whatsapp' | 'pending';
  checkedAt: Date | null;
}

/** How long a request waits for answers; the others are `pending`. */
const ANSWER_WITHIN_MS = 20_000;
const LOOK_MS = 250;
const DAY_MS = 86_400_000;

/**
 * Whether these phones are on WhatsApp: from stored answers if there are any, otherwise by the number's worker,
 * one look-up per interval. Throws `not_connected` and `check_limit` before anything is looked up, but neither if
 * all answers are known.
 */
export async function checkRecipients(
  scope: NumberScope & { accountId: string },
  { digits, signal }: { digits: readonly string[]; signal: AbortSignal },
): Promise<CheckedRecipient[]> {
  const { database, numberId } = scope;
  const all = [...new Set(digits)];
  const look = () => listKnownPhones(database.db, { numberId, digits: all });
  let known = await look();
  const missing = () => all.filter((one) => !known.some((row) => row.digits === one));
  const unknown = missing();
  if (unknown.length > 0) {
    await queue(scope, unknown);
    const until = performance.now() + ANSWER_WITHIN_MS;
    while (missing().length > 0 && performance.now() < until && !signal.aborted) {
      await delay(LOOK_MS);
      known = await look();
    }
  }
  return all.map((one) => checkedOf(one, known));
}

async function queue(
  { database, accountId, numberId }: NumberScope & { accountId: string },
  digits: string[],
): Promise<void> {
  await database.db.transaction(async (tx) => {
    const number = await lockNumber(tx, { accountId, numberId });
    if (!number) throw new AppError('instance_not_found', OUTCOMES.instance_not_found.says);
    const status = shownStatus(number);
    if (status !== 'CONNECTED') {
      const error = notConnectedError({ status, blockedLeftMs: null }, 'Nothing was looked up.');
      throw new AppError('not_connected', error.message, {
        numberStatus: status,
        ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      });
    }
    const { count, firstAgoMs, waiting } = await countChecks(tx, { numberId, digits });
    const limit = settings.recipientChecksPerDay;
    if (count + digits.length - waiting > limit)
      throw new AppError('check_limit', OUTCOMES.check_limit.says(limit, Math.max(0, limit - count)), {
        retryAfterSeconds: Math.ceil((DAY_MS - (firstAgoMs ?? 0)) / 1000),
      });
    await queueChecks(tx, { numberId, digits });
  });
}

function checkedOf(digits: string, known: KnownPhone[]): CheckedRecipient {
  const row = known.find((one) => one.digits === digits);
  if (!row) return { digits, status: 'pending', checkedAt: null };
  return { digits, status: row.found ? 'on_whatsapp' : 'not_on_whatsapp', checkedAt: row.at };
}
