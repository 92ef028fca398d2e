import { expect, test } from 'vitest';
import { LookUpPause } from './look-up-pause.ts';

const MINUTE = 60_000;

test('a refused look-up pauses them for 10 minutes, twice as long each time, 6 hours at most', () => {
  let now = 0;
  const pause = new LookUpPause(() => now);
  expect(pause.holds).toBe(false);
  for (const minutes of [10, 20, 40, 80, 160, 320, 360, 360]) {
    pause.refused();
    now += minutes * MINUTE - 1;
    expect(pause.holds).toBe(true);
    now += 1;
    expect(pause.holds).toBe(false);
  }
  pause.answered();
  pause.refused();
  now += 10 * MINUTE;
  expect(pause.holds).toBe(false);
});
