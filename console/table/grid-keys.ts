import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from '../parts/typing.ts';

/** Keys that mean the table wherever the focus is, unless it is in a text. */
const LETTER = /^[a-z]$/i;
/** What a focused element does by itself. */
const OWN = 'a, button, input, summary';

/**
 * Calls `act` for the keys of a table. Letters work as soon as the table is open;
 * the keys that also move the page or press a button, where nothing else has the
 * focus. `act` answers whether the key means something.
 */
export function useGridKeys(
  box: { readonly current: HTMLElement | null },
  act: (key: string, event: KeyboardEvent) => boolean,
): void {
  const now = useRef(act);
  now.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      const grid = box.current;
      if (event.defaultPrevented || isTyping(event) || grid === null) return;
      if (!(target instanceof Element) || event.altKey) return;
      const isInGrid = grid.contains(target);
      const isFree = isInGrid || target === document.body || target.id === 'main';
      const isLetter = LETTER.test(event.key) && !event.ctrlKey && !event.metaKey;
      const isOwn = (event.key === 'Enter' || event.key === ' ') && target.matches(OWN);
      if ((!isLetter && !isFree) || isOwn) return;
      const key = LETTER.test(event.key) ? event.key.toLowerCase() : event.key;
      if (!now.current(key, event)) return;
      event.preventDefault();
      // what is read aloud is the row that the key has chosen
      if (!isInGrid) grid.focus({ preventScroll: true });
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
