import { coverState } from './screen.ts';

/** The screen that asks for a passkey in place of the QR, with the real page's test IDs. */

export interface ScreenActions {
  start(): Promise<void>;
  confirm(): Promise<void>;
  cancel(): Promise<void>;
}

let actions: ScreenActions | null = null;

/** The prompt, which an error returns to. */
export function showPrompt(given: ScreenActions, error: string | null = null): void {
  actions = given;
  show('Confirm with your passkey', error ?? '', ['shortcake_passkey_continue_button', 'Continue', press]);
}

export function showPhoneWait(): void {
  if (actions) show('Continue on your phone', '');
}

/** `confirming`: the page confirms it without a person. */
export function showCode(code: string, confirming: boolean): void {
  if (!actions) return;
  if (confirming) show('Check the code', code);
  else show('Check the code', code, ['', 'The codes are equal', () => void actions?.confirm().catch(failed)]);
}

export function hideScreen(): void {
  actions = null;
  coverState(null);
}

/** An error returns to the prompt, where Continue tries again. */
export function failed(error: unknown): void {
  if (actions) showPrompt(actions, error instanceof Error ? error.message : String(error));
}

function press(): void {
  show('Confirm with your passkey', 'Waiting');
  actions?.start().catch(failed);
}

function show(
  heading: string,
  words: string,
  button?: [testId: string, text: string, run: () => void],
): void {
  const screen = document.createElement('section');
  screen.dataset.testid = 'shortcake_passkey_screen';
  screen.append(element('h1', heading), element('p', words));
  const cancel = ['shortcake_cancel_button', 'Cancel', () => void actions?.cancel()] as const;
  for (const [testId, text, run] of [...(button ? [button] : []), cancel]) {
    const made = element('button', text);
    if (testId) made.dataset.testid = testId;
    made.onclick = run;
    screen.append(made);
  }
  coverState(screen);
}

function element<K extends 'h1' | 'p' | 'button'>(name: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
