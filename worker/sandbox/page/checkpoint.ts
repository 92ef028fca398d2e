import { logoutFunctions } from './logout.ts';

/** The security check that covers the screen of a linked page, which keeps working behind it. */

const box = document.createElement('section');
box.id = 'checkpoint';

/** Shows what WhatsApp asks for, or null: nothing. Only the words for a passkey are known. */
export function showCheckpoint(challenge: string | null): void {
  if (challenge === null) {
    box.remove();
    return;
  }
  const words = document.createElement('p');
  words.textContent = 'You can continue using WhatsApp Web after we verify your account with your Passkey.';
  const heading = document.createElement('h1');
  heading.textContent = 'Quick security check with Passkey';
  const go = document.createElement('button');
  go.textContent = 'Continue';
  const leave = document.createElement('button');
  leave.textContent = 'Log out of WhatsApp Web';
  leave.onclick = () => logoutFunctions.logout();
  box.replaceChildren(...(challenge === 'PASSKEY' ? [heading, words, go, leave] : [leave]));
  document.body.append(box);
}
