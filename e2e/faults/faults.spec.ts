import { expect, test } from 'playwright/test';
import { EVERY_CHANGE } from '#server/testing/long-tests.ts';
import type { Row } from './row.ts';
import { ROWS } from './rows.ts';
import { runRow } from './run-row.ts';
import type { TransportName } from './transport.ts';
import { startWorld } from './world.ts';

/** Those that could send a message twice run with every change, if they need no browser. */
const isChosen = (row: Row) =>
  !row.long && !row.ownWorld && (!EVERY_CHANGE || (row.duplicates === true && !needsBrowser(row)));

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
  expect(chosen.length).toBeGreaterThan(20);
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
