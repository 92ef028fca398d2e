/** The viewer's choice of theme; `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** Reads the browser's stored choice; anything unknown follows the system. */
export function themeOf(value: string | null | undefined): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}
