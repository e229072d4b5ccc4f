/**
 * Does something with each of some items, `width` of them at a time. The first
 * failure ends it: nothing more is begun, and what is under way is waited for, so
 * that nothing goes on behind the caller's back.
 *
 * @throws the first failure (as rejection), when nothing is under way any more
 */
export async function inParallel<T>(
  items: Iterable<T>,
  width: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  const queue = items[Symbol.iterator]();
  const work = async (): Promise<void> => {
    try {
      while (failures.length === 0) {
        const next = queue.next();
        if (next.done === true) return;
        await act(next.value);
      }
    } catch (error) {
      failures.push(error);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  if (failures.length > 0) throw failures[0];
}
