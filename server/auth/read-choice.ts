import { cookies } from 'next/headers';
import { settings } from '#server/settings.ts';
import { cookieName } from './cookie-name.ts';

/**
 * The browser's stored choice: the theme, or which of a user's accounts a page shows; null without one. Never a
 * permission.
 */
export async function readChoice(of: 'theme' | 'account'): Promise<string | null> {
  const https = settings.publicUrl.startsWith('https:');
  return (await cookies()).get(cookieName(of, { https }))?.value ?? null;
}
