/** The viewer's choice of theme; `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A cookie, so that the server can render the right theme at once and nothing flashes. */
export const THEME_COOKIE = 'wirebird_theme';

/** Reads a cookie's value; anything unknown follows the system. */
export function themeOf(value: string | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}
