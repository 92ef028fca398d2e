/**
 * `npm run test:faults -- --row R --times N …`: runs rows of the table of faults against the product's real processes.
 * Each run adds a line to the results file; runs that the file already has for this code are skipped.
 */
import { runBackendKills } from './backend-kills.ts';
import { codeVersion, versionsSince } from './code-version.ts';
import { runKills } from './kills.ts';
import { readOptions } from './options.ts';
import { Results } from './results.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { runInOwnWorld, runSideBySide } from './run-row.ts';
import { KEY_FIELDS, type KeyField, type TransportName } from './transport.ts';
import { startWorld, type World } from './world.ts';
import type { DatabaseKind } from './world-database.ts';

const values = readOptions(process.argv.slice(2));
const transport = values.transport as TransportName;
const database = values.database as DatabaseKind;
const names = namesOf(values.row);
const unknown = names.filter((name) => !ROWS.some((row) => row.name === name));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. Rows: ${ROWS.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

if (values.kills) {
  const result = await runKills(Number(values.kills), database);
  console.log(JSON.stringify(result, null, 2));
  process.exit(result.problems.length > 0 ? 1 : 0);
}

if (values.orders) {
  console.log(JSON.stringify(await runBackendKills(Number(values.orders)), null, 2));
  process.exit(0);
}

const commit = codeVersion();
const counted = values.since ? versionsSince(values.since).add(commit) : undefined;
const results = new Results(values.results, counted ?? (values.summary ? undefined : new Set([commit])));
let failures = 0;
if (!values.summary)
  for (const [keyField, times] of keyFields(Number(values.times))) await runAll(keyField, times);
console.log(results.table());
process.exit(failures > 0 ? 1 : 0);

async function runAll(keyField: KeyField | undefined, times: number): Promise<void> {
  let world: World | null = null;
  const options = { transport, database, keyField };
  try {
    for (const row of ROWS) {
      if (!names.includes(row.name) || !(row.transports ?? [transport]).includes(transport)) continue;
      if (row.embedded && database === 'given') continue;
      let done = results.passed({ row: row.name, ...options });
      while (done < times) {
        const seeds = Array.from({ length: Math.min(times - done, atOnce(row)) }, (_, n) => done + n);
        if (!row.ownWorld) world ??= await startWorld(options);
        const runs =
          row.ownWorld || !world
            ? [await runInOwnWorld(options, row, done)]
            : await runSideBySide(world, row, seeds);
        for (const run of runs) {
          results.add({ ...run, ...options, commit, at: new Date().toISOString() });
          console.log(`${row.name} ${done + 1}/${times}: ${run.error ?? run.seen} (${run.ms} ms)`);
          done += 1;
        }
        const failed = runs.filter(({ error }) => error !== null).length;
        failures += failed;
        if (failed === 0) continue;
        if (values.verbose) console.error(world?.worker.output, world?.web.output);
        await world?.stop();
        world = null;
        break;
      }
    }
  } finally {
    await world?.stop();
  }
}

function atOnce({ sideBySide = [] }: Row): number {
  return sideBySide.includes(transport) ? Number(values['side-by-side']) : 1;
}

/** The passes with each key field of the page. Without a browser there is no page. */
function keyFields(times: number): [KeyField | undefined, number][] {
  if (transport === 'browserless') return [[undefined, times]];
  const wanted = values['key-field'];
  if (wanted !== 'both') return [[wanted as KeyField, times]];
  return KEY_FIELDS.map((field, n) => [field, Math.ceil((times - n) / KEY_FIELDS.length)]);
}

function namesOf(row: string): string[] {
  if (row === 'all') return ROWS.map(({ name }) => name);
  if (row === 'duplicates') return ROWS.filter(({ duplicates }) => duplicates).map(({ name }) => name);
  if (row === 'events') return ROWS.filter(({ events }) => events).map(({ name }) => name);
  return row.split(',');
}
