import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberHistory } from '#server/numbers/get-number.ts';
import { ENGINE_TIMES } from '../engine/times.ts';
import { startWorld, until, type World } from '../testing/world.ts';

/** What a number shows, and whether it restarts, when its connection is down or the server ends its stream. */

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

describe.each([
  ['is cut', { silently: false }, 'The connection to WhatsApp is interrupted.', 'cutMs', 180_000],
  ['leads to a silent server', { silently: true }, 'WhatsApp does not answer right now.', 'silentMs', 45_000],
] as const)('a line that %s', (_, how, words, limit, limitMs) => {
  test('is reported at once, and recovers in the same session', async () => {
    const number = await world.addLinkedNumber();
    world.network.cut(number.numberId, how);
    await world.untilStatus(number.numberId, 'RECONNECTING');
    expect((await world.sentenceOf(number.numberId)).slice(0, words.length)).toBe(words);
    expect(await world.statusFor(number.key)).toMatchObject({ status: 'RECONNECTING', connected: false });
    world.network.restore(number.numberId);
    await world.untilStatus(number.numberId, 'CONNECTED');
    expect(world.opens(number.numberId)).toBe(1);
  });

  test('gets a new browser after its time, not before', async () => {
    expect(ENGINE_TIMES[limit]).toBe(limitMs);
    Object.assign(world.network.times, { [limit]: 300, reconnectingMs: 20 });
    const { numberId } = await world.addLinkedNumber();
    world.network.cut(numberId, how);
    await world.untilStatus(numberId, 'RECONNECTING');
    await until(() => world.opens(numberId) === 2);
    await world.untilStatus(numberId, 'CONNECTED');
    Object.assign(world.network.times, ENGINE_TIMES);
  });
});

test.each(['500', '503', '515', 'xml-not-well-formed'] as const)(
  'a stream that ends in passing with %s changes nothing, and the session continues',
  async (error) => {
    const number = await world.addLinkedNumber();
    world.network.endStream(number.numberId, error);
    expect(await world.text(number.key, '491700000001', 'after it')).toMatchObject({
      message: { status: 'sent' },
    });
    const history = await numberHistory(world, { numberId: number.numberId });
    expect(history.filter(({ status }) => status === 'RECONNECTING')).toEqual([]);
    expect(await world.statusOf(number.numberId)).toBe('CONNECTED');
    expect(world.opens(number.numberId)).toBe(1);
  },
);
