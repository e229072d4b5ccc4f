import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from guessing which objects live long. Under load it guesses that
 * requests do, and makes parts of each where only a full collection looks. What
 * those parts refer to, all of a request, then outlives it as well, and each
 * small collection copies it. With that little to copy, a second thread does not
 * make it shorter, and would have to be waited for where the processors are
 * busy. And a full collection begins when the old generation has doubled, not
 * sooner the busier the process is. To be called before there is any load.
 * Source: docs/decisions/0012-no-guesses-about-lifetimes.md.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--heap-growing-percent=100');
}
