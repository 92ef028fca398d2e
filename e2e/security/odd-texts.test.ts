import { afterAll, beforeAll, expect, test } from 'vitest';
import { setDatabase } from '#server/platform/db/client.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { ask, isFault, levelOf, PROCEDURES } from './tenancy/cells.ts';
import { inputsOf } from './tenancy/inputs.ts';
import { type World, WorldDatabases } from './tenancy/world.ts';

const databases = new WorldDatabases();
let world: World;
let database: WithSql;
beforeAll(async () => {
  world = await databases.create();
  database = await databases.copy();
  setDatabase(database);
});
afterAll(async () => {
  await stopClientBoss();
  await databases[Symbol.asyncDispose]();
});

/** What PostgreSQL stores neither as text nor in JSON: half of a surrogate pair, and NUL. */
const ODD = ['\ud800', '\0'];

/** An input once for each of its texts, which then ends oddly. */
function oddOnes(input: unknown): unknown[] {
  if (typeof input === 'string') return ODD.map((odd) => input + odd);
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    oddOnes(value).map((odd) =>
      Array.isArray(input) ? input.with(Number(name), odd) : { ...input, [name]: odd },
    ),
  );
}

/** These compare with a planted secret that no service wrote. */
const UNREADABLE = ['user.confirmSecondFactor'];

test.each(PROCEDURES.filter(({ path }) => !UNREADABLE.includes(path)))(
  '$path: no text that cannot be stored causes an internal error',
  async ({ path, schemas }) => {
    const role = levelOf(path) === 'administrator' ? 'administrator' : 'owner';
    for (const valid of inputsOf(path, schemas))
      for (const input of oddOnes(valid.of(world.ours))) {
        const outcome = await ask(database, world, role, path, input);
        expect(isFault(outcome), `${JSON.stringify(input)}: ${JSON.stringify(outcome)}`).toBe(false);
      }
  },
);
