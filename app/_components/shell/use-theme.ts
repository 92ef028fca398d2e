'use client';

import { useSyncExternalStore } from 'react';
import { THEME_COOKIE, type Theme, themeOf } from '../theme.ts';

const YEAR_SECONDS = 31_536_000;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const current = (): Theme => themeOf(document.documentElement.dataset.theme);

function choose(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser yet
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  for (const listener of listeners) listener();
}

/** The viewer's theme and how to change it, at once and for the next visit. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, current, () => 'system' as const), choose];
}
