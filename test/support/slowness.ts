import type { Plinth } from './plinth.ts';

/** What a request of no work takes on an ordinary machine that does nothing else. */
const ORDINARY_MS = 5;
const REQUESTS = 9;

/**
 * How many times slower than an ordinary machine this one serves now, at least 1. For promises in
 * time: their bound grows with what each request takes, whatever it asks for.
 */
export async function slowness(plinth: Plinth): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const from = performance.now();
    await plinth.get('/livez');
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return Math.max(1, (times[Math.floor(REQUESTS / 2)] ?? 0) / ORDINARY_MS);
}
