import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { UNKNOWN_MAX } from '#server/core/build-kinds.ts';
import type { AppError } from '#server/core/errors.ts';
import { startWorld, until, type World } from '../testing/world.ts';

// Before the settings are read, which happens once.
vi.hoisted(() => vi.stubEnv('SANDBOX_ACK_TIMEOUT_MS', '300'));

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world.stop();
});

test('on a new build a kind is refused after three messages without an answer, not after one', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  world.network.build = '2.3000.1099999999';
  await world.restartWorker();
  const failing = () => world.database.sql`
    select kind from page_build_kinds where version = ${world.network.build} and failed_check is not null`;
  /** Sends a message that gets no answer. After each, the number may reconnect for a moment. */
  const sendUnanswered = async (body: string) => {
    world.network.behave(numberId, 'silence');
    await until(async () => {
      const refused = await world.text(key, '491700000001', body).catch((error: unknown) => error);
      return (refused as AppError).code === 'send_unknown';
    });
  };
  for (let n = 1; n < UNKNOWN_MAX; n++) {
    await sendUnanswered(`silence ${n}`);
    expect(await failing()).toEqual([]);
  }
  await sendUnanswered('the last');
  await until(async () => (await failing()).length > 0);
  expect(await failing()).toEqual([{ kind: 'text' }]);
});
