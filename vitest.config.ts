import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { vitestRetried } from './e2e/retried.ts';
import { scopesPlugin } from './e2e/security/tenancy/scopes-plugin.ts';
import { compileCache } from './server/platform/process/node.ts';
import { EVERY_CHANGE, leftOut } from './server/testing/long-tests.ts';
import { randomSentences } from './server/testing/random-sentences.ts';

const always = ['node_modules/**', '.next/**', '.data/**', ...leftOut];
const exclude = [...always, 'e2e/**'];

// Nothing of a test run touches the data directory of the checkout.
const env = {
  DATA_DIR: path.join(os.tmpdir(), `wirebird-vitest-${process.pid}`),
  LOG_LEVEL: 'silent',
  // For the processes that tests start.
  NODE_COMPILE_CACHE: compileCache,
  KEY_PEPPER: 'pepper-of-tests-'.repeat(3),
  DATA_KEY: 'data-key-of-tests-'.repeat(3),
  AUTH_SECRET: 'secret-of-tests-'.repeat(3),
};

// biome-ignore lint/style/noProcessEnv: no setting of the product; `npm run test:security` asks for the long form
const ATTACKS = process.env.ATTACKS === 'long' ? ('long' as const) : ('short' as const);

// biome-ignore lint/style/noProcessEnv: no setting of the product; `npm run test:reconcile` asks for the long form
const FIND_ALL = process.env.RECONCILE === 'long';
const RECONCILE = FIND_ALL ? { rounds: 20, messages: 300 } : { rounds: 1, messages: 5 };

// What touches messages, or all of the engine's suite.
// biome-ignore lint/style/noProcessEnv: no setting of the product; `npm run test:older-keys` asks for the long form
const WHOLE = process.env.OLDER_KEYS === 'long';
const OLDER_KEYS = WHOLE ? '**/*' : '**/{own-messages,*sending,self-test,restart}';

// biome-ignore lint/style/noProcessEnv: no setting of the product; `npm run test:never-twice` asks for the long form
const SENDS = Number(process.env.NEVER_TWICE ?? 150);

// In CI a test that needs real time may be tried once more; the last lines of the run name it, and it is a fault to be found.
// biome-ignore lint/style/noProcessEnv: no setting of the product; set by CI
const retry = process.env.CI ? 1 : 0;

// Loading the same modules for each file would take a second of a processor.
const sharedProcess = { isolate: false, setupFiles: ['./server/testing/forget-singletons.ts'] };

// Their files have their own processes: they start browsers and processes, or load modules in their own way.
const OWN_PROCESS = [
  'worker/**/*.integration.test.ts',
  'server/{cli,start,platform}/**/*.integration.test.ts',
  'server/rest/{crowd,log-refusal}.integration.test.ts',
];

// What the product decides, in tests that name no sentence: states, linking, alerts, what a dashboard offers.
const DECISIONS = [
  'app/_features/numbers/number-sentence.test.ts',
  'server/alerts/alert-ends.integration.test.ts',
  'server/messages/{schedule,later-sent}.integration.test.ts',
  'server/numbers/cancelled-lately.integration.test.ts',
  'server/operations/{page-builds,start-metrics}.integration.test.ts',
  'server/plans/wrong-clock.integration.test.ts',
  'worker/numbers/{late-link,silence,transitions}.integration.test.ts',
  ...(EVERY_CHANGE ? [] : ['worker/numbers/{disk-full,ends,fences,recipient-checks}.integration.test.ts']),
];

// With random sentences they prove the same, so on every change they run once.
const runOnce = EVERY_CHANGE ? DECISIONS : [];

// More than cores: much of what they do is waiting. The same for all projects, so that they run side by side.
const maxWorkers = 4;

// Of tests that use the database, browsers and processes.
const withRealTime = {
  maxWorkers,
  retry,
  testTimeout: 90_000,
  hookTimeout: 90_000,
  // The default of 1 s is too short for a browser on a busy machine.
  expect: { poll: { timeout: 20_000 } },
};

declare module 'vitest' {
  interface ProvidedContext {
    /** How much is tried: what CI has time for, or everything. */
    attacks: 'long' | 'short';
    seed: number;
    /** What the sandbox's page calls the text of a message's key (`server/sandbox/network-config.ts`). */
    keyField: '$1' | '_serialized';
    /** How many messages are found again, after each of how many starts of the browser. */
    reconcile: { rounds: number; messages: number };
    /** How many messages the clients send through a proxy that loses, delays and duplicates. */
    sends: number;
  }
}

// Half of the time to load a file of tests, as in `server/platform/process/fast-imports.ts`.
const { resolve } = createRequire(import.meta.url);
const drizzleAsCommonJs = {
  name: 'drizzle-as-common-js',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id.startsWith('drizzle-orm') ? { id: resolve(id), external: true } : null),
};

/** The page as it was before July 2026. */
const olderKeys: TestProjectConfiguration = {
  plugins: [drizzleAsCommonJs],
  test: {
    name: 'older-keys',
    env,
    provide: { keyField: '_serialized', reconcile: RECONCILE },
    include: [`worker/{engine,sandbox}/${OLDER_KEYS}.integration.test.ts`],
    exclude,
    ...withRealTime,
  },
};

export default defineConfig({
  test: {
    reporters: ['default', vitestRetried],
    projects: [
      {
        plugins: [drizzleAsCommonJs],
        test: {
          name: 'unit',
          env,
          include: ['{server,worker,app,bench}/**/*.test.ts'],
          exclude: [...exclude, ...runOnce, '**/*.integration.test.ts'],
          ...sharedProcess,
          maxWorkers,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        plugins: [drizzleAsCommonJs],
        test: {
          name: 'integration',
          env,
          include: ['{server,app}/**/*.integration.test.ts'],
          exclude: [...exclude, ...runOnce, ...OWN_PROCESS],
          globalSetup: ['./server/testing/database-setup.ts'],
          ...sharedProcess,
          ...withRealTime,
        },
      },
      {
        plugins: [drizzleAsCommonJs],
        test: {
          name: 'integration-processes',
          env,
          provide: { keyField: '$1', reconcile: RECONCILE },
          include: OWN_PROCESS,
          exclude: [...exclude, ...runOnce],
          globalSetup: ['./server/testing/database-setup.ts'],
          ...withRealTime,
        },
      },
      {
        plugins: [drizzleAsCommonJs],
        test: {
          name: 'clients',
          env,
          include: ['clients/**/*.test.ts'],
          exclude: [...exclude, '**/node_modules/**'],
          provide: { sends: SENDS },
          globalSetup: ['./clients/testing/setup.ts'],
          ...withRealTime,
        },
      },
      {
        plugins: [drizzleAsCommonJs, randomSentences()],
        test: {
          name: 'random-sentences',
          env,
          include: DECISIONS,
          exclude,
          globalSetup: ['./server/testing/database-setup.ts'],
          ...withRealTime,
        },
      },
      ...(EVERY_CHANGE ? [] : [olderKeys]),
      {
        plugins: [drizzleAsCommonJs, scopesPlugin()],
        test: {
          name: 'security',
          env,
          provide: { attacks: ATTACKS, seed: 20_261_121 },
          include: ['e2e/security/**/*.test.ts'],
          exclude: always,
          globalSetup: ['./server/testing/database-setup.ts'],
          ...withRealTime,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
