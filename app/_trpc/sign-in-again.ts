import { signInFor } from '#app/_features/auth/asked-for.ts';

/** Shows or hides the notice that the user is signed out. */
let show: ((signedOut: boolean) => void) | null = null;

/** Notes at a form what happened to it last: `input` or `submit`. */
function mark({ target, type }: Event): void {
  ((target as HTMLInputElement).form ?? (target as HTMLElement)).dataset.changed = type;
}

/** Keeps a page with input in a form when its session ends: `shower` asks to sign in beside it. Returns how to stop. */
export function keepInput(shower: (signedOut: boolean) => void): () => void {
  // Adding the same listener again does nothing.
  for (const type of ['input', 'submit']) document.addEventListener(type, mark, true);
  show = shower;
  return () => {
    show = null;
  };
}

/** A change was saved: what its form contained is not lost, unless the user has typed since. */
export function saved(): void {
  delete document.querySelector<HTMLElement>('form[data-changed=submit]')?.dataset.changed;
}

/** The user is signed out: opens the sign-in form, which then returns to this page, unless input would be lost. */
export function toSignIn(): void {
  if (show && document.querySelector('form[data-changed]')) show(true);
  else leaveToSignIn();
}

/** Opens the sign-in form, also if input is lost. */
export function leaveToSignIn(): void {
  location.assign(signInFor(location.pathname + location.search));
}

/** The server has answered as to a signed-in user. */
export const signedIn = () => show?.(false);
