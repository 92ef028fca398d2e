import { randomBytes } from 'node:crypto';
import { settings } from '#server/settings.ts';
import { cookieName } from './cookie-name.ts';

/** Longer than users usually stay away from a browser. */
const DAYS = 365;
const TOKEN = /^[\w-]{32}$/;

/**
 * The device ID in the cookie; null if it is missing or malformed. A known device keeps a user from being delayed by
 * others' wrong passwords. It grants nothing.
 */
export function deviceOf(cookies: { get(name: string): { value: string } | undefined }): string | null {
  const value = cookies.get(name())?.value;
  return value !== undefined && TOKEN.test(value) ? value : null;
}

export function newDevice(): string {
  return randomBytes(24).toString('base64url');
}

/** The `Set-Cookie` line that stores the device. */
export function deviceCookie(device: string): string {
  const secure = settings.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${name()}=${device}; Path=/; Max-Age=${DAYS * 86_400}; HttpOnly; SameSite=Lax${secure}`;
}

function name(): string {
  return cookieName('device', { https: settings.publicUrl.startsWith('https:') });
}
