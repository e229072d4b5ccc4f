import { effect } from '@preact/signals';
import { onAct } from '../parts/acts.ts';
import { Kept, visit } from '../state/visits.ts';

/** How far parts of the page are scrolled, by the names in their `data-scroll`. */
const SCROLLS = new Kept<Readonly<Record<string, number>>>('scrolls');
/** A link that was followed, and where it stood in the window. */
interface Followed {
  readonly href: string;
  readonly y: number;
}
const LINK = new Kept<Followed>('link');

/** The part that each view begins with at its top. */
const MAIN = 'main';
/** What is read takes so long at most: later, the page would move under the eyes of the user. */
const PATIENCE_MS = 10_000;

/**
 * Keeps how far the page is scrolled, and which link was followed, for each entry
 * of the history. Back restores both as soon as the content is there: the link
 * stands where it stood, whatever came above it. The answer ends it.
 */
export function followScrolls(): () => void {
  const wanted = new Map<string, number>();
  let link: Followed | undefined;
  let path = pathOf();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = (): void => {
    wanted.clear();
    link = undefined;
    observer.disconnect();
    clearTimeout(timer);
  };
  const restore = (): void => {
    for (const [name, top] of wanted) {
      const part = document.querySelector(`[data-scroll="${name}"]`);
      if (part === null) continue;
      part.scrollTop = top;
      if (Math.abs(part.scrollTop - top) <= 1) wanted.delete(name);
    }
    // again and again: what stands above it may still be read
    if (link !== undefined && returnTo(link)) wanted.delete(MAIN);
    if (wanted.size === 0 && link === undefined) giveUp();
  };
  const observer = new MutationObserver(restore);
  const onScroll = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement)) return;
    const name = target.dataset.scroll;
    if (name === undefined || wanted.has(name)) return;
    const id = visit.peek();
    SCROLLS.keep(id, { ...SCROLLS.of(id), [name]: target.scrollTop });
  };
  const onClick = ({ target }: Event): void => {
    const clicked = target instanceof Element ? target.closest('main a[href]') : null;
    // a table keeps the row instead
    if (clicked === null || clicked.closest('.grid') !== null) return;
    const { top } = clicked.getBoundingClientRect();
    LINK.keep(visit.peek(), { href: clicked.getAttribute('href') ?? '', y: top });
  };
  let before = visit.peek();
  const end = effect(() => {
    const id = visit.value;
    const isSamePath = path === pathOf();
    path = pathOf();
    giveUp();
    // what is chosen within a page leaves the page where it is
    const tops = SCROLLS.of(id) ?? (isSamePath ? SCROLLS.of(before) : undefined) ?? {};
    SCROLLS.keep(id, tops);
    before = id;
    if (!isSamePath) wanted.set(MAIN, 0);
    for (const [name, top] of Object.entries(tops)) wanted.set(name, top);
    link = LINK.of(id);
    if (wanted.size === 0 && link === undefined) return;
    // not in what is still shown of the entry before
    requestAnimationFrame(restore);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    timer = setTimeout(giveUp, PATIENCE_MS);
  });
  document.addEventListener('scroll', onScroll, { capture: true, passive: true });
  document.addEventListener('click', onClick, { capture: true });
  const endActs = onAct(giveUp);
  return () => {
    end();
    giveUp();
    document.removeEventListener('scroll', onScroll, { capture: true });
    document.removeEventListener('click', onClick, { capture: true });
    endActs();
  };
}

/** The address without what it says about its view. */
function pathOf(): string {
  return location.hash.replace(/\?.*/, '');
}

/** Moves a link to where it stood, and gives it the focus. True: the view is scrolled by that. */
function returnTo({ href, y }: Followed): boolean {
  const found = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
  const main = found?.closest('main');
  if (!found || !main) return false;
  const isInView = found.closest('[data-scroll]') === main;
  if (isInView) main.scrollTop += found.getBoundingClientRect().top - y;
  if (document.activeElement !== found) found.focus({ preventScroll: true });
  return isInView;
}
