import { inParallel } from '../api/in-parallel.ts';

interface AttemptOptions {
  readonly signal: AbortSignal;
  /** Items under way at one time; absent: one after the other. */
  readonly width?: number;
}

/**
 * Does something for each of some items. One for which that fails keeps nothing
 * from being done for the others: what somebody refuses for one object must not
 * hold up all that come behind it, round after round.
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
