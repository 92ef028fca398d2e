import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { LENT_STOP_MIB } from '../testing/lent-disk.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** Files of messages while the disk has little room. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const refusing = async () => {
  const [row] = await world.database.sql<{ refusing: boolean }[]>`
    select media_refused_at is not null as refusing from processes where kind = 'worker'`;
  return row?.refusing ?? false;
};

test('below the first threshold files are refused before anything is accepted, with when to repeat, and texts are sent', async () => {
  const { key, numberId } = await world.addLinkedNumber();
  const content = { type: 'image', url: 'https://example.com/a.jpg' } as const;
  await world.disk.leave(LENT_STOP_MIB * 2 - 1);
  await until(refusing);
  for (const mode of [{ kind: 'sync' }, { kind: 'async', expiresInSeconds: null }] as const) {
    const refused: unknown = await world.send(key, '491700000001', content, { mode }).catch((error) => error);
    if (!(refused instanceof AppError)) throw new Error('the file was accepted');
    expect(refused).toMatchObject({
      code: 'no_room',
      details: { sendOutcome: 'not_sent' },
    });
    expect(refused.details.messageId).toBeUndefined();
  }
  expect((await world.text(key, '491700000001', 'a text')).message.status).toBe('sent');
  expect(await world.statusOf(numberId)).toBe('CONNECTED');
  // A little more room is not enough.
  await world.disk.leave(LENT_STOP_MIB * 2 + 1);
  expect(await refusing()).toBe(true);
  await world.disk.leave(LENT_STOP_MIB * 10);
  await until(async () => !(await refusing()));
});
