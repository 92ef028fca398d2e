import { FAILING_BUILDS } from '#server/sandbox/network-config.ts';
import type { FaultNumber } from './numbers.ts';
import { delaySlot, expectFate, fateOf, storedFor } from './oracle.ts';
import { post } from './post.ts';
import { ACCEPTED, type Row } from './row.ts';
import { isAccepted } from './rows-refused.ts';
import { KEY_FIELDS } from './transport.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** From loading the new build until the number is back on the last good one. */
const BACK_WITHIN_MS = 60_000;
const SENT = { stored: ACCEPTED, delivered: [1] };

interface Running {
  version: string;
  kept: boolean;
}

async function running(world: World, { numberId }: FaultNumber): Promise<Running> {
  const [row] = await world.database.sql<Running[]>`
    select version, kept from number_builds where number_id = ${numberId}`;
  if (!row) throw new Error('the number runs no build');
  return row;
}

const isGood = async (world: World, version: string) =>
  (
    await world.database.sql`
      select from page_builds
      where version = ${version} and verdict = 'passed' and proven_at is not null and document is not null`
  ).length === 1;

/** The check that a build failed, if any. */
async function failedCheck(world: World, version: string): Promise<string | null> {
  const [row] = await world.database.sql<{ failed: string | null }[]>`
    select failed_check as failed from page_builds where version = ${version}`;
  return row?.failed ?? null;
}

/** The site serves a new build that fails its self-test; the last good one still works. */
export const BUILD_ROWS: Row[] = [
  {
    name: 'build-new-broken',
    fault: 'the site serves a new build that fails its self-test; messages before, during and after',
    transports: ['chromium'],
    async run(world, posts, seed) {
      const number = await world.number();
      const { sandbox } = world;
      const before = posts(post(world, number));
      expectFate(await fateOf(world, before), { callers: ['200'], ...SENT });
      const good = (await running(world, number)).version;
      await until('the build is known to be good', () => isGood(world, good));

      const brokenBuild = FAILING_BUILDS[seed % FAILING_BUILDS.length] ?? 'no-send';
      const keyField = KEY_FIELDS[Math.floor(seed / FAILING_BUILDS.length) % KEY_FIELDS.length] ?? '$1';
      const version = `2.3000.${Date.now()}`;
      await delaySlot(world, number);
      const async = posts(post(world, number, { prefer: 'respond-async' }));
      await async.answer;
      const sync = posts(post(world, number));
      await until('the sync message waits', async () => (await storedFor(world, sync)).length === 1);
      await sandbox.configure({ builds: [{ version, brokenBuild, keyField }] });
      try {
        await sandbox.reload({ phone: number.phone });
        await until(
          'the new build has failed',
          async () => (await failedCheck(world, version)) !== null,
          BACK_WITHIN_MS,
        );
        const meanwhile = posts(post(world, number));
        const back = async () => (await running(world, number)).version === good;
        await until('the number is on the last good build', back, BACK_WITHIN_MS);
        await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
        const { kept } = await running(world, number);
        if (!kept) throw new Error('the number does not run the stored document');

        const after = posts(post(world, number));
        const waited = await fateOf(world, sync);
        const expired = waited.callers[0] !== '200';
        expectFate(waited, {
          callers: ['200', '409'],
          stored: expired ? ['cancelled', 'expired'] : ACCEPTED,
          delivered: [expired ? 0 : 1],
        });
        const refused = await fateOf(world, meanwhile);
        const sent = refused.callers[0] === '200';
        expectFate(refused, {
          callers: ['200', '409'],
          stored: sent ? ACCEPTED : [refused.stored],
          delivered: [sent ? 1 : 0],
        });
        expectFate(await fateOf(world, after), { callers: ['200'], ...SENT });
        await until('the async message is sent', () => isAccepted(world, async));
        const kept202 = expectFate(await fateOf(world, async), { callers: ['202'], ...SENT });
        const failed = await failedCheck(world, version);
        return `${brokenBuild} (${failed}): waited ${waited.callers[0]}; meanwhile ${refused.callers[0]}; async ${kept202}`;
      } finally {
        await sandbox.configure({ builds: [] });
        // Numbers do not fetch the served build again if the site served this one recently.
        await world.database.sql`
          update page_builds set last_seen_at = last_seen_at - interval '1 hour' where version = ${version}`;
      }
    },
  },
];
