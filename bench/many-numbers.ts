import { setTimeout as delay } from 'node:timers/promises';
import type { WithSql } from '#server/testing/sql.ts';
import { type BenchNumber, type Browserless, startBrowserless } from './browserless.ts';
import { type Summary, summarise } from './statistics.ts';

const NUMBERS = 200;
const INTERVAL_MS = 5000;
const IDLE_MS = 20_000;
/** Messages that wait on each number, so that its next slot never waits for a caller. */
const AHEAD = 3;

/**
 * 200 numbers in one worker without browsers, each with a message for every slot: how late its slots are, and
 * how many queries the database gets while idle. `seconds`: how long they send.
 */
export async function benchManyNumbers(seconds = 300) {
  const bench = await startBrowserless({ numbers: NUMBERS, intervalMs: INTERVAL_MS });
  try {
    const until = performance.now() + seconds * 1000;
    const statuses = (
      await Promise.all(bench.numbers.map((number) => keepSending(bench, number, until)))
    ).flat();
    const late = await lateness(bench.database);
    await untilNothingWaits(bench.database);
    const idleQueriesPerSecond = await queriesPerSecond(bench.database, IDLE_MS);
    return {
      numbers: NUMBERS,
      seconds,
      accepted: statuses.filter((status) => status === 202).length,
      refused: statuses.filter((status) => status !== 202).length,
      sent: late.length + NUMBERS,
      messagesPerSecond: Math.round(((late.length + NUMBERS) / seconds) * 10) / 10,
      lateMs: summarise(late),
      idleQueriesPerSecond,
    } satisfies Record<string, number | Summary>;
  } finally {
    await bench.stop();
  }
}

export async function keepSending(bench: Browserless, number: BenchNumber, until: number): Promise<number[]> {
  const statuses: number[] = [];
  // Not all at once, because callers are independent.
  await delay(Math.random() * INTERVAL_MS);
  for (let n = 0; performance.now() < until; n += 1) {
    const text = { to: `4917${10_000_000 + n}`, body: `message ${n}` };
    statuses.push(await bench.post(number, text, 'respond-async'));
    if (n >= AHEAD) await delay(INTERVAL_MS);
  }
  return statuses;
}

export async function untilNothingWaits(database: WithSql): Promise<void> {
  for (;;) {
    const rows = await database.sql`select 1 from messages where status in ('queued', 'sending') limit 1`;
    if (rows.length === 0) return;
    await delay(100);
  }
}

/** How long after its slot each waiting message was claimed, in ms. */
export async function lateness(database: WithSql): Promise<number[]> {
  const rows = await database.sql<{ late: number }[]>`
    with steps as (
      select m.number_id, m.seq, m.created_at,
        (select e.at from message_events e where e.message_id = m.id and e.event = 'slot_claimed') as claimed_at,
        (select e.at from message_events e where e.message_id = m.id and e.event = 'sent') as sent_at
      from messages m
    ), slots as (
      select created_at, claimed_at,
        lag(sent_at) over (partition by number_id order by claimed_at) + ${INTERVAL_MS} * interval '1 millisecond' as slot_at
      from steps where claimed_at is not null
    )
    select (extract(epoch from claimed_at - slot_at) * 1000)::float8 as late from slots
    where slot_at is not null and created_at < slot_at`;
  return rows.map(({ late }) => late);
}

/** PostgreSQL may count the work of a connection as late as 10 s after the connection became idle. */
const COUNTED_MS = 15_000;

/**
 * Transactions that the server ends in a second; outside transactions each statement is one. Call it when
 * nothing else happens.
 */
export async function queriesPerSecond(database: WithSql, ms: number): Promise<number> {
  const count = async () => {
    const [row] = await database.sql<{ n: number }[]>`
      select (xact_commit + xact_rollback)::int as n from pg_stat_database where datname = current_database()`;
    return row?.n ?? 0;
  };
  await delay(COUNTED_MS);
  const before = await count();
  await delay(ms);
  return Math.round(((await count()) - before) / (ms / 10_000)) / 10;
}
