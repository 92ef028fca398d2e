import type { Reporter as PlaywrightReporter, Suite } from 'playwright/types/testReporter';
import type { Reporter as VitestReporter } from 'vitest/node';

/** The last lines of a run: the names of tests that passed only at the second attempt. */
export function retriedLines(names: readonly string[]): string {
  return [`retried: ${names.length}`, ...names.map((name) => `  ${name}`)].join('\n');
}

/** For vitest: lists the retried tests at the end of a run. */
export const vitestRetried: VitestReporter = {
  onTestRunEnd(modules) {
    const names = modules.flatMap((file) =>
      [...file.children.allTests()]
        .filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0)
        .map((test) => `${file.relativeModuleId}: ${test.fullName}`),
    );
    console.log(retriedLines(names));
  },
};

/** For Playwright: the same. */
export default class PlaywrightRetried implements PlaywrightReporter {
  #suite: Suite | undefined;

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onEnd(): void {
    const tests = this.#suite?.allTests() ?? [];
    const retried = tests.filter(({ results }) => results.length > 1);
    console.log(retriedLines(retried.map((test) => test.titlePath().filter(Boolean).join(' › '))));
  }

  printsToStdio(): boolean {
    return true;
  }
}
