// Light or dark: as the system says, until the reader chooses.

import { useSyncExternalStore } from 'react';

const STORED = 'octavo.theme';
const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const listeners = new Set<() => void>();
let theme: Theme = THEMES.find((each) => each === localStorage.getItem(STORED)) ?? 'system';

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): { readonly theme: Theme; readonly next: Theme; readonly toggle: () => void } {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
  const next = THEMES[(THEMES.indexOf(shown) + 1) % THEMES.length] ?? 'system';
  const toggle = (): void => {
    theme = next;
    localStorage.setItem(STORED, next);
    applyTheme();
    for (const listener of listeners) listener();
  };
  return { theme: shown, next, toggle };
}
