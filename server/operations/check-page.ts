import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '#server/core/errors.ts';
import type { PageCheck } from '#server/core/page-check.ts';
import { getNumber, type OfNumber } from '#server/numbers/get-number.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { askForCheck, findCheck } from './queries/number-checks.ts';

const POLL_MS = 200;
/** Preparing three files takes a few seconds on a busy server. */
const LIMIT_MS = 120_000;

/**
 * Runs the self-test on a connected number's page and returns its result. Nothing is sent. Throws `not_found`,
 * `not_connected`, `unavailable`.
 */
export async function checkPage(scope: AccountScope, number: OfNumber): Promise<PageCheck> {
  const { db } = scope.database;
  const { status, statusReason } = await getNumber(scope, number);
  if (status !== 'CONNECTED')
    throw new AppError('not_connected', `The number is ${status}. ${statusReason ?? 'Link it first.'}`);
  await askForCheck(db, number);
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await findCheck(db, number);
    if (answer?.result) return answer.result;
    if (answer?.answeredAt)
      throw new AppError('unavailable', 'The page could not be tested. The worker’s log says why.');
    if (performance.now() > until)
      throw new AppError('unavailable', `No worker has tested the page within ${LIMIT_MS / 1000} s.`);
    await delay(POLL_MS);
  }
}
