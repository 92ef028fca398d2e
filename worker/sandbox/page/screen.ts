/** The visible page. The adapter reads it too, because the real page shows a passkey request in no other way. */

const app = document.getElementById('app') ?? document.body;
let state = 'starting…';
let passkeyShown = false;

export function showState(next: string): void {
  state = next;
  if (!passkeyShown) app.textContent = state;
}

/** The security check instead of the QR, with the button that starts it. */
export function showPasskey(onContinue: () => void): void {
  passkeyShown = true;
  const heading = document.createElement('h1');
  heading.textContent = 'Security check with your passkey';
  const words = document.createElement('p');
  words.textContent = 'Linking this device needs your passkey. Keep WhatsApp open on your phone.';
  const button = document.createElement('button');
  button.textContent = 'Continue';
  button.onclick = onContinue;
  app.replaceChildren(heading, words, button);
}

export function showPasskeyFailure(reason: string): void {
  const words = document.createElement('p');
  words.textContent = `The passkey could not be used: ${reason}`;
  if (passkeyShown) app.append(words);
}

export function hidePasskey(): void {
  passkeyShown = false;
  app.textContent = state;
}
