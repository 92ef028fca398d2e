import { config } from './state.ts';

/** Dialogs that the page opens over itself once it is in sync. It keeps working behind them. */

const DIALOGS = {
  'whats-new': {
    heading: 'What’s new on WhatsApp Web',
    button: { text: 'Continue', testId: 'whats_new_continue_button' },
  },
  notifications: {
    heading: 'Don’t miss a message',
    button: { text: 'Not now', testId: 'notifications_opt_in_not_now' },
  },
  unknown: { heading: 'Meet the new calls tab', button: { text: 'Got it', testId: undefined } },
} as const;

export function openDialogs(): void {
  for (const kind of config.dialogs) {
    const { heading, button } = DIALOGS[kind];
    const dialog = document.createElement('div');
    dialog.role = 'dialog';
    dialog.ariaModal = 'true';
    const title = document.createElement('h1');
    title.textContent = heading;
    const close = document.createElement('button');
    close.textContent = button.text;
    if (button.testId) close.dataset.testid = button.testId;
    close.onclick = () => dialog.remove();
    dialog.append(title, close);
    document.body.append(dialog);
  }
}
