import type { WithSql } from '#server/testing/sql.ts';

/** Texts that the product itself reads; another value would break the row instead of being shown. */
const READ_BY_US = [
  ...['action', 'code_hash', 'error_code', 'event', 'event_key', 'hint', 'hmac', 'idempotency_key', 'intent'],
  ...['kind', 'lane', 'media_mime_type', 'media_sha256', 'media_status', 'network', 'pairing_code'],
  ...['pairing_phone', 'password_hash', 'qr', 'replacement_phone', 'request_hash', 'role', 'sandbox_phone'],
  ...[
    'counts_time_zone',
    'outcome',
    'status',
    'time_zone',
    'token_hash',
    'totp_secret',
    'type',
    'unit',
    'value',
  ],
  ...['wa_message_id'],
];

/**
 * Puts `textOf('table.column')` into every text column of every row: what people write, and what WhatsApp, a
 * worker or a browser reports. Reads the catalog, so it includes new columns. IDs, what rows refer to
 * each other by, and texts that the product itself reads are not changed. Returns the columns.
 */
export async function plantTexts({ sql }: WithSql, textOf: (column: string) => string): Promise<string[]> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as "table", c.column_name as "column"
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
      and c.column_name !~ '(^|_)(id|key|by)$' and c.column_name <> all(${READ_BY_US})
      and not exists (
        select from pg_constraint k join pg_attribute a on a.attname = c.column_name and a.attrelid = to_regclass(quote_ident(c.table_name))
        where k.contype = 'f' and (k.conrelid = a.attrelid and a.attnum = any(k.conkey)
          or k.confrelid = a.attrelid and a.attnum = any(k.confkey)))
      -- The one takes no change; the others are the product's own book-keeping, behind no page.
      and c.table_name not in ('audit_log', 'rate_buckets', 'installation')
    order by 1, 2`;
  for (const { table, column } of columns)
    await sql.unsafe(`update "${table}" set "${column}" = $1 || ' ' || left(md5(ctid::text), 6)`, [
      textOf(`${table}.${column}`),
    ]);
  return columns.map(({ table, column }) => `${table}.${column}`);
}

/** More rows that pages show: an alert, groups, a worker, an audit entry, an invitation, a payment, a request. */
export async function plantRows(
  { sql }: WithSql,
  { accountId, numberId, text }: { accountId: string; numberId: string; text: (column: string) => string },
): Promise<void> {
  await sql`
    insert into alerts (id, event_key, account_id, number_id, kind, facts, happened_at)
    values ('alr_planted', 'planted', ${accountId}, ${numberId}, 'logged_out',
      ${JSON.stringify({ code: 'legacy', text: text('alerts.facts') })}::text::jsonb, now())`;
  const group = { id: '120363041234567890@g.us', name: text('number_groups.groups'), participants: 3 };
  await sql`
    insert into number_groups (number_id, asked_at, answered_at, groups)
    values (${numberId}, now() - interval '1 minute', now(),
      ${JSON.stringify([group])}::text::jsonb)`;
  await sql`
    insert into processes (id, kind, host, pid, version) values ('wrk_planted', 'worker', '', 1, '')`;
  await sql`
    insert into payments (id, account_id, numbers_included, paid_until, note, reference, paid_on)
    values ('pay_planted', ${accountId}, 1, '2099-12-31', '', '', '2026-11-01')`;
  await sql`
    insert into plan_requests (id, account_id, numbers, contact, note)
    values ('ask_planted', ${accountId}, 1, '', '')`;
  await sql`
    insert into invitations (id, token_hash, account_id, role, note, expires_at)
    values ('inv_planted', 'planted', ${accountId}, 'member', '', now() + interval '1 day')`;
  await sql`
    with entry as (
      insert into audit_log (account_id, action, target, detail)
      values (${accountId}, ${text('audit_log.action')}, ${text('audit_log.target')},
        ${JSON.stringify({ label: text('audit_log.detail') })}::text::jsonb) returning id)
    insert into audit_actors (audit_id, kind, user_id, address) select id, 'cli', null, '' from entry`;
}
