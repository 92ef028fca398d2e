import { expect, test } from 'playwright/test';
import { EVERY_CHANGE } from '#server/testing/long-tests.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { PROCESS_ROWS } from './rows-processes.ts';
import { runRow } from './run-row.ts';
import type { TransportName } from './transport.ts';
import { startWorld } from './world.ts';

/** With every change, only rows that kill processes, could send a message twice, and need no browser. */
const isChosen = (row: Row) =>
  EVERY_CHANGE
    ? PROCESS_ROWS.includes(row) && row.duplicates === true && !row.long && !needsBrowser(row)
    : !row.long && !row.ownWorld;

/** Rows about the browser use a browser, all others none; the latter mostly wait, so they have two worlds. */
const LANES: readonly { transport: TransportName; part: number; of: number }[] = [
  { transport: 'chromium', part: 0, of: 1 },
  { transport: 'browserless', part: 0, of: 2 },
  { transport: 'browserless', part: 1, of: 2 },
];
function needsBrowser({ transports }: Row): boolean {
  return transports !== undefined && !transports.includes('browserless');
}

test('each fault row ends with its expected result', async () => {
  test.setTimeout(1_200_000);
  const failures: string[] = [];
  const chosen = ROWS.filter(isChosen);
  expect(chosen.length).toBeGreaterThan(10);
  const lane = async ({ transport, part, of }: (typeof LANES)[number]) => {
    const rows = chosen
      .filter((row) => needsBrowser(row) === (transport === 'chromium'))
      .filter((_, index) => index % of === part);
    if (rows.length === 0) return;
    const world = await startWorld({ transport });
    try {
      for (const row of rows)
        await test.step(row.fault, async () => {
          const { error } = await runRow(world, row, 0);
          if (error) failures.push(`${row.fault}: ${error}`);
        });
    } finally {
      await world.stop();
    }
  };
  await Promise.all(LANES.map(lane));
  expect(failures).toEqual([]);
});
