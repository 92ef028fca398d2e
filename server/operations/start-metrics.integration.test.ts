import { afterAll, beforeAll, expect, test } from 'vitest';
import { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { version } from '#server/platform/version.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { writeProcess } from './queries/processes.ts';
import { noteSearchWait } from './queries/search-wait.ts';
import { collectDisks, collectInstallation, collectPool } from './start-metrics.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('numbers by state, queues, workers and the pool are reported as of the request', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  await makeNumber(database, { accountId });
  const stopped = await makeNumber(database, { accountId });
  await database.sql`update numbers set status = 'RECONNECTING', cause = '{"code": "plan_ended"}' where id = ${stopped}`;
  await database.sql`
    insert into number_health (number_id, timelock_kind, cap_status) values (${numberId}, 'DEFAULT', 'FIRST_WARNING')`;
  const messageId = await queueMessage(database, { accountId, numberId });
  await database.sql`
    update messages set created_at = clock_timestamp() - interval '90 seconds', lane = 'async' where id = ${messageId}`;
  await database.sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at, verdict) values
      ('sandbox', '7', clock_timestamp(), clock_timestamp(), 'passed'), ('sandbox', '8', clock_timestamp(), clock_timestamp(), null)`;
  await database.sql`insert into number_builds (number_id, version, kept, since) values (${numberId}, '7', false, clock_timestamp())`;
  await database.sql`
    insert into page_build_kinds (network, version, kind, tested_at, tested_by, failed_check, proven_at) values
      ('sandbox', '7', 'text', clock_timestamp(), ${version}, null, clock_timestamp()),
      ('sandbox', '7', 'audio', clock_timestamp(), ${version}, null, null),
      ('sandbox', '7', 'image', clock_timestamp() - interval '1 hour', ${version}, 'its file cannot be prepared', null),
      ('sandbox', '7', 'contact', clock_timestamp(), 'an earlier one', 'it has no vCard', null),
      ('sandbox', '8', 'image', clock_timestamp(), ${version}, 'its file cannot be prepared', null)`;
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1, pidSpace: 'here' });
  await noteSearchWait(database);
  await database.sql`update installation set value = (value::timestamptz - interval '90 seconds')::text where key = 'search index waits'`;
  collectPool({ database });
  collectInstallation({ database });
  const text = await metrics().registry.metrics();
  expect(text).toContain('wirebird_numbers{status="CONNECTED"} 1');
  expect(text).toContain('wirebird_numbers{status="UNLINKED"} 1');
  // A number that its plan stopped does not count as reconnecting.
  expect(text).toContain('wirebird_numbers{status="RECONNECTING"} 0');
  expect(text).toContain('wirebird_numbers{status="PLAN_STOPPED"} 1');
  expect(text).toContain('wirebird_numbers_restricted{limit="timelock"} 1');
  expect(text).toContain('wirebird_numbers_restricted{limit="cap"} 0');
  expect(text).toContain('wirebird_queue_messages{lane="async"} 1');
  expect(text).toContain('wirebird_queue_messages{lane="sync"} 0');
  expect(text).toContain('wirebird_numbers_by_build{network="sandbox",build="7"} 1');
  expect(text).toContain('wirebird_numbers_by_build{network="sandbox",build="8"} 0');
  expect(text).toContain('wirebird_build_self_test{network="sandbox",build="7"} 1');
  expect(text).not.toContain('wirebird_build_self_test{network="sandbox",build="8"}');
  expect(text.match(/^wirebird_build_kinds\{.*$/gm)?.sort()).toEqual([
    'wirebird_build_kinds{network="sandbox",build="7",kind="audio",result="tested"} 1',
    'wirebird_build_kinds{network="sandbox",build="7",kind="image",result="failed"} 1',
    'wirebird_build_kinds{network="sandbox",build="7",kind="text",result="proven"} 1',
  ]);
  expect(text).toContain('wirebird_workers 1');
  const oldest = Number(/wirebird_queue_oldest_seconds\{lane="async"\} ([\d.]+)/.exec(text)?.[1]);
  expect(oldest).toBeGreaterThanOrEqual(90);
  expect(text).toMatch(/^wirebird_search_index_waits_seconds 9\d/m);
  expect(text).toMatch(/^wirebird_database_prepared_statements [1-9]\d*$/m);
  expect(text).toMatch(/wirebird_database_connections\{state="idle"\} \d/);
});

test('free space and the level of each disk are reported as last seen', async () => {
  const volume = { path: '/data', totalBytes: 1000, freeFiles: Number.POSITIVE_INFINITY };
  const watch = new DiskWatch({
    places: {},
    log,
    stopBytes: 100,
    read: async () => [
      { ...volume, uses: ['profiles', 'media'], freeBytes: 99 },
      { ...volume, uses: ['logs'], freeBytes: 150 },
      { ...volume, uses: ['database'], freeBytes: 900 },
    ],
  });
  await watch.look();
  collectDisks(watch);
  const text = await metrics().registry.metrics();
  expect(text).toContain('wirebird_disk_free_bytes{use="media"} 99');
  for (const [use, level] of Object.entries({ profiles: 2, media: 2, logs: 1, database: 0 }))
    expect(text).toContain(`wirebird_disk_level{use="${use}"} ${level}`);
});
