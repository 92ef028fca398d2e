import { and, between, desc, eq, gte, lt, not, type SQL, sql } from 'drizzle-orm';
import { pick } from '#server/core/pick.ts';
import { messageWait } from '#server/messages/queries/message-wait.ts';
import type { Db } from '#server/platform/db/client.ts';
import { countIf } from '#server/platform/db/expressions.ts';
import { messages, requests } from '#server/schema/index.ts';
import { isRefused, isRefusedSend, isSend, isUnsent } from './is-refused.ts';

const REFUSED = isRefused('requests');
const REFUSED_SEND = isRefusedSend('requests');
const UNSENT = isUnsent('requests');

export interface RequestFilter {
  /** True: refused ones only; false: accepted ones only. */
  refused?: boolean | undefined;
  /** Only refused requests to send whose message was not sent later. */
  unsent?: boolean | undefined;
  errorCode?: string | undefined;
  /** An HTTP status such as `409`, or all of a class such as `4xx`. */
  httpStatus?: string | undefined;
  keyId?: string | undefined;
  numberId?: string | undefined;
  requestId?: string | undefined;
  /** A part of a recipient, in any spelling. Finds refused requests only: an accepted one is a message. */
  recipient?: string | undefined;
  /** Requests that started since then. */
  since?: Date | undefined;
  /** Requests that started before then. */
  until?: Date | undefined;
}

/** `to` of the masked body as it was sent. No pattern for JSON: a long body is cut off. */
export const toOf = (alias: string) =>
  sql<
    string | null
  >`trim('"' from substring(${sql.identifier(alias)}.body from '[{,]"to":("[^"\\\\[][^"\\\\]*"|[0-9]+)'))`;
export const TO = toOf('requests');
/** Its message is that of an earlier request. With `idempotency_key_reused` it asked for another message. */
const REPEAT = sql<boolean>`coalesce(${isSend('requests')} and ${messages.requestId} <> ${requests.requestId}
  and ${requests.errorCode} is distinct from 'idempotency_key_reused', false)`;
/** Its client disconnected, and its message had neither its turn nor another outcome by then. */
const LEFT_WAITING = sql<boolean>`coalesce(${requests.errorCode} = 'hung_up' and ${messages.id} is not null
  and coalesce(${messages.dispatchedAt}, ${messages.settledAt}, 'infinity') > ${requests.at}, false)`;
/** What a recipient is written with besides its digits. */
const FILLERS = ' +()-';

const columns = {
  ...pick(requests, 'id', 'at', 'endpoint', 'status', 'errorCode', 'requestId', 'durationMs'),
  ...pick(requests, 'keyId', 'numberId', 'messageId', 'reference'),
  /** The recipient as it was sent; null without one. */
  to: TO,
  repeat: REPEAT,
  /** The present state of its message; null without one, or once it was deleted. */
  messageStatus: messages.status,
  messageSetAside: sql<boolean>`coalesce(${messages.setAside}, false)`,
  messageSendAt: messages.sendAt,
  leftWaiting: LEFT_WAITING,
};
/** When a request started: the log has its end. */
const STARTED = sql`${requests.at} - ${requests.durationMs} * interval '1 millisecond'`;

/** An account's requests, newest first, before the place `before`. */
export function listRequestRows(
  db: Db,
  params: RequestFilter & { accountId: string; limit: number; before?: number | undefined },
) {
  const { before, recipient, since, until } = params;
  const refused = recipient === undefined ? params.refused : true;
  const bare = (text: SQL | string) => sql`translate(${text}, ${FILLERS}, '')`;
  const is = (column: Parameters<typeof eq>[0], value: string | undefined): SQL | undefined =>
    value === undefined ? undefined : eq(column, value);
  return db
    .select(columns)
    .from(requests)
    .leftJoin(messages, eq(messages.id, requests.messageId))
    .where(
      and(
        eq(requests.accountId, params.accountId),
        before === undefined ? undefined : lt(requests.id, before),
        refused === undefined ? undefined : refused ? REFUSED : not(REFUSED),
        params.unsent ? UNSENT : undefined,
        is(requests.errorCode, params.errorCode),
        params.httpStatus === undefined
          ? undefined
          : between(requests.status, ...statuses(params.httpStatus)),
        is(requests.keyId, params.keyId),
        is(requests.numberId, params.numberId),
        is(requests.requestId, params.requestId),
        recipient === undefined ? undefined : sql`strpos(${bare(TO)}, ${bare(recipient)}) > 0`,
        // The end is not before the start, and has an index.
        since && and(gte(requests.at, since), gte(STARTED, since)),
        until && lt(STARTED, until),
      ),
    )
    .orderBy(desc(requests.id))
    .limit(params.limit);
}

/** A request in the list: without its body and answer. */
export type RequestRow = Awaited<ReturnType<typeof listRequestRows>>[number];

/** The lowest and the highest status of a filter: 409 and 409 of `409`, 400 and 499 of `4xx`. */
const statuses = (filter: string): [number, number] => [
  Number(filter.replaceAll('x', '0')),
  Number(filter.replaceAll('x', '9')),
];

/** One request with its masked body, and its answer where it was refused; null for another account's. */
export async function findRequest(db: Db, params: { accountId: string; requestId: string }) {
  const [row] = await db
    .select({
      ...columns,
      messageAcceptedAt: messages.createdAt,
      messageWaitedMs: messageWait.waitedMs,
      messageTurnsBefore: messageWait.turnsBefore,
      messageFirstTurnMs: messageWait.firstTurnMs,
      messageKeyed: sql<boolean>`${messages.idempotencyKey} is not null`,
      /** Its outcome was written to a caller. */
      messageAnswered: sql<boolean>`coalesce(${messages.answered}, false)`,
      body: requests.body,
      answer: requests.answer,
    })
    .from(requests)
    .leftJoin(messages, eq(messages.id, requests.messageId))
    .where(and(eq(requests.accountId, params.accountId), eq(requests.requestId, params.requestId)));
  return row ?? null;
}

export type RequestDetailRow = NonNullable<Awaited<ReturnType<typeof findRequest>>>;

/** How many requests to send were refused since midnight in `timeZone`. */
export function countRefusedToday(
  db: Db,
  params: { accountId: string; timeZone: string },
): Promise<{ numberId: string | null; count: number }[]> {
  const midnight = sql`date_trunc('day', clock_timestamp(), ${params.timeZone})`;
  return db
    .select({ numberId: requests.numberId, count: countIf() })
    .from(requests)
    .where(and(eq(requests.accountId, params.accountId), REFUSED_SEND, gte(requests.at, midnight)))
    .groupBy(requests.numberId);
}
