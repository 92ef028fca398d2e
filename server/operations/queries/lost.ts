import { type SQL, sql } from 'drizzle-orm';
import { isAccepted, isCertainlyNotSent, MESSAGE_STATUSES } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';

// The statements of this file are SQL: they compare two schemas, one of which may be of another version.

/** How many messages of a number are lost, by what became of them. */
export interface LostMessages {
  sent: number;
  /** They may have arrived. */
  unknown: number;
  waiting: number;
  notSent: number;
}

export interface LostNumber {
  numberId: string;
  label: string;
  phoneNumber: string | null;
  messages: LostMessages;
  /** The newest of them, at most five, oldest first. */
  newest: LostMessage[];
}

/** `at`: when it was accepted, as `2026-11-26 11:18:40`, in UTC. */
export interface LostMessage {
  at: string;
  to: Recipient;
  became: keyof LostMessages;
}

const NEWEST = 5;

/** What the replaced database knew about an account and the restored one does not. */
export interface LostAccount {
  accountId: string;
  account: string;
  /** The backup does not have the account at all. */
  whole: boolean;
  keys: number;
  /** Keys that were revoked, and work again. */
  revokedKeys: number;
  numbers: number;
  members: number;
  webhooks: number;
  payments: number;
  planChanged: boolean;
  /** The numbers with lost messages, those with the most first. */
  ofNumbers: LostNumber[];
}

/** Reads the replaced and the restored tables, however long it takes. */
type Read = <Row>(statement: SQL) => Promise<Row[]>;

/** The columns that are compared. */
const COLUMNS = [
  ...['accounts.id', 'accounts.name', 'accounts.deleted_at', 'memberships.account_id', 'memberships.user_id'],
  ...['messages.id', 'messages.account_id', 'messages.number_id', 'messages.status'],
  ...['messages.recipient', 'messages.created_at'],
  ...['numbers.id', 'numbers.account_id', 'numbers.label', 'numbers.phone_number', 'numbers.removed_at'],
  ...['api_keys.id', 'api_keys.account_id', 'api_keys.revoked_at', 'payments.id', 'payments.account_id'],
  ...['webhook_endpoints.id', 'webhook_endpoints.account_id', 'subscriptions.account_id'],
  ...['subscriptions.numbers_included', 'subscriptions.paid_until', 'subscriptions.ended_at'],
];

const SENT = MESSAGE_STATUSES.filter(isAccepted);
const NOT_SENT = MESSAGE_STATUSES.filter(isCertainlyNotSent);

/**
 * What the replaced contents in `schema` have and the restored ones do not, for each account that lost something, the
 * largest losses first. Null if that version's tables had other columns.
 */
export async function findLost(read: Read, { schema }: { schema: string }): Promise<LostAccount[] | null> {
  const [found] = await read<{ columns: number }>(sql`
    select count(*)::int as columns from information_schema.columns
    where table_schema = ${schema} and table_name || '.' || column_name in ${COLUMNS}`);
  if (found?.columns !== COLUMNS.length) return null;
  const replaced = sql`${sql.identifier(schema)}`;
  const ofNumbers = await read<LostNumber & { accountId: string }>(lostMessages(replaced));
  const accounts = await read<Omit<LostAccount, 'ofNumbers'>>(lostFromAccounts(replaced));
  return accounts
    .map((account) => ({
      ...account,
      ofNumbers: ofNumbers
        .filter(({ accountId }) => accountId === account.accountId)
        .map(({ accountId, ...number }) => number),
    }))
    .filter(lostAnything)
    .sort((a, b) => lostCount(b) - lostCount(a));
}

export function lostCount({ ofNumbers }: LostAccount): number {
  return ofNumbers.reduce((sum, { messages }) => sum + messagesIn(messages), 0);
}

export function messagesIn({ sent, unknown, waiting, notSent }: LostMessages): number {
  return sent + unknown + waiting + notSent;
}

function lostAnything({ accountId, account, ofNumbers, ...rest }: LostAccount): boolean {
  return ofNumbers.length > 0 || Object.values(rest).some(Boolean);
}

const KINDS: readonly (keyof LostMessages)[] = ['sent', 'unknown', 'waiting', 'notSent'];
const BECAME = sql`case when o.status in ${SENT} then 'sent' when o.status = 'queued' then 'waiting'
  when o.status in ${NOT_SENT} then 'notSent' else 'unknown' end`;
const COUNTS = sql.join(
  KINDS.map((kind) => sql`${kind}::text, count(*) filter (where ${BECAME} = ${kind})`),
  sql`, `,
);

const lostMessages = (schema: SQL) => sql`
  with lost as (
    select o.account_id, o.number_id, json_build_object(${COUNTS}) as messages, count(*) as total
    from ${schema}.messages o where not exists (select from public.messages k where k.id = o.id)
    group by o.account_id, o.number_id
  )
  select l.account_id as "accountId", n.id as "numberId", n.label, n.phone_number as "phoneNumber", l.messages, (
      select json_agg(json_build_object('at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
        'to', m.recipient, 'became', m.became) order by m.created_at)
      from (select o.created_at, o.recipient, ${BECAME} as became from ${schema}.messages o
        where o.number_id = n.id and not exists (select from public.messages k where k.id = o.id)
        order by o.created_at desc limit ${NEWEST}) m) as newest
  from lost l join ${schema}.numbers n on n.id = l.number_id
  order by l.total desc, n.label, n.id`;

const lostFromAccounts = (schema: SQL) => {
  const missing = (table: string, condition = sql`true`) => sql`
    (select count(*)::int from ${schema}.${sql.identifier(table)} o where o.account_id = a.id and ${condition}
      and not exists (select from public.${sql.identifier(table)} k where k.id = o.id))`;
  return sql`
  select a.id as "accountId", a.name as account,
    not exists (select from public.accounts k where k.id = a.id) as whole,
    ${missing('api_keys', sql`o.revoked_at is null`)} as keys,
    (select count(*)::int from ${schema}.api_keys o join public.api_keys k on k.id = o.id
      where o.account_id = a.id and o.revoked_at is not null and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > clock_timestamp())) as "revokedKeys",
    ${missing('numbers', sql`o.removed_at is null`)} as numbers,
    (select count(*)::int from ${schema}.memberships o where o.account_id = a.id and not exists (
      select from public.memberships k where k.account_id = o.account_id and k.user_id = o.user_id)) as members,
    ${missing('webhook_endpoints')} as webhooks,
    ${missing('payments')} as payments,
    exists (select from ${schema}.subscriptions o where o.account_id = a.id and not exists (
      select from public.subscriptions k where k.account_id = o.account_id
        and (k.numbers_included, k.paid_until, k.ended_at)
          is not distinct from (o.numbers_included, o.paid_until, o.ended_at))) as "planChanged"
  from ${schema}.accounts a where a.deleted_at is null order by a.name, a.id`;
};
