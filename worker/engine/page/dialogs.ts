/**
 * Watches the dialogs that WhatsApp's page opens over itself. The function is sent there as text, so it may use only its
 * arguments and the page's globals.
 */

import type { PreludePage } from './prelude.ts';

/** The name of our function that the page reports to. */
export const DIALOG_REPORT = 'wirebirdDialog';

/** The test IDs of the buttons that close dialogs which need no answer: "What’s new", and "Not now" to notifications. */
export const CLOSED_BY: readonly string[] = ['whats_new_continue_button', 'notifications_opt_in_not_now'];

export interface DialogReport {
  heading: string;
  closed: boolean;
}

interface DialogPage extends PreludePage {
  wirebirdDialog(report: DialogReport): Promise<void>;
}

/** Closes known dialogs and reports each dialog once. Run it in each new document. */
export function watchDialogs(everyMs: number, closedBy: typeof CLOSED_BY): void {
  if (window.top !== window) return;
  const site = window as unknown as DialogPage;
  const { isFirst, poll } = site.wirebird;
  const HEADING_MAX = 100;
  const report = (dialog: Element, closed: boolean) => {
    if (!isFirst(dialog, 'reported')) return;
    const titled = dialog.querySelector('h1, h2, h3, [role="heading"]')?.textContent;
    const text = titled || dialog.getAttribute('aria-label') || dialog.textContent || '';
    // A heading can name a person by a phone number.
    const heading = text.trim().replace(/\+?\d[\d\s()-]{4,}/g, '…');
    site.wirebirdDialog({ heading: heading.slice(0, HEADING_MAX), closed }).catch(() => {});
  };
  poll(everyMs, () => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const buttons = closedBy.map((testId) => dialog.querySelector(`[data-testid="${testId}"]`));
      const button = buttons.find((one) => one !== null) as HTMLElement | undefined;
      if (button) {
        report(dialog, true);
        button.click();
      } else if (!isFirst(dialog, 'seen')) report(dialog, false); // at first its content may be missing
    }
    return false;
  });
}
