import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { errorOf, RETRY_MS, Unreachable } from '../api/http.ts';

/** Something that is read from the server. */
interface Reading<T> {
  readonly value: T | undefined;
  readonly error: Error | undefined;
}

/**
 * Reads when `keys` change, and again until the server answers. `again` reads once
 * more and keeps the old value until the new one is there.
 */
export function useReading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): { readonly state: Signal<Reading<T>>; readonly again: () => void } {
  const state = useSignal<Reading<T>>({ value: undefined, error: undefined });
  const round = useSignal(0);
  useEffect(() => {
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    read(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) state.value = { value, error: undefined };
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        state.value = { ...state.value, error: errorOf(error) };
        if (error instanceof Unreachable) retry = setTimeout(() => (round.value += 1), RETRY_MS);
      },
    );
    return () => {
      clearTimeout(retry);
      abort.abort();
    };
  }, [...keys, round.value]);
  return { state, again: () => (round.value += 1) };
}
