import { setTimeout as delay } from 'node:timers/promises';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { type Browserless, startBrowserless } from './browserless.ts';
import { percentile, summarise } from './statistics.ts';
import { WebhookLoad } from './webhook-load.ts';

const ENDPOINTS = 20;
const RATES = [1000, 250];
const SECONDS = 5;
/** Rounds of each kind, alternating, so that other load on the machine affects all of them. */
const ROUNDS = 3;
const WARM_UP = 50;
const IDLE_MS = 40;
const WANTED_P95_MS = 1000;

/**
 * 1,000 changes of messages a second, then 250, in 20 accounts with one endpoint each; one endpoint never answers.
 * Measures from just before a change to its request at the others, and meanwhile one account's sends (POST to
 * 200), with and without webhooks.
 */
export async function benchWebhooks() {
  const loading = new WebhookLoad();
  const host = await loading.listen();
  const bench = await startBrowserless({
    numbers: ENDPOINTS,
    intervalMs: 0,
    accountEach: true,
    webhookAllowHosts: host,
  });
  try {
    await openEndpoints(bench, host);
    for (let n = 0; n < WARM_UP; n += 1) await send(bench);
    await warmUp(bench, loading);
    const measured = [];
    for (const perSecond of RATES)
      measured.push([perSecond, await measure(bench, loading, perSecond)] as const);
    return {
      endpoints: ENDPOINTS,
      ...Object.fromEntries(measured.map(([perSecond, { ratio, ...figures }]) => [perSecond, figures])),
      ratio: Object.fromEntries(measured.map(([perSecond, { ratio }]) => [`${perSecond}/s`, ratio])),
    };
  } finally {
    await bench.stop();
    await loading.stop();
  }
}

/** Measures several rounds with this many changes a second. */
async function measure(bench: Browserless, loading: WebhookLoad, perSecond: number) {
  const lateMs: number[] = [];
  let unanswered = 0;
  const made: number[] = [];
  const load = async (arrive: boolean) => {
    made.push(Math.round(await changes(bench, loading, { perSecond, arrive })));
  };
  const sends = { quiet: [] as number[], without: [] as number[], with: [] as number[] };
  const turns: (() => Promise<void>)[] = [
    async () => void sends.quiet.push(...(await sendsDuring(bench, delay((SECONDS * 1000) / 2)))),
    async () => {
      await subscribe(bench, false);
      sends.without.push(...(await sendsDuring(bench, load(false))));
    },
    async () => {
      await subscribe(bench, true);
      sends.with.push(...(await sendsDuring(bench, load(true))));
      const arrived = await loading.arrived();
      lateMs.push(...arrived.lateMs);
      unanswered += arrived.unanswered;
    },
  ];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  const arrival = summarise(lateMs);
  return {
    eventsPerSecond: made,
    toGoodEndpoints: arrival,
    requestsWithoutAnswer: unanswered,
    sends: {
      quiet: summarise(sends.quiet),
      besideChanges: summarise(sends.without),
      besideWebhooks: summarise(sends.with),
    },
    ratio: {
      'arrival p95, of 1 s': round2(arrival.p95 / WANTED_P95_MS),
      'sends p50': ratio(sends, 0.5),
      'sends p95': ratio(sends, 0.95),
    },
  };
}

const round2 = (value: number) => Math.round(value * 100) / 100;
const ratio = (sends: { with: number[]; without: number[] }, share: number) =>
  round2(percentile(sends.with, share) / percentile(sends.without, share));

/** One endpoint for each number; the last one never answers. */
async function openEndpoints({ database, numbers }: Browserless, host: string): Promise<void> {
  for (const [n, { numberId }] of numbers.entries()) {
    const [row] = await database.sql<{ accountId: string }[]>`
      select account_id as "accountId" from numbers where id = ${numberId}`;
    const context = { database, accountId: row?.accountId ?? '', actor: { kind: 'cli' } as const };
    // This process does not permit the receiver's address, only the product's does.
    const { id } = await createEndpoint(context, { numberId: null, url: 'https://example.com/' });
    const url = `http://${host}/${n === numbers.length - 1 ? 'silent' : 'good'}`;
    await database.sql`update webhook_endpoints set url = ${url} where id = ${id}`;
  }
}

/** Whether the endpoints want events. Events that no endpoint wants are not written. */
async function subscribe({ database }: Browserless, on: boolean): Promise<void> {
  const events = on ? ['message.sent', 'message.delivered', 'message.read'] : [];
  await database.sql`update webhook_endpoints set events = ${events}, failures_in_a_row = 0, retry_at = null`;
}

/** Adds this many sent messages, spread over all numbers. `good`: whether their endpoint answers. */
async function addMessages(
  { database, numbers }: Browserless,
  count: number,
): Promise<{ id: string; good: boolean }[]> {
  const ids = numbers.map(({ numberId }) => numberId);
  return database.sql<{ id: string; good: boolean }[]>`
    with number as (
      select id, account_id, n from unnest(${ids}::text[]) with ordinality as t (number_id, n) join numbers on id = number_id
    ), made as (
      insert into messages (id, account_id, number_id, type, recipient, content, status, lane, deadline_at, media_status,
        sent_at, settled_at)
      select 'msg_' || replace(gen_random_uuid()::text, '-', ''), account_id, id, 'text', '491700000001@c.us',
        '{"type": "text", "body": "Your bike is ready."}', 'sent', 'async', now(), 'none', now(), now()
      from generate_series(1, ${Math.ceil(count / ENDPOINTS)}::int) round, number order by round, n
      returning id, number_id)
    select id, number_id <> ${ids.at(-1) ?? ''} as good from made`;
}

/** Makes the changes of one round. Returns how many it made per second. */
async function changes(
  bench: Browserless,
  loading: WebhookLoad,
  { perSecond, arrive }: { perSecond: number; arrive: boolean },
): Promise<number> {
  const messages = await addMessages(bench, (perSecond * SECONDS) / 2);
  const due = ['delivered', 'read'].flatMap((status) =>
    messages.map(({ id, good }) => ({ id, status, expected: good && arrive })),
  );
  return loading.change({ databaseUrl: bench.databaseUrl, due, perSecond });
}

/** A round that is not measured. It fills the tables, so that PostgreSQL plans its queries as in production. */
async function warmUp(bench: Browserless, loading: WebhookLoad): Promise<void> {
  await subscribe(bench, true);
  await changes(bench, loading, { perSecond: RATES[0] ?? 0, arrive: true });
  await loading.arrived();
  await bench.database.sql`analyze`;
}

/** How long sends of one number take while `work` runs, in ms. */
async function sendsDuring(bench: Browserless, work: Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  let over = false;
  const working = work.finally(() => {
    over = true;
  });
  while (!over) {
    await delay(IDLE_MS);
    taken.push(await send(bench));
  }
  await working;
  return taken;
}

let sent = 0;

async function send({ post, numbers: [number] }: Browserless): Promise<number> {
  if (!number) throw new Error('there is no number');
  sent += 1;
  const from = performance.now();
  const status = await post(number, { to: '491700000001', body: `message ${sent}` });
  if (status !== 200) throw new Error(`POST answered ${status}`);
  return performance.now() - from;
}
