import { readdir } from 'node:fs/promises';
import os from 'node:os';
import { parentOf } from '#server/platform/process/identity.ts';
import { memoryOf, type ProcessEntry, processTable, withDescendants } from '#worker/engine/process-table.ts';
import { metricOf } from './browserless.ts';
import type { Product } from './soak-product.ts';

const BIGGEST_TABLES = 6;
const MIB = 2 ** 20;

/** What the processes and the database use now; figures of processes that share memory are PSS. */
export async function figuresOf(product: Product) {
  const { database, web, worker } = product;
  const [webMetrics = '', workerMetrics = ''] = await product.metrics().catch(() => []);
  const table = processTable();
  const below = (pid: number | null | undefined) =>
    withDescendants(
      table.filter((entry) => entry.pid === pid),
      table,
    );
  const [backend] = await database.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const server = below(parentOf(backend?.pid ?? 0));
  const browsers = below(worker.pid).filter(({ pid }) => pid !== worker.pid);
  return {
    web: { ...fromMetrics(webMetrics), descriptors: await descriptorsOf(below(web.pid).slice(0, 1)) },
    worker: {
      ...fromMetrics(workerMetrics),
      descriptors: await descriptorsOf(below(worker.pid).slice(0, 1)),
    },
    postgres: await totalOf(server),
    ...(browsers.length > 0 && { browsers: await totalOf(browsers) }),
    database: await databaseFigures(product),
    machine: { load: rounded(os.loadavg()[0] ?? Number.NaN) },
    driver: { rssMb: rounded(process.memoryUsage.rss() / MIB) },
  };
}

function fromMetrics(text: string) {
  return {
    rssMb: rounded(metricOf(text, 'process_resident_memory_bytes') / MIB),
    heapMb: rounded(metricOf(text, 'nodejs_heap_size_used_bytes') / MIB),
    // Measured since the metrics were last read.
    lagP99Ms: rounded(metricOf(text, 'nodejs_eventloop_lag_p99_seconds') * 1000),
    prepared: metricOf(text, 'wirebird_database_prepared_statements'),
  };
}

async function totalOf(processes: readonly ProcessEntry[]) {
  const each = await Promise.all(processes.map((one) => memoryOf([one])));
  return {
    processes: processes.length,
    pssMb: rounded(each.reduce((sum, bytes) => sum + bytes, 0) / MIB),
    // A connection whose cached plans and catalog entries pile up shows here.
    largestMb: rounded(Math.max(0, ...each) / MIB),
    descriptors: await descriptorsOf(processes),
  };
}

async function descriptorsOf(processes: readonly ProcessEntry[]): Promise<number> {
  const each = await Promise.all(
    processes.map(({ pid }) => readdir(`/proc/${pid}/fd`).catch(() => [] as string[])),
  );
  return each.reduce((sum, names) => sum + names.length, 0);
}

async function databaseFigures({ database: { sql } }: Product) {
  const [whole] = await sql<Record<'mb' | 'walMb' | 'connections' | 'queueUsage', number>[]>`
    select pg_database_size(current_database()) / ${MIB}::float8 as mb,
      (select sum(size) from pg_ls_waldir()) / ${MIB}::float8 as "walMb",
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      pg_notification_queue_usage() as "queueUsage"`;
  const tables = await sql<{ name: string; mb: number; dead: number }[]>`
    select schemaname || '.' || relname as name, pg_total_relation_size(relid) / ${MIB}::float8 as mb, n_dead_tup::int as dead
    from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit ${BIGGEST_TABLES}`;
  return {
    mb: rounded(whole?.mb ?? Number.NaN),
    walMb: rounded(whole?.walMb ?? Number.NaN),
    connections: whole?.connections ?? Number.NaN,
    queueUsage: whole?.queueUsage ?? Number.NaN,
    tables: Object.fromEntries(
      tables.map(({ name, mb, dead }) => [name, { mb: rounded(mb), deadRows: dead }]),
    ),
  };
}

export const rounded = (value: number) => Math.round(value * 100) / 100;
