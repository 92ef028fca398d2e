import { defineConfig } from 'playwright/test';
import { leftOut } from './server/testing/long-tests.ts';
import { resolveBrowser } from './worker/engine/browser.ts';
import { BROWSER_OF_TESTS } from './worker/testing/engine-browser.ts';

const browser = await resolveBrowser({ dataDir: BROWSER_OF_TESTS });

/** Each takes minutes. They begin first, so that none still runs when all others have ended. */
const LONG = ['**/faults/*.spec.ts', '**/operation/*.spec.ts', '**/dashboard/pages.spec.ts'];

const ignored = leftOut.map((glob) => `**/${glob}`);

export default defineConfig({
  testDir: 'e2e',
  projects: [
    { name: 'long', testMatch: LONG, testIgnore: ignored },
    { name: 'short', testMatch: '**/*.spec.ts', testIgnore: [...LONG, ...ignored] },
  ],
  // More stacks than cores: much of what they do is waiting.
  workers: 3,
  // Generous: what is slow here is the machine. Times that are promised are measured where they are promised.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  // As in vitest.config.ts.
  // biome-ignore lint/style/noProcessEnv: no setting of the product; set by CI
  retries: process.env.CI ? 1 : 0,
  reporter: [['list'], ['./e2e/retried.ts']],
  use: {
    launchOptions: { executablePath: browser.executablePath, args: browser.args, env: browser.env },
    // Recording takes a third of the browsers' time, so only the second attempt is recorded.
    trace: 'on-first-retry',
  },
});
