import { expect, test } from 'vitest';
import { chromiumAgeWeeks } from './chromium-age.ts';

const NOVEMBER = Date.UTC(2026, 10, 17);

test.each([
  ['153.0.8000.1', 10],
  ['156.0.8078.108', 4],
  ['158.0.8100.1', 0],
  ['159.0.8100.1', 0],
  ['140.0.7339.80', 62],
  [null, null],
])('%s is %s weeks old', (version, weeks) => {
  expect(chromiumAgeWeeks(version, NOVEMBER)).toBe(weeks);
});
