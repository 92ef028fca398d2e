import { expect, test } from 'playwright/test';
import { runBackendKills } from './backend-kills.ts';

const ORDERS = 60;

test('a backend that only posts and gets webhooks knows the true state of each message, whatever process is killed', async () => {
  test.setTimeout(300_000);
  const { states } = await runBackendKills(ORDERS);
  expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(ORDERS);
});
