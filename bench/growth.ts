import postgres from 'postgres';
import { activity } from '#server/accounts/activity.ts';
import { countAccounts, pageOfAccounts } from '#server/accounts/list-accounts.ts';
import { overview } from '#server/accounts/overview.ts';
import { listMessages } from '#server/messages/list-messages.ts';
import { INDEX_BATCH, indexMessages } from '#server/operations/index-messages.ts';
import { countStale } from '#server/operations/keep-counts.ts';
import { eraseTexts } from '#server/operations/queries/retention.ts';
import { listNextMessages } from '#server/operations/queries/search-blocks.ts';
import { usageOf } from '#server/plans/usage.ts';
import { usageByDay } from '#server/requests/usage-by-day.ts';
import { type Browserless, startBrowserless } from './browserless.ts';
import { backupTimes } from './growth-backup.ts';
import { summarise } from './statistics.ts';

const TIMES = 40;
const POSTS = 100;
const PAGE = 100;
const ACCOUNTS = 10_000;
const BATCH = 1000;
const FILLED_AT_ONCE = 250_000;
/** The limit of every page's p95. */
const WANTED_MS = 100;
const TO = '491700000042';

interface Figure {
  p50: number;
  p95: number;
}
type Figures = Record<string, Figure>;

/**
 * Sending and every page with an empty account and with one of `rows` messages of 85 days, with each of
 * `numbers` (how many), the administrator's list with 10,000 other accounts, a backup and a restore.
 */
export async function benchGrowth({ rows, numbers: counts }: { rows: number; numbers: number[] }) {
  const measured: Record<string, Figures> = {};
  const counting: Record<string, unknown> = {};
  for (const numbers of counts) {
    const product = await startBrowserless({ numbers: 1, intervalMs: 0 });
    try {
      await addAccounts(product);
      const ids = await addNumbers(product, numbers);
      measured[`0 rows, ${numbers} numbers`] = await measure(product, 0);
      const countedMs = await fill(product, ids, rows);
      const indexed = await index(product, rows);
      const full = `${rows.toLocaleString('en')} rows, ${numbers} numbers`;
      measured[full] = await measure(product, rows);
      const backup = await backupTimes(product);
      counting[full] = { countedMs, ...indexed, ...backup, textsErasedPerHour: await erasedPerHour(product) };
    } finally {
      await product.stop();
    }
    // The next part takes as long again.
    print(measured);
    console.log(counting);
  }
  return { rows, measured, counting, ratio: ratiosOf(measured) };
}

async function measure(product: Browserless, rows: number): Promise<Figures> {
  const { numbers } = product;
  // As pages read it.
  const database = product.database.forPages;
  const [{ numberId, key } = { numberId: '', key: '' }] = numbers;
  const [owner] = await product.database.sql<{ accountId: string }[]>`
    select account_id as "accountId" from numbers where id = ${numberId}`;
  const scope = { database, accountId: owner?.accountId ?? '' };
  const list = (filter: Partial<Parameters<typeof listMessages>[1]>) => () =>
    listMessages(scope, { limit: PAGE, ...filter });
  const headers = { 'x-api-key': key };
  const day = {
    since: new Date(Date.now() - 41 * 86_400_000),
    until: new Date(Date.now() - 40 * 86_400_000),
  };
  const asked: Record<string, () => Promise<unknown>> = {
    'POST to 200': () => postOne(product),
    'GET status': () => fetch(`${product.url}/v1/status`, { headers }).then((answer) => answer.text()),
    overview: () => overview(scope),
    'chart of 30 days': () => activity(scope, { range: '30d' }),
    'chart of 90 days': () => activity(scope, { range: '90d' }),
    'usage by key': () => usageByDay(scope),
    'usage of the month': () => usageOf(scope),
    list: list({}),
    'list of a number': list({ numberId }),
    'list of a day': list(day),
    'a rare state': list({ status: 'cancelled' }),
    'a state that none has': list({ status: 'sending' }),
    'a rare type': list({ type: 'location' }),
    'a rare error code': list({ errorCode: 'not_on_whatsapp' }),
    'a search that all match': list({ search: 'parcel' }),
    'a search that one matches': list({ search: `parcel ${Math.round(rows / 2)} arrives` }),
    'a search that none matches': list({ search: 'kingfisher' }),
    'a search for a recipient': list({ search: recipientOf(Math.round(rows / 2)).slice(0, 13) }),
    'a search of a number that none matches': list({ search: 'kingfisher', numberId }),
    'a search of 2 characters, one step': list({ search: 'qz' }),
    'an id': list({ search: `msg_${'0'.repeat(21)}7` }),
    // As the page asks.
    'accounts, 10,000': () =>
      Promise.all([pageOfAccounts({ database }, { before: null }), countAccounts({ database })]),
  };
  const figures: Figures = {};
  for (const [name, ask] of Object.entries(asked)) {
    const times: number[] = [];
    for (let n = 0; n < (name.startsWith('POST') ? POSTS : TIMES); n += 1) {
      const from = performance.now();
      await ask();
      times.push(performance.now() - from);
    }
    // The first ones load code and plan statements.
    const { p50, p95 } = summarise(times.slice(Math.ceil(times.length / 10)));
    figures[name] = { p50, p95 };
  }
  return figures;
}

/** The recipient of a filled message, as {@link fill} computes it. */
const recipientOf = (n: number) => `4915${String((n * 7919) % 100_000_000).padStart(8, '0')}@c.us`;

let posted = 0;
async function postOne({ numbers: [number], post }: Browserless): Promise<void> {
  posted += 1;
  if (!number) throw new Error('there is no number');
  const status = await post(number, { to: TO, body: `Order ${posted} is ready` });
  if (status !== 200) throw new Error(`a message was answered with ${status}`);
}

async function addAccounts({ database: { sql } }: Browserless): Promise<void> {
  await sql`insert into accounts (id, name) select 'acc_' || n, 'Account ' || n from generate_series(1, ${ACCOUNTS}::int) n`;
  await sql`
    insert into users (id, email, password_hash) select 'usr_' || n, n || '@example.org', 'none' from generate_series(1, ${ACCOUNTS}::int) n`;
  await sql`
    insert into memberships (account_id, user_id, role) select 'acc_' || n, 'usr_' || n, 'owner' from generate_series(1, ${ACCOUNTS}::int) n`;
  await sql`analyze`;
}

/** The account's numbers: the connected one, and others that only have messages. */
async function addNumbers(
  { database: { sql }, numbers: [own] }: Browserless,
  count: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into numbers (id, account_id, network, label, first_linked_at)
    select 'num_' || n, account_id, network, 'Number ' || n, now() from numbers, generate_series(2, ${count}::int) n
    where id = ${own?.numberId} returning id`;
  return [own?.numberId ?? '', ...rows.map(({ id }) => id)];
}

/** Old messages as an earlier version leaves them, without counts. Returns how long it took to count them, in ms. */
async function fill({ database, databaseUrl }: Browserless, ids: string[], rows: number): Promise<number> {
  // The product's own connections end a statement after 10 s.
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql`alter table messages disable trigger user`;
  for (let from = 0; from < rows; from += FILLED_AT_ONCE) {
    await sql`
      insert into messages (id, account_id, number_id, type, recipient, content, lane, status, deadline_at, media_status, answered,
        settled_at, reference, error_code, created_at)
      select 'msg_' || lpad(n::text, 22, '0'), o.account_id, o.id, case when n % 100003 = 0 then 'location' when n % 30 = 0 then 'image' else 'text' end,
        '4915' || lpad((n * 7919 % 100000000)::text, 8, '0') || '@c.us',
        jsonb_build_object('type', 'text', 'body', 'Your parcel ' || n || ' arrives on ' || (n % 28 + 1) || ' May. Reply with STOP to hear no more of it.'),
        'async', case when n % 101 = 0 then 'failed' when n % 5003 = 0 then 'cancelled' when n % 10 = 0 then 'sent' when n % 3 = 0 then 'delivered' else 'read' end,
        now(), 'none', true, now(), 'order-' || n, case when n % 10007 = 0 then 'not_on_whatsapp' when n % 101 = 0 then 'send_failed' end,
        now() - (${rows} - n) * interval '85 days' / ${rows}
      from generate_series(${from}::bigint + 1, ${Math.min(rows, from + FILLED_AT_ONCE)}::bigint) n
        join numbers o on o.id = (${ids}::text[])[1 + n % ${ids.length}]`;
  }
  await sql`alter table messages enable trigger user`;
  await sql`vacuum analyze messages`;
  // The product's worker would erase texts meanwhile.
  await sql`update accounts set counted_at = null, text_retention_days = 90 where id = (select account_id from numbers where id = ${ids[0] ?? ''})`;
  const from = performance.now();
  await countStale({ database });
  const countedMs = Math.round(performance.now() - from);
  await sql`analyze`;
  await sql.end();
  return countedMs;
}

/** How long all messages take to come into blocks, and how many bytes of disk a message needs there. */
async function index({ database }: Browserless, rows: number) {
  const from = performance.now();
  // The product's worker also makes some.
  for (let left = true; left; ) {
    await indexMessages({ database });
    left = (await listNextMessages(database, { batch: INDEX_BATCH })).length > 0;
  }
  const indexedMs = Math.round(performance.now() - from);
  const [row] = await database.sql<{ bytes: number }[]>`
    select pg_total_relation_size('search_blocks')::float8 as bytes`;
  return { indexedMs, indexBytesPerMessage: Math.round((row?.bytes ?? 0) / rows) };
}

async function erasedPerHour({ database }: Browserless): Promise<number> {
  await database.sql`update accounts set text_retention_days = 30`;
  const from = performance.now();
  let erased = 0;
  for (let round = 0; round < 20; round += 1) erased += await eraseTexts(database, { limit: BATCH });
  return Math.round((erased / (performance.now() - from)) * 3_600_000);
}

function print(measured: Record<string, Figures>): void {
  const names = Object.keys(Object.values(measured)[0] ?? {});
  const row = (name: string) =>
    Object.entries(measured).map(([of, figures]) => [of, `${figures[name]?.p50} / ${figures[name]?.p95}`]);
  console.log('p50 / p95 in ms');
  console.table(Object.fromEntries(names.map((name) => [name, Object.fromEntries(row(name))])));
}

/** The slowest page, and sending beside an empty account. */
function ratiosOf(measured: Record<string, Figures>) {
  const all = Object.values(measured);
  const pages = all.flatMap((figures) =>
    Object.entries(figures).flatMap(([name, { p95 }]) => (name === 'POST to 200' ? [] : [p95])),
  );
  const [empty, full] = all.map((figures) => figures['POST to 200']?.p50 ?? Number.NaN);
  const round = (value: number) => Math.round(value * 100) / 100;
  return {
    'slowest page’s p95, of 100 ms': round(Math.max(...pages) / WANTED_MS),
    'POST, of an empty account': round((full ?? Number.NaN) / (empty ?? Number.NaN)),
  };
}
