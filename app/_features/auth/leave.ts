import { postToAuth } from './auth-endpoint.ts';

/** Signs this browser out and opens the sign-in form. */
export async function leave(): Promise<void> {
  await postToAuth('signout').catch(() => undefined);
  window.location.assign('/sign-in');
}
