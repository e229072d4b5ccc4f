import { isTyping } from '../parts/typing.ts';
import { chosenNamespace, go } from '../state/place.ts';
import { pageHash, type Page } from '../state/route.ts';
import { openPalette } from './open-palette.ts';
import { nextDensity, nextTheme } from '../state/settings.ts';

/** Time within which the second key of a pair has to follow. */
const PAIR_MS = 1_200;

const PAGES: Readonly<Record<string, Page>> = {
  ...{ o: 'overview', d: 'definitions', a: 'access' },
  ...{ m: 'admission', x: 'explorer', h: 'graphs' },
};

/** Listens for the keys that work everywhere. The answer ends it. */
export function followKeys(): () => void {
  let wasG = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKey = (event: KeyboardEvent): void => {
    const isPalette = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (isPalette) {
      event.preventDefault();
      openPalette('');
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    if (wasG) {
      wasG = false;
      clearTimeout(timer);
      const page = Object.hasOwn(PAGES, event.key) ? PAGES[event.key] : undefined;
      if (page !== undefined) go(pageHash(page, chosenNamespace.value));
      else if (/^[a-z]$/.test(event.key) || event.key === ' ') openPalette(event.key.trim(), true);
      else return;
      event.preventDefault();
      return;
    }
    switch (event.key) {
      case 'g':
        wasG = true;
        // Then a kind: without a second key the list of kinds opens.
        timer = setTimeout(() => {
          if (wasG) openPalette('', true);
          wasG = false;
        }, PAIR_MS);
        break;
      case '/':
        document.getElementById('find')?.focus();
        break;
      case 't':
        nextTheme();
        break;
      case 'v':
        nextDensity();
        break;
      case '?':
        go('#/keys');
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
