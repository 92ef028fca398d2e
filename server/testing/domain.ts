import { randomBytes, randomInt } from 'node:crypto';
import { addDays } from '#server/core/access.ts';
import { newId } from '#server/core/id.ts';
import type { Holding } from '#server/core/lease.ts';
import type { MessageContent } from '#server/core/message.ts';
import { parseOutcome } from '#server/core/message-outcome.ts';
import type { Network } from '#server/core/number-state.ts';
import type { OutcomeCode } from '#server/core/outcomes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { insertMessage } from '#server/messages/queries/admission.ts';
import { outcomeText } from '#server/messages/queries/message-error.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { claimLeases } from '#server/numbers/queries/leases.ts';
import { settleIntent, writeLinked, writeStatus } from '#server/numbers/queries/sessions.ts';
import { openSignIn } from '#server/people/sign-in.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import type { WithSql } from './sql.ts';

/** Test data for use cases: accounts with a plan, and numbers that a worker has linked. */

export const CLI = { kind: 'cli' } as const;
export const PASSWORD = 'tinker gravel ounce moth';
export const IN_A_MONTH = addDays(new Date().toISOString().slice(0, 10), 30);

export function freshEmail(): string {
  return `ann-${randomBytes(6).toString('hex')}@example.org`;
}

/** A new account, with a plan for `numbersIncluded` numbers unless that is 0. */
export async function makeAccount(
  database: WithSql,
  numbersIncluded = 3,
): Promise<{ accountId: string; userId: string; email: string }> {
  const made = await signUp({ database }, { email: freshEmail(), password: PASSWORD, operator: CLI });
  if (numbersIncluded > 0)
    await activatePlan({ database, ...made, actor: CLI }, { numbersIncluded, paidUntil: IN_A_MONTH });
  return made;
}

/** What is known about the browser in which a user has just signed in. */
export async function signedIn(database: WithSql, params: { userId: string }): Promise<{ signInId: string }> {
  const [user] = await database.sql<{ version: number }[]>`
    select session_version as version from users where id = ${params.userId}`;
  const { version = 0 } = user ?? {};
  const made = await openSignIn(
    { database },
    { ...params, version, address: '192.0.2.7', userAgent: 'a test' },
  );
  if (!made) throw new Error(`${params.userId} could not sign in`);
  return { signInId: made.signInId };
}

export async function makeNumber(
  database: WithSql,
  params: { accountId: string; network?: Network; label?: string },
): Promise<string> {
  const { network = 'sandbox' } = params;
  return (await addNumber({ database, ...params, actor: CLI }, { ...params, network })).id;
}

/** What a worker does when a phone has scanned the code: the number is linked, ready and under a lease. */
export async function linkAsWorker(
  database: WithSql,
  params: { numberId: string; phone?: string },
): Promise<Holding> {
  const { numberId, phone = `4915${randomInt(1e9, 1e10)}` } = params;
  await database.sql`update numbers set intent = 'link', intent_revision = intent_revision + 1 where id = ${numberId}`;
  const workerId = newId('worker');
  const claimed = await claimLeases(database, { workerId, volumeId: 'vol_test', most: 1000, free: 1000 });
  const lease = claimed.find((one) => one.numberId === numberId);
  if (!lease) throw new Error(`the lease of ${numberId} could not be claimed`);
  const holding = { numberId, workerId, fence: lease.fence };
  await writeLinked(database, holding, { phone });
  await writeStatus(database, holding, { status: 'CONNECTED', cause: null });
  // Nobody renews it here, and on a busy machine a test takes longer than a normal lease.
  await database.sql`
    update leases set renewed_at = clock_timestamp() + interval '1 hour', expires_at = clock_timestamp() + interval '1 hour'
    where number_id = ${numberId}`;
  return holding;
}

/** What a worker does when it has carried out an unlinking. */
export async function settleAsWorker(database: WithSql, holding: Holding): Promise<void> {
  const [row] = await database.sql<{ revision: number }[]>`
    select intent_revision as revision from numbers where id = ${holding.numberId}`;
  await settleIntent(database, holding, { intent: 'idle', revision: row?.revision ?? 0 });
  await database.sql`update leases set worker_id = null, expires_at = null where number_id = ${holding.numberId}`;
}

/** A message that waits in a number's queue. */
export async function queueMessage(
  database: WithSql,
  params: {
    accountId: string;
    numberId: string;
    keyId?: string | null;
    content?: MessageContent;
    recipient?: string;
  },
): Promise<string> {
  const {
    content = { type: 'text', body: 'Good morning' },
    recipient = '4915228817386@c.us',
    keyId = null,
  } = params;
  const id = newId('message');
  await database.sql.begin((sql) =>
    insertMessage(sql.db, {
      id,
      accountId: params.accountId,
      numberId: params.numberId,
      apiKeyId: keyId,
      type: content.type,
      recipient: recipient as Recipient,
      content,
      lane: 'async',
      deadlineMs: 60_000,
      mediaStatus: 'none',
      requestId: null,
      requestHash: null,
      reference: null,
      idempotencyKey: null,
      webId: null,
    }),
  );
  return id;
}

/** The state of a message. */
export async function messageState(
  database: WithSql,
  messageId: string,
): Promise<{ status: string; errorCode: string | null; error: string | null; events: string[] }> {
  const [row] = await database.sql<
    { status: string; errorCode: OutcomeCode | null; outcome: unknown; events: string[] }[]
  >`
    select status, error_code as "errorCode", outcome,
      array(select event from message_events e where e.message_id = m.id order by e.id) as events
    from messages m where id = ${messageId}`;
  if (!row) throw new Error(`there is no message ${messageId}`);
  const { outcome, errorCode, ...rest } = row;
  const error = errorCode && outcomeText({ errorCode, outcome: parseOutcome(outcome) });
  return { ...rest, errorCode, error };
}
