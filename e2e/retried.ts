import { readFileSync } from 'node:fs';
import type {
  Reporter as PlaywrightReporter,
  Suite,
  TestCase,
  TestResult,
} from 'playwright/types/testReporter';
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

const SNAPSHOT_CHARS_MAX = 4_000;

/** The page's roles and texts from Playwright's report of a failure. */
function snapshot(context: string): string {
  const [, page = context] = context.split('# Page snapshot');
  return (page.split('# Test source')[0] ?? '').trim().slice(0, SNAPSHOT_CHARS_MAX);
}

/** For Playwright: the same, and the pages of failed tests. */
export default class PlaywrightRetried implements PlaywrightReporter {
  #suite: Suite | undefined;
  /** The pages of failed tests as text. They are printed, because CI does not keep the files. */
  readonly #shown: string[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.#suite = suite;
  }

  onTestEnd({ title }: TestCase, { attachments }: TestResult): void {
    for (const { name, path } of attachments)
      if (name === 'error-context' && path)
        this.#shown.push(`${title}\n${snapshot(readFileSync(path, 'utf8'))}`);
  }

  onEnd(): void {
    for (const shown of this.#shown) console.log(shown);
    const tests = this.#suite?.allTests() ?? [];
    const retried = tests.filter(({ results }) => results.length > 1);
    console.log(retriedLines(retried.map((test) => test.titlePath().filter(Boolean).join(' › '))));
  }

  printsToStdio(): boolean {
    return true;
  }
}
