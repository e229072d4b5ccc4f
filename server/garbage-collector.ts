import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from guessing which objects live long. Under load it guesses that
 * requests do, and makes parts of each where only a full collection looks. What
 * those parts refer to, all of a request, then outlives it as well: each small
 * collection copies ten times as much, and holds up everybody for two to three
 * times as long (docs/decisions/0012-no-guesses-about-lifetimes.md). To be called
 * before there is any load.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
