import { and, asc, eq, gt, sql } from 'drizzle-orm';
import { type Cause, parseCause } from '#server/core/number/cause.ts';
import { sayCause } from '#server/core/number/say.ts';
import { pick } from '#server/core/pick.ts';
import { messageError } from '#server/messages/queries/message-error.ts';
import type { Db } from '#server/platform/db/client.ts';
import {
  accounts,
  apiKeys,
  auditActors,
  auditLog,
  memberships,
  messages,
  numbers,
  payments,
  planRequests,
  requests,
  subscriptions,
  users,
  webhookEndpoints,
} from '#server/schema/index.ts';
import { settings } from '#server/settings.ts';

type Row = Record<string, unknown>;

const causeText = (cause: Cause | null) => cause && sayCause(cause, settings);

// Drizzle omits the table's name in a select from one table, so these subqueries spell it out. JSON takes PostgreSQL a
// third of the time of JSONB.
const history = sql<{ status: string; cause: unknown; at: string }[]>`coalesce((
  select json_agg(json_build_object('status', e.status, 'cause', e.cause, 'at', e.at) order by e.id)
  from number_events e where e.number_id = numbers.id), '[]')`;
const lookUps = sql`coalesce((
  select json_agg(json_build_object('digits', l.digits, 'found', l.found, 'address', l.address, 'at', l.at) order by l.at)
  from look_ups l where l.number_id = numbers.id), '[]')`;
const recipients = sql`coalesce((
  select json_agg(json_build_object('to', r.recipient, 'askedAt', r.asked_at, 'knownAt', r.known_at,
    'refusedAt', r.refused_at) order by r.recipient)
  from recipients r where r.number_id = numbers.id), '[]')`;
const timeline = sql`coalesce((
  select json_agg(json_build_object('event', e.event, 'detail', e.detail, 'at', e.at) order by e.id)
  from message_events e where e.message_id = messages.id), '[]')`;

/** All data of an account except messages, requests and audit log, each part under the name of its file. */
export async function readParts(db: Db, params: { accountId: string }): Promise<Record<string, Row[]>> {
  const { accountId } = params;
  return {
    account: await db
      .select({
        ...pick(accounts, 'id', 'name', 'timeZone', 'savedViews', 'createdAt', 'textRetentionDays'),
        metadataRetentionDays: accounts.metadataRetentionDays,
      })
      .from(accounts)
      .where(eq(accounts.id, params.accountId)),
    people: await db
      .select({ id: users.id, email: users.email, role: memberships.role, createdAt: users.createdAt })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.accountId, accountId))
      .orderBy(asc(users.id)),
    numbers: await readNumbers(db, { accountId }),
    keys: await db
      .select({
        id: apiKeys.id,
        numberId: numbers.id,
        ...pick(apiKeys, 'name', 'hint', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'),
      })
      .from(apiKeys)
      .innerJoin(
        numbers,
        and(eq(numbers.id, apiKeys.numberId), sql`numbers.account_id = api_keys.account_id`),
      )
      .where(eq(apiKeys.accountId, accountId))
      .orderBy(asc(apiKeys.id)),
    plan: await db
      .select(pick(subscriptions, 'numbersIncluded', 'paidUntil', 'endedAt'))
      .from(subscriptions)
      .where(eq(subscriptions.accountId, accountId)),
    payments: await db
      .select(pick(payments, 'id', 'amountCents', 'numbersIncluded', 'paidUntil', 'createdAt'))
      .from(payments)
      .where(eq(payments.accountId, accountId))
      .orderBy(asc(payments.id)),
    planRequests: await db
      .select(pick(planRequests, 'id', 'numbers', 'contact', 'note', 'paymentId', 'createdAt'))
      .from(planRequests)
      .where(eq(planRequests.accountId, accountId))
      .orderBy(asc(planRequests.id)),
    webhooks: await db
      .select(
        pick(webhookEndpoints, 'id', 'numberId', 'url', 'events', 'active', 'lastSuccessAt', 'createdAt'),
      )
      .from(webhookEndpoints)
      .where(eq(webhookEndpoints.accountId, accountId))
      .orderBy(asc(webhookEndpoints.id)),
  };
}

/** One statement for each number, because some have hundreds of thousands of recipients. */
async function readNumbers(db: Db, { accountId }: { accountId: string }): Promise<Row[]> {
  const read: Row[] = [];
  for (let after = ''; ; ) {
    const [row] = await db
      .select({
        ...pick(numbers, 'id', 'network', 'label', 'phoneNumber', 'status', 'cause'),
        ...pick(numbers, 'sendIntervalSeconds', 'firstLinkedAt', 'removedAt', 'createdAt'),
        history,
        lookUps,
        recipients,
      })
      .from(numbers)
      .where(and(eq(numbers.accountId, accountId), gt(numbers.id, after)))
      .orderBy(asc(numbers.id))
      .limit(1);
    if (!row) return read;
    const { cause, history: states, ...rest } = row;
    read.push({
      ...rest,
      statusReason: causeText(cause),
      history: states.map(({ cause, ...state }) => ({ ...state, reason: causeText(parseCause(cause)) })),
    });
    after = row.id;
  }
}

/** The rows of an account after `after`. */
interface Page {
  accountId: string;
  after: number;
  limit: number;
}

/** A page of an account's messages, each with its timeline. */
export function readMessages(db: Db, { accountId, after, limit }: Page) {
  return db
    .select({
      ...pick(messages, 'seq', 'id', 'numberId'),
      keyId: messages.apiKeyId,
      type: messages.type,
      to: messages.recipient,
      ...pick(messages, 'reference', 'repeats', 'content', 'status'),
      error: messageError,
      errorCode: messages.errorCode,
      ...pick(messages, 'mediaMimeType', 'mediaBytes', 'pageBuild', 'createdAt', 'sendAt'),
      ...pick(messages, 'sentAt', 'settledAt'),
      timeline,
    })
    .from(messages)
    .where(and(eq(messages.accountId, accountId), gt(messages.seq, after)))
    .orderBy(asc(messages.seq))
    .limit(limit);
}

/** A page of an account's request log. */
export function readRequests(db: Db, { accountId, after, limit }: Page) {
  return db
    .select({
      seq: requests.id,
      ...pick(requests, 'requestId', 'at', 'endpoint', 'status', 'errorCode', 'durationMs'),
      ...pick(requests, 'keyId', 'numberId', 'messageId', 'reference', 'body', 'answer'),
    })
    .from(requests)
    .where(and(eq(requests.accountId, accountId), gt(requests.id, after)))
    .orderBy(asc(requests.id))
    .limit(limit);
}

/** A page of an account's audit log. */
export function readAudit(db: Db, { accountId, after, limit }: Page) {
  return db
    .select({
      seq: auditLog.id,
      ...pick(auditLog, 'action', 'target', 'detail'),
      at: auditLog.createdAt,
      actor: auditActors.kind,
      userId: auditActors.userId,
      address: auditActors.address,
    })
    .from(auditLog)
    .leftJoin(auditActors, eq(auditActors.auditId, auditLog.id))
    .where(and(eq(auditLog.accountId, accountId), gt(auditLog.id, after)))
    .orderBy(asc(auditLog.id))
    .limit(limit);
}
