import { logoutFunctions } from './logout.ts';

/** The security check that covers the screen of a linked page. The page keeps working behind it. */

const box = document.createElement('section');
box.id = 'checkpoint';

/** Shows a challenge, or removes it (null). Only the real text for a passkey is known. */
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
