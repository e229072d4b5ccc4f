import { signal } from '@preact/signals';
import { errorOf, onSignedOut, Refused, send } from '../api/http.ts';
import { Sampler, type Point } from './sampler.ts';

/** How often the metrics are read, and how many readings are kept: a quarter of an hour. */
const EVERY_MS = 5_000;
/** The first rates need a second reading, which comes sooner. */
const SECOND_MS = 1_000;
const KEPT = 180;

/** The readings of the metrics since the graphs were first opened, the newest last. */
export const readings = signal<readonly Point[]>([]);
/** Why the last reading has failed. */
export const readingError = signal<Error | undefined>(undefined);

/** Of the reading that goes on; undefined: none does. */
let sampler: Sampler | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the metrics from now on, also while other views are open, so that the graphs have no gap. */
export function readMetrics(): void {
  if (sampler !== undefined) return;
  sampler = new Sampler();
  void read(sampler);
}

function stop(): void {
  clearTimeout(timer);
  sampler = undefined;
}

/** Reads once, and again after a while: never twice at a time. */
async function read(own: Sampler): Promise<void> {
  let wait = EVERY_MS;
  try {
    const { text } = await send('GET', '/metrics', { accept: 'text/plain' });
    if (own !== sampler) return;
    if (readings.value.length === 0) wait = SECOND_MS;
    readings.value = [...readings.value, own.take(text, Date.now())].slice(-KEPT);
    readingError.value = undefined;
  } catch (failure) {
    if (own !== sampler) return;
    readingError.value = errorOf(failure);
    // who may not read them now is asked again when the graphs are opened again
    if (failure instanceof Refused) {
      stop();
      return;
    }
  }
  timer = setTimeout(() => void read(own), wait);
}

// the next user of this page may not be allowed to see them
onSignedOut(() => {
  stop();
  readings.value = [];
});
