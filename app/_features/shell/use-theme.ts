import { useSyncExternalStore } from 'react';
import { keepChoice } from './keep-choice.ts';
import { type Theme, themeOf } from './theme.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const current = (): Theme => themeOf(document.documentElement.dataset.theme);

function choose(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // A cookie, so that the server renders the right theme and nothing flashes.
  keepChoice('theme', theme);
  for (const listener of listeners) listener();
}

/** The viewer's theme, and how to change it now and for later visits. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, current, () => 'system' as const), choose];
}
