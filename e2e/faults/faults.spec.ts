import { expect, test } from 'playwright/test';
import { ROWS } from './rows.ts';
import { runRow } from './run-row.ts';
import type { TransportName } from './transport.ts';
import { startWorld } from './world.ts';

/** Rows about the browser use a browser, all others none; the latter mostly wait, so they have two worlds. */
const LANES: readonly { transport: TransportName; part: number; of: number }[] = [
  { transport: 'chromium', part: 0, of: 1 },
  { transport: 'browserless', part: 0, of: 2 },
  { transport: 'browserless', part: 1, of: 2 },
];
const needsBrowser = (transports: readonly TransportName[] | undefined) =>
  transports !== undefined && !transports.includes('browserless');

test('every fault row ends with its expected result', async () => {
  test.setTimeout(1_200_000);
  const failures: string[] = [];
  const lane = async ({ transport, part, of }: (typeof LANES)[number]) => {
    const rows = ROWS.filter(
      (row) => !row.long && !row.ownWorld && needsBrowser(row.transports) === (transport === 'chromium'),
    ).filter((_, index) => index % of === part);
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
