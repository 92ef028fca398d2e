import { expect, test } from 'vitest';
import { ServicePause } from './service-pause.ts';

const MINUTES = 60_000;

function pauseAt() {
  const clock = { ms: 5000 };
  return { clock, pause: new ServicePause(() => clock.ms) };
}

test('a pause is shared: numbers that fail during it do not extend it', () => {
  const { clock, pause } = pauseAt();
  expect(pause.leftMs()).toBe(0);
  pause.begin(10 * MINUTES);
  clock.ms += 4 * MINUTES;
  pause.begin(10 * MINUTES);
  expect(pause.leftMs()).toBe(6 * MINUTES);
});

test('pauses double while no session connects, up to two hours', () => {
  const { clock, pause } = pauseAt();
  const lengths = Array.from({ length: 6 }, () => {
    pause.begin(10 * MINUTES);
    const left = pause.leftMs();
    clock.ms += left;
    return left / MINUTES;
  });
  expect(lengths).toEqual([10, 20, 40, 80, 120, 120]);
});

test('a session that connects ends the pause and shortens the next', () => {
  const { pause } = pauseAt();
  pause.begin(10 * MINUTES);
  pause.over();
  expect(pause.leftMs()).toBe(0);
  pause.begin(10 * MINUTES);
  expect(pause.leftMs()).toBe(10 * MINUTES);
});
