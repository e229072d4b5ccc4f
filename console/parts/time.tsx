import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { ageOf, distanceOf } from './age.ts';

/** How often ages are counted again. */
const TICK_MS = 5_000;
/** The present time, in steps. */
const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, TICK_MS);

const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A moment in the user's own time. */
export function localTime(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : LOCAL.format(ms);
}

/** How long ago something was; the moment itself is in the tool tip. */
export function Age({ time }: { readonly time: string }): JSX.Element {
  const text = ageOf(time, Math.max(now.value, Date.parse(time) || 0));
  return (
    <time dateTime={time} title={localTime(time)}>
      {text}
    </time>
  );
}

/** A moment, and how long ago it was or how far it lies ahead. */
export function Moment({ time }: { readonly time: string }): JSX.Element {
  return (
    <span>
      <time dateTime={time}>{localTime(time)}</time>
      <span class="dim"> · {distanceOf(time, now.value)}</span>
    </span>
  );
}

/** How far a moment lies ahead; nothing for one that is past. */
export function Ahead({ time }: { readonly time: string }): JSX.Element | null {
  const text = distanceOf(time, now.value);
  return text.startsWith('in ') ? <span class="dim"> · {text}</span> : null;
}
