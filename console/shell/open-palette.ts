import { signal } from '@preact/signals';

/** What the palette begins with; undefined: it is closed. */
export const palette = signal<{ readonly text: string; readonly onlyKinds: boolean } | undefined>(
  undefined,
);

/** Opens the palette, with a text in it, for kinds alone or for everything. */
export function openPalette(text: string, onlyKinds = false): void {
  palette.value = { text, onlyKinds };
}

/** Closes the palette and forgets its text. */
export function closePalette(): void {
  palette.value = undefined;
}
