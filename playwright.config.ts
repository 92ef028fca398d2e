import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'playwright/test';
import { resolveBrowser } from './worker/engine/browser.ts';

const browser = await resolveBrowser({ dataDir: path.join(os.tmpdir(), 'wirebird-e2e-browser') });

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  // Two stacks with their browsers at a time: much of what they do is waiting, and there are two cores.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: {
    launchOptions: { executablePath: browser.executablePath, args: browser.args, env: browser.env },
    trace: 'retain-on-failure',
  },
});
