import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import type { Page } from './library.ts';
import { CLOSED_BY, DIALOG_REPORT, type DialogReport, watchDialogs } from './page/dialogs.ts';

/** Between two looks. Nothing waits for it: the page works behind its dialogs. */
const LOOK_MS = 2_000;

/** Closes the page's known dialogs, and reports others to the operator. `build`: the version of the page's build. */
export async function watchDialogsOf(page: Page, log: Log, build: () => string | null): Promise<void> {
  await page.exposeFunction(DIALOG_REPORT, ({ heading, closed }: DialogReport) => {
    if (closed) log.info({ heading, build: build() }, 'a dialog of WhatsApp Web was closed');
    else {
      log.warn({ heading, build: build() }, 'WhatsApp Web shows a dialog that Wirebird does not know');
      metrics().unknownDialogs.inc({ build: build() ?? 'unknown' });
    }
  });
  await page.evaluateOnNewDocument(watchDialogs, LOOK_MS, CLOSED_BY);
}
