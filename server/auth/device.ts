import { randomBytes } from 'node:crypto';
import { settings } from '#server/settings.ts';
import { cookieName } from './cookie-name.ts';

/** Longer than anybody stays away who comes back to the same browser. */
const DAYS = 365;
const TOKEN = /^[\w-]{32}$/;

/**
 * What a browser keeps since somebody first signed in with it, so that it is known again: strangers' wrong passwords
 * delay nobody in it. It opens nothing. Null for a browser that has none, or one that is not of our making.
 */
export function deviceOf(cookies: { get(name: string): { value: string } | undefined }): string | null {
  const value = cookies.get(name())?.value;
  return value !== undefined && TOKEN.test(value) ? value : null;
}

export function newDevice(): string {
  return randomBytes(24).toString('base64url');
}

/** The `Set-Cookie` line that has a browser keep it. */
export function deviceCookie(device: string): string {
  const secure = settings.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name()}=${device}; Path=/; Max-Age=${DAYS * 86_400}; HttpOnly; SameSite=Lax${secure}`;
}

function name(): string {
  return cookieName('device', { https: settings.publicUrl.startsWith('https:') });
}
