import type { KindState } from '#server/core/build-kinds.ts';
import type { BuildState } from '#server/core/page-build.ts';

/** Texts about builds of WhatsApp Web, for the administrator. */
export const builds = {
  title: 'WhatsApp Web',
  lead: 'WhatsApp ships several builds of its page each week. One number tries a new build first. The others start on it when it works.',
  list: 'List of builds',
  setting: (name: string) =>
    ({
      latest:
        'WHATSAPP_BUILD=latest: numbers start on the build that WhatsApp serves. While that build is being tried or has failed, they start on the last good one.',
      'last-good': 'WHATSAPP_BUILD=last-good: numbers start on the newest good build.',
    })[name] ?? `WHATSAPP_BUILD=${name}: numbers start on this build only.`,
  triesFirst: {
    label: 'Try new builds first on',
    help: 'It restarts once when a new build appears. Its waiting messages are sent after the restart.',
    any: 'Whichever number restarts first',
    saved: 'Saved',
  },
  states: {
    good: 'Good',
    tried: 'Being tried',
    failed: 'Failed',
    unserved: 'No longer served',
    unproven: 'Not proven yet',
  } satisfies Record<BuildState, string>,
  triedBy: (number: string) => `Being tried by ${number}`,
  /** `left`: until the trial ends. */
  tried: {
    untested: (left: string) =>
      `Other numbers stay on the last good build. The self-test must pass within ${left}.`,
    passed: (left: string) =>
      `Other numbers stay on the last good build until this one has sent a message, or the trial ends in ${left}.`,
  },
  why: {
    good: null,
    unserved: 'WhatsApp no longer serves the files of this build. No number starts on it.',
    unproven: 'WhatsApp has not confirmed a message on this build yet.',
  } satisfies Record<Exclude<BuildState, 'failed' | 'tried'>, string | null>,
  failedCheck: (what: string) => `Self-test: ${what}.`,
  kinds: {
    list: 'Kinds of messages',
    results: {
      proven: 'Sent',
      tested: 'Passed its test, not sent yet',
      failed: 'Fails',
      untested: 'Not tested yet',
    } satisfies Record<KindState, string>,
    failed: (labels: string, check: string) => `${labels}: ${check}.`,
  },
  sandbox: 'Sandbox',
  kept: 'Kept',
  keptHelp: 'A copy of this build is stored here, so numbers can start on it again.',
  columns: {
    numbers: 'Numbers now',
    since: 'Since',
    test: 'Self-test',
    sent: 'Sent',
    failed: 'Failed',
    unknown: 'Unknown',
    ack: 'Confirmed, p95',
  },
  figures:
    'Messages from the last 24 hours. “Confirmed, p95”: WhatsApp confirmed 95% of the messages within this time.',
  untested: 'Not yet',
  passed: 'Passed',
  notPassed: 'Failed',
  milliseconds: (count: string) => `${count} ms`,
  tryAgain: 'Try again',
  trying: (number: string) => `${number} tries this build now`,
  tryingNext: 'The next number that starts tries this build',
  none: {
    title: 'No builds seen yet',
    text: 'A build appears here when a number starts on it.',
  },
};
