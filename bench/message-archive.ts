import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addNumber } from '#server/numbers/add-number.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { storedLane } from '#server/schema/lane.ts';
import { withSql } from '#server/testing/sql.ts';
import { summarise } from './statistics.ts';

const ACTOR = { kind: 'cli' } as const;

/** A separate database with one number and this many old messages: one in a hundred failed, most were read. */
export async function openMessageArchive(cleanup: AsyncDisposableStack, { messages }: { messages: number }) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-messages-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await ensurePostgres(path.join(dataDir, 'postgres'), { port: 0 });
  cleanup.defer(() => postgres.release());
  await migrate(postgres.url);
  const database = withSql(openDatabase(postgres.url, 4));
  cleanup.defer(() => database.close());
  cleanup.defer(() => stopClientBoss());
  const { accountId } = await signUp(
    { database },
    { email: 'archive@example.com', password: 'a kingfisher dives at dusk', operator: ACTOR },
  );
  await activatePlan({ database, accountId, actor: ACTOR }, { numbersIncluded: 1, paidUntil: '2999-12-31' });
  const { id: numberId } = await addNumber({ database, accountId, actor: ACTOR }, { network: 'sandbox' });
  await database.sql`
    insert into messages (id, account_id, number_id, type, recipient, content, lane, status, deadline_at, media_status, settled_at, reference, created_at)
    select 'msg_' || lpad(n::text, 24, '0'), ${accountId}, ${numberId}, 'text',
      '4915' || lpad((n * 7919 % 100000000)::text, 8, '0') || '@c.us',
      jsonb_build_object('type', 'text', 'body', 'Your parcel ' || n || ' arrives on ' || (n % 28 + 1) || ' May between '
        || (n % 9 + 8) || ' and 18 o''clock. Reply with STOP to hear no more of it.'),
      ${storedLane('sync')}, case when n % 100 = 0 then 'failed' when n % 10 = 0 then 'sent' when n % 3 = 0 then 'delivered' else 'read' end,
      now(), 'none', now(), 'order-' || n, now() - (${messages} - n) * interval '8 seconds'
    from generate_series(1::bigint, ${messages}) n`;
  await database.sql`
    insert into message_events (message_id, event)
    select m.id, e.event from messages m, (values ('accepted'), ('sent'), ('delivered')) e (event)`;
  await database.sql`analyze messages, message_events`;
  return { database, accountId, numberId };
}

/** How long `read` takes for each filter, of `times` attempts. `wantedMs`: what 95 in 100 should take at most. */
export async function timeLists<F>(
  filters: Record<string, F>,
  read: (filter: F) => Promise<readonly unknown[]>,
  { times, wantedMs }: { times: number; wantedMs: number },
) {
  const results: Record<string, unknown> = {};
  let slowest = 0;
  for (const [name, filter] of Object.entries(filters)) {
    const took: number[] = [];
    let rows = 0;
    for (let n = 0; n < times; n++) {
      const from = performance.now();
      rows = (await read(filter)).length;
      took.push(performance.now() - from);
    }
    const { p50, p95, max } = summarise(took);
    results[name] = { rows, p50, p95, max };
    slowest = Math.max(slowest, p95);
  }
  const ratio = { [`slowest p95, of ${wantedMs} ms`]: Math.round((slowest / wantedMs) * 100) / 100 };
  return { ...results, ratio };
}
