import { signal } from '@preact/signals';

/** A short sentence at the edge of the page, also for screen readers. */
interface Announcement {
  readonly text: string;
  readonly isBad: boolean;
  readonly number: number;
}

export const announcement = signal<Announcement | undefined>(undefined);

/** How long it stays. */
const SHOWN_MS = 6_000;
let count = 0;

/** Says something that has happened. */
export function say(text: string, isBad = false): void {
  count += 1;
  const number = count;
  announcement.value = { text, isBad, number };
  setTimeout(() => {
    if (announcement.value?.number === number) announcement.value = undefined;
  }, SHOWN_MS);
}
