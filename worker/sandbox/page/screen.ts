/** What a person would see. The adapter may read it too: it is the only sign that the real page gives of a passkey. */

const app = document.getElementById('app') ?? document.body;
let state = 'starting…';
let passkeyShown = false;

export function showState(next: string): void {
  state = next;
  if (!passkeyShown) app.textContent = state;
}

/** The security check in place of the QR, with the button that begins it. */
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
