import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { type Browserless, startBrowserless } from './browserless.ts';
import { percentile, summarise } from './statistics.ts';

const ENDPOINTS = 20;
const RATES = [1000, 250];
const SECONDS = 5;
/** Rounds of each kind, alternating, so that other load on the machine affects all of them. */
const ROUNDS = 3;
/** Connections that change messages, each one change after another. */
const CHANGERS = 8;
const POLL_MS = 10;
const WARM_UP = 50;
const IDLE_MS = 40;
const DRAINED_WITHIN_MS = 60_000;
const WANTED_P95_MS = 1000;

/**
 * 1,000 changes of messages a second, then 250, in 20 accounts with one endpoint each; one endpoint never answers.
 * Measures from just before a change to its request at the others, and meanwhile one account's sends (POST to
 * 200), with and without webhooks.
 */
export async function benchWebhooks() {
  const receiver = await startReceiver();
  const bench = await startBrowserless({
    numbers: ENDPOINTS,
    intervalMs: 0,
    accountEach: true,
    webhookAllowHosts: receiver.host,
  });
  try {
    await openEndpoints(bench, receiver.host);
    for (let n = 0; n < WARM_UP; n += 1) await send(bench);
    await warmUp(bench, receiver);
    const measured = [];
    for (const perSecond of RATES)
      measured.push([perSecond, await measure(bench, receiver, perSecond)] as const);
    return {
      endpoints: ENDPOINTS,
      ...Object.fromEntries(measured.map(([perSecond, { ratio, ...figures }]) => [perSecond, figures])),
      ratio: Object.fromEntries(measured.map(([perSecond, { ratio }]) => [`${perSecond}/s`, ratio])),
    };
  } finally {
    await bench.stop();
    receiver.stop();
  }
}

/** Measures several rounds with this many changes a second. */
async function measure(bench: Browserless, receiver: Receiver, perSecond: number) {
  receiver.lateMs.length = 0;
  receiver.unanswered = 0;
  const made: number[] = [];
  const load = async (arrive: boolean) => {
    made.push(Math.round(await changes(bench, receiver, { perSecond, arrive })));
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
      await drained(receiver);
    },
  ];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
  const arrival = summarise(receiver.lateMs);
  return {
    eventsPerSecond: made,
    toGoodEndpoints: arrival,
    requestsWithoutAnswer: receiver.unanswered,
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

interface Receiver {
  host: string;
  /** When each change that has not arrived yet was made: `<message> <status>` to ms. */
  changedAt: Map<string, number>;
  lateMs: number[];
  unanswered: number;
  stop(): void;
}

/** The customers' servers: `/good` answers at once, `/silent` never. */
async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    if (request.url === '/silent') {
      receiver.unanswered += 1;
      return;
    }
    const now = performance.now();
    const { data } = (await json(request)) as { data: { id: string; status: string } };
    response.writeHead(204).end();
    const key = `${data.id} ${data.status}`;
    const changed = receiver.changedAt.get(key);
    if (changed !== undefined) receiver.lateMs.push(now - changed);
    receiver.changedAt.delete(key);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const receiver: Receiver = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    changedAt: new Map(),
    lateMs: [],
    unanswered: 0,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

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

/** Makes the changes of one round as the product does, evenly spread. Returns how many it made per second. */
async function changes(
  bench: Browserless,
  receiver: Receiver,
  { perSecond, arrive }: { perSecond: number; arrive: boolean },
): Promise<number> {
  const sql = postgres(bench.databaseUrl, { max: CHANGERS });
  const messages = await addMessages(bench, (perSecond * SECONDS) / 2);
  const due = ['delivered', 'read'].flatMap((status) => messages.map((message) => ({ ...message, status })));
  const startedAt = performance.now();
  let next = 0;
  const changer = async () => {
    for (let n = next++; n < due.length; n = next++) {
      const early = startedAt + (n * 1000) / perSecond - performance.now();
      if (early > 0) await delay(early);
      const { id, status, good } = due[n] as (typeof due)[number];
      if (good && arrive) receiver.changedAt.set(`${id} ${status}`, performance.now());
      await sql`
        update messages set status = ${status}
        where id = ${id} and set_config('synchronous_commit', 'off', true) = 'off'`;
    }
  };
  await Promise.all(Array.from({ length: CHANGERS }, changer));
  const seconds = (performance.now() - startedAt) / 1000;
  await sql.end();
  return due.length / seconds;
}

/** A round that is not measured. It fills the tables, so that PostgreSQL plans its queries as in production. */
async function warmUp(bench: Browserless, receiver: Receiver): Promise<void> {
  await subscribe(bench, true);
  await changes(bench, receiver, { perSecond: RATES[0] ?? 0, arrive: true });
  await drained(receiver);
  await bench.database.sql`analyze`;
}

/** Waits until every change has arrived. */
async function drained(receiver: Receiver): Promise<void> {
  const until = performance.now() + DRAINED_WITHIN_MS;
  while (receiver.changedAt.size > 0) {
    if (performance.now() > until) throw new Error(`${receiver.changedAt.size} events have not arrived`);
    await delay(POLL_MS);
  }
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
