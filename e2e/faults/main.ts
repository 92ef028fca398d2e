/**
 * `npm run test:faults -- --row R --times N [--database embedded|given] [--transport chromium|browserless]
 * [--results FILE]`: runs rows of the table of faults against the product's real processes. Each run adds a
 * line to the results file; what the file holds already is not run again. `--row all` takes every row,
 * `--row duplicates` those that could deliver twice, `--summary` prints the table and runs nothing.
 * `--kills N` is another test: see `kills.ts`.
 */
import { parseArgs } from 'node:util';
import { runKills } from './kills.ts';
import { Results } from './results.ts';
import { ROWS } from './rows.ts';
import { runInOwnWorld, runRow } from './run-row.ts';
import type { TransportName } from './transport.ts';
import { type DatabaseKind, startWorld, type World } from './world.ts';

const { values } = parseArgs({
  options: {
    row: { type: 'string', default: 'all' },
    times: { type: 'string', default: '1' },
    database: { type: 'string', default: 'embedded' },
    transport: { type: 'string', default: 'chromium' },
    results: { type: 'string', default: 'fault-results.jsonl' },
    summary: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    kills: { type: 'string' },
  },
});
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

const results = new Results(values.results);
let failures = 0;
if (!values.summary) {
  let world: World | null = null;
  try {
    for (const row of ROWS) {
      if (!names.includes(row.name) || !(row.transports ?? [transport]).includes(transport)) continue;
      if (row.embedded && database === 'given') continue;
      const done = results.passed({ row: row.name, transport, database });
      for (let n = done; n < Number(values.times); n++) {
        if (!row.ownWorld) world ??= await startWorld({ transport, database });
        const result =
          row.ownWorld || !world
            ? await runInOwnWorld({ transport, database }, row, n)
            : await runRow(world, row, n);
        results.add({ ...result, transport, database });
        console.log(`${row.name} ${n + 1}/${values.times}: ${result.error ?? result.seen} (${result.ms} ms)`);
        if (!result.error) continue;
        failures += 1;
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
console.log(results.table());
process.exit(failures > 0 ? 1 : 0);

function namesOf(row: string): string[] {
  if (row === 'all') return ROWS.map(({ name }) => name);
  if (row === 'duplicates') return ROWS.filter(({ duplicates }) => duplicates).map(({ name }) => name);
  return row.split(',');
}
