import { sql, TransactionRollbackError } from 'drizzle-orm';
import {
  deletePeople,
  listOnlyMembers,
  markDeleted,
  pseudonymise,
  revokeAllKeys,
} from '#server/accounts/queries/deletion.ts';
import { readAudit, readMessages, readParts, readRequests } from '#server/accounts/queries/export.ts';
import { limitExpiry } from '#server/api-keys/queries/api-keys.ts';
import { areInBlocks, findBlocks } from '#server/messages/queries/block-search.ts';
import { findStretch } from '#server/messages/queries/message-filter.ts';
import { exportedMessages } from '#server/messages/queries/message-list.ts';
import { continueAsync, endWaiting, findMessage } from '#server/messages/queries/outcomes.ts';
import { readScheduleAhead } from '#server/messages/queries/schedule.ts';
import { setProtected } from '#server/numbers/queries/number-health.ts';
import { countChecks } from '#server/numbers/queries/recipient-checks.ts';
import { setDisabled } from '#server/people/queries/passwords.ts';
import {
  putRecoveryCodes,
  startSecondFactor,
  takeRecoveryCode,
  takeStep,
} from '#server/people/queries/second-factors.ts';
import { markEmailConfirmed, setEmail } from '#server/people/queries/users.ts';
import { countDay, noteTrialUse } from '#server/plans/queries/trials.ts';
import type { WithSql } from '#server/testing/sql.ts';
import type { Things } from './missing.ts';

/** Queries that run only after many seconds, with a correct code, or for the operator. */
export async function callRareQueries(database: WithSql, ours: Things): Promise<void> {
  const { accountId, keyId, userId, numberId, messageId } = ours;
  const late = { errorCode: 'deadline_passed', error: 'Too late.' } as const;
  await continueAsync(database.db, { numberId, messageId });
  await endWaiting(database.db, { numberId, messageId, deadlineWithinMs: 1e9, status: 'expired', ...late });
  await findMessage(database.db, { numberId, messageId });
  await readScheduleAhead(database.db, { numberId, sendAt: new Date(Date.now() + 1e9) });
  await database.db.transaction((tx) => countChecks(tx, { numberId, digits: [] }));
  await takeStep(database.db, { userId, step: 1 });
  await takeRecoveryCode(database.db, { userId, codeHash: 'none' });
  await putRecoveryCodes(database.db, { userId, codeHashes: ['none'] });
  await startSecondFactor(database.db, { userId });
  await setDisabled(database.db, { userId, disabled: true });
  await readParts(database.db, { accountId });
  await readMessages(database.db, { accountId, after: 0, limit: 100 });
  await readRequests(database.db, { accountId, after: 0, limit: 100 });
  await readAudit(database.db, { accountId, after: 0, limit: 100 });
  await exportedMessages(database.db, { accountId, before: null, limit: 100 });
  const [latest] = await database.sql<{ seq: number }[]>`
    select max(seq)::int as seq from messages where account_id = ${accountId} and hung_up_after_ms is not null`;
  const before = latest?.seq ?? null;
  const since = new Date(0);
  await exportedMessages(database.db, { accountId, since, before, limit: 100 });
  await findStretch(database.db, { accountId, since, before: null, rows: 1 });
  await exportedMessages(database.db, { accountId, status: 'sent', before: null, limit: 100 });
  await findStretch(database.db, { accountId, before: null, rows: 1 });
  await findStretch(database.db, { accountId, numberId, before: null, rows: 1 });
  // The last message of all is ours.
  const end = { seq: before ?? 0, createdAt: new Date() };
  await areInBlocks(database.db, { accountId, end });
  const all = { accountId, end, grams: [[]] };
  await findBlocks(database.db, { ...all, numberId, limit: 100 });
  await findBlocks(database.db, { ...all, limit: 0 });
  await countDay(database.db, { accountId });
  await limitExpiry(database.db, { accountId, keyId, overlapHours: 1 });
  // Changes a number's protection and deletes an account. This transaction is rolled back.
  await database.db
    .transaction(async (tx) => {
      await setProtected(tx, { accountId, numberId, on: true });
      await setProtected(tx, { accountId, numberId, on: false });
      await tx.execute(sql`update users set email_confirmed_at = null`);
      await markEmailConfirmed(tx, { userId });
      await setEmail(tx, { userId, email: 'nobody@released.invalid' });
      await noteTrialUse(tx, { accountId, numberId });
      await listOnlyMembers(tx, { accountId });
      await revokeAllKeys(tx, { accountId });
      await pseudonymise(tx, { accountId, userIds: [] });
      await deletePeople(tx, { accountId, userIds: [] });
      await markDeleted(tx, { accountId });
      tx.rollback();
    })
    .catch((error: unknown) => {
      if (!(error instanceof TransactionRollbackError)) throw error;
    });
}
