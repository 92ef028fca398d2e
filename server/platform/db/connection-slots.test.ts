import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionSlots } from './connection-slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const NEVER_MS = 60_000;

test('as many run at once as there are connections, the others in order', async () => {
  const turns = new ConnectionSlots(1, NEVER_MS);
  const order: number[] = [];
  const takers = [0, 1, 2].map((n) => turns.take().then(() => order.push(n)));
  await takers[0];
  expect([order, turns.waiting]).toEqual([[0], 2]);
  turns.give({ moved: true });
  turns.give({ moved: true });
  await Promise.all(takers);
  expect([order, turns.waiting]).toEqual([[0, 1, 2], 0]);
});

test('a wait that takes too long while others are served is not reported as an unreachable database', async () => {
  const turns = new ConnectionSlots(1, 5_000);
  await turns.take();
  const waits = [turns.take(), turns.take()];
  const late = expect(waits[1]).rejects.toMatchObject({ code: 'POOL_BUSY' });
  await vi.advanceTimersByTimeAsync(1_000);
  turns.give({ moved: true });
  await waits[0];
  await vi.advanceTimersByTimeAsync(4_000);
  await late;
  expect(turns.waiting).toBe(0);
});

test('a wait in which no connection answered is reported as an unreachable database', async () => {
  const turns = new ConnectionSlots(1, 5_000);
  await turns.take();
  const waits = [turns.take(), turns.take()];
  const late = expect(waits[1]).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  await vi.advanceTimersByTimeAsync(1_000);
  turns.give({ moved: false });
  await waits[0];
  await vi.advanceTimersByTimeAsync(4_000);
  await late;
});

test('a caller that gave up takes no turn', async () => {
  const turns = new ConnectionSlots(1, 5_000);
  await turns.take();
  const late = expect(turns.take()).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  await vi.advanceTimersByTimeAsync(5_000);
  await late;
  turns.give({ moved: true });
  await turns.take();
});

test('callers of different turns alternate', async () => {
  const slots = new ConnectionSlots(1, NEVER_MS);
  const order: string[] = [];
  const takers = ['first', 'many', 'many', 'many', 'one', 'other'].map((turn) =>
    slots.take(turn).then(() => {
      order.push(turn);
      slots.give({ moved: true, turn });
    }),
  );
  await Promise.all(takers);
  expect(order).toEqual(['first', 'many', 'one', 'other', 'many', 'many']);
});

test('one turn leaves a connection to others, whether there are others or not', async () => {
  const slots = new ConnectionSlots(3, NEVER_MS, 2);
  await Promise.all([slots.take('many'), slots.take('many')]);
  const more = slots.take('many');
  expect(slots.waiting).toBe(1);
  await slots.take('other');
  slots.give({ moved: true, turn: 'other' });
  expect(slots.waiting).toBe(1);
  slots.give({ moved: true, turn: 'many' });
  await more;
});
