import { inParallel } from '../api/in-parallel.ts';

interface AttemptOptions {
  readonly signal: AbortSignal;
  /** Items under way at one time; absent: one after the other. */
  readonly width?: number;
}

/**
 * Does something for each item. A failure for one item does not stop the
 * others: an object that is refused every time must not block all objects
 * behind it, round after round.
 *
 * @throws the first failure, when all have been tried; whatever is thrown once
 *   the signal has aborted, at once
 */
export async function attemptEach<T>(
  items: Iterable<T>,
  { signal, width = 1 }: AttemptOptions,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(items, width, async (item) => {
    signal.throwIfAborted();
    try {
      await act(item);
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
}
