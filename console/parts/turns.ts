import { sentenceOf } from '../api/http.ts';

/** Requests of one action that are on their way at a time. */
const AT_ONCE = 6;

/** Runs an action for each item, a few at a time. The answer: what went wrong, by item. */
export async function inTurns<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
): Promise<{ readonly item: T; readonly why: string }[]> {
  const failed: { item: T; why: string }[] = [];
  const waiting = [...items];
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await act(item);
      } catch (error) {
        failed.push({ item, why: sentenceOf(error) });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return failed;
}
