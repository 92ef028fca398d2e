import process from 'node:process';

interface LongTests {
  /** Files, as globs from the root of the repository. */
  files: string[];
  /** What covers the same subject in `npm test`. */
  covered: string;
}

/**
 * Test files that start a browser or the whole product for each test, and take too long to run with every change.
 * `npm test` leaves them out; `npm run test:all` runs them, each night and before a release.
 */
export const LONG_TESTS: readonly LongTests[] = [
  {
    files: [
      'worker/sandbox/{faults,line,linking,passkey,refusals,restart,send-failures,sending}.integration.test.ts',
    ],
    covered: 'The simulated page on its own. The tests of the engine, and all of `e2e`, run on this page.',
  },
  {
    files: [
      'worker/engine/{browser,builds,comms,dialogs,ends,health,killed,line,linking,mute,offline-delivery,passkey,profile,refusals,repair-storage,resumed,send-failures}.integration.test.ts',
      'worker/numbers/page-build.integration.test.ts',
      'worker/profiles/dead-workers.integration.test.ts',
    ],
    covered:
      'Each stanza and each ending, in a browser. `worker/engine/{self-test,sending,page/own-messages}` test the way through the page; `worker/numbers` tests each result without a browser; `e2e/dashboard/states` shows it.',
  },
  {
    files: [
      'server/start/{earlier-installation,killed,refusals,run-process}.integration.test.ts',
      'server/start/demo/*.test.ts',
    ],
    covered:
      '`server/start/start` starts, kills and stops the product; unit tests cover what each start decides.',
  },
  {
    files: [
      'server/cli/{doctor,embedded,link}.integration.test.ts',
      'server/platform/embedded/postgres.integration.test.ts',
    ],
    covered: '`server/cli/cli` runs commands as processes; the tests of `e2e` link numbers with them.',
  },
  {
    files: ['server/rest/crowd.integration.test.ts'],
    covered:
      '`worker/numbers/queue` refuses the message after the last that may wait; `e2e/security/attempts` reaches limits of a few.',
  },
  {
    files: ['e2e/faults/backend.spec.ts', 'e2e/operation/*.spec.ts'],
    covered:
      '`e2e/faults/faults.spec` runs with every change the rows that kill processes and could send a message twice.',
  },
  {
    files: ['e2e/security/attacks.spec.ts'],
    covered:
      '`e2e/security/*.test.ts`: tenancy of every procedure, generated requests, attempts at signing in.',
  },
  {
    files: ['e2e/dashboard/{account,administration,frame,mails,numbers,pages,sandbox,search,try}.spec.ts'],
    covered:
      '`e2e/dashboard/{journey,start,messages,requests,scheduled,states,webhooks}` use most of these pages.',
  },
  {
    files: ['e2e/passkey-extension.spec.ts'],
    covered:
      '`e2e/dashboard/passkey` signs by the console’s code, without a full Chromium, which may have to be downloaded; `server/numbers/passkey-tools` tests the extension’s files.',
  },
  {
    files: ['e2e/rest/deliveries.spec.ts'],
    covered:
      '`e2e/rest/answers` delivers through a browser; `worker/engine/sending` sends each kind byte for byte.',
  },
];

/** Is this a run of the tests for every change? */
// biome-ignore lint/style/noProcessEnv: no setting of the product; set by `npm test`
export const EVERY_CHANGE = process.env.TESTS === 'every-change';

/** The files that this run leaves out. */
export const leftOut: string[] = EVERY_CHANGE ? LONG_TESTS.flatMap(({ files }) => files) : [];
