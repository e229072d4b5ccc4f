import { effect, signal, type Signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';
type Density = 'calm' | 'dense';

const PREFIX = 'plinth-console-';

/** A choice that this browser remembers. */
function remembered<T extends string>(name: string, choices: readonly T[], first: T): Signal<T> {
  const stored = readSetting(name);
  const value = signal<T>(choices.find((choice) => choice === stored) ?? first);
  effect(() => keepSetting(name, value.value));
  return value;
}

/** What this browser has kept under a name. */
export function readSetting(name: string): string | null {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    // Storage can be switched off; the choice then lasts as long as the page.
    return null;
  }
}

/** Has this browser keep a text under a name. */
export function keepSetting(name: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // as above
  }
}

const theme = remembered<Theme>('theme', ['system', 'light', 'dark'], 'system');
export const density = remembered<Density>('density', ['calm', 'dense'], 'calm');

effect(() => {
  const root = document.documentElement;
  root.dataset.theme = theme.value;
  root.dataset.density = density.value;
});

/** The theme after the present one. */
export function nextTheme(): void {
  const isDark =
    theme.value === 'dark' ||
    (theme.value === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  theme.value = isDark ? 'light' : 'dark';
}

/** Changes between calm and dense. */
export function nextDensity(): void {
  density.value = density.value === 'calm' ? 'dense' : 'calm';
}
