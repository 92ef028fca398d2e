import { signInFor } from '#app/_features/auth/asked-for.ts';

/** Shows or hides the notice that the user is signed out. */
let show: ((signedOut: boolean) => void) | null = null;

/** Keeps a page with input in a form when its session ends: `shower` asks to sign in beside it. Returns how to stop. */
export function keepInput(shower: (signedOut: boolean) => void): () => void {
  const mark = ({ target }: Event) => (target as HTMLInputElement).form?.setAttribute('data-changed', '');
  document.addEventListener('input', mark, true);
  show = shower;
  return () => {
    document.removeEventListener('input', mark, true);
    show = null;
  };
}

/** The user is signed out: opens the sign-in form, which then returns to this page, unless input would be lost. */
export function toSignIn(): void {
  if (show && document.querySelector('form[data-changed]')) show(true);
  else leaveToSignIn();
}

/** Opens the sign-in form, also if input is lost. */
export function leaveToSignIn(): void {
  window.location.assign(signInFor(window.location.pathname + window.location.search));
}

/** The server has answered as to a signed-in user. */
export const signedIn = () => show?.(false);
