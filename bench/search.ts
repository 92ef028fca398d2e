import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { listMessages } from '#server/messages/list-messages.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { storedLane } from '#server/schema/lane.ts';
import { summarise } from './statistics.ts';

const MESSAGES = 50_000;
const TIMES = 20;
const PAGE = 50;
const WANTED_MS = 200;
const ACTOR = { kind: 'cli' } as const;

/** One page of a list of 50,000 messages for different searches, as the dashboard requests it. */
export async function benchSearch() {
  const cleanup = new AsyncDisposableStack();
  try {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-search-'));
    cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
    const postgres = await ensurePostgres(path.join(dataDir, 'postgres'), { port: 0 });
    cleanup.defer(() => postgres.release());
    await migrate(postgres.url);
    const database = openDatabase(postgres.url, 4);
    cleanup.defer(() => database.close());
    cleanup.defer(() => stopClientBoss());
    const { accountId } = await signUp(
      { database },
      {
        email: 'search@example.com',
        password: 'a kingfisher dives at dusk',
        operator: ACTOR,
      },
    );
    await activatePlan(
      { database, accountId, actor: ACTOR },
      { numbersIncluded: 1, paidUntil: '2999-12-31' },
    );
    const { id: numberId } = await addNumber({ database, accountId, actor: ACTOR }, { network: 'sandbox' });
    await database.sql`
      insert into messages (id, account_id, number_id, type, recipient, content, lane, status, deadline_at, media_status, settled_at)
      select 'msg_' || lpad(n::text, 24, '0'), ${accountId}, ${numberId}, 'text',
        '4915' || lpad((n * 7919 % 100000000)::text, 8, '0') || '@c.us',
        jsonb_build_object('type', 'text', 'body', 'Your parcel ' || n || ' arrives on ' || (n % 28 + 1) || ' May between '
          || (n % 9 + 8) || ' and 18 o''clock. Reply with STOP to hear no more of it.'),
        ${storedLane('sync')}, 'sent', now(), 'none', now()
      from generate_series(1, ${MESSAGES}) n`;
    await database.sql`analyze messages`;
    const asked = {
      'in every message': 'parcel',
      'in one of them, the oldest': 'parcel 1 arrives',
      'in none': 'kingfisher',
      'part of a recipient': '+49 15 0000 7919',
      'an id': `msg_${String(MESSAGES / 2).padStart(24, '0')}`,
    };
    const results: Record<string, unknown> = {};
    let slowest = 0;
    for (const [name, search] of Object.entries(asked)) {
      const times: number[] = [];
      let rows = 0;
      for (let n = 0; n < TIMES; n++) {
        const from = performance.now();
        rows = (await listMessages({ database, accountId }, { search, limit: PAGE })).rows.length;
        times.push(performance.now() - from);
      }
      const { p50, p95, max } = summarise(times);
      results[name] = { rows, p50, p95, max };
      slowest = Math.max(slowest, p95);
    }
    return {
      messages: MESSAGES,
      ...results,
      ratio: { 'slowest p95, of 200 ms': Math.round((slowest / WANTED_MS) * 100) / 100 },
    };
  } finally {
    await cleanup.disposeAsync();
  }
}
