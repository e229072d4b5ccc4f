/** Rows drawn above and below what can be seen, so that scrolling shows no gaps. */
const OVERSCAN = 12;
/** Browsers draw nothing at larger heights; beyond it, scrolling moves by more than the rows pass. */
const MAX_HEIGHT = 15_000_000;

/** Which rows of a long table are drawn, and where. */
interface Window {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
  /** Pixels from the top of the content to the first drawn row. */
  readonly offset: number;
  /** Pixels of the whole content. */
  readonly height: number;
}

/** What is seen of `count` rows of `rowHeight` pixels at a scroll position. */
export function windowOf(
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
): Window {
  const full = count * rowHeight;
  const height = Math.min(full, MAX_HEIGHT);
  const room = Math.max(1, height - viewHeight);
  const top = Math.min(Math.max(0, scrollTop), room);
  // Of a table that is too high, the position is a share of the way.
  const hidden = full > height ? (top / room) * (full - viewHeight) : top;
  const first = Math.max(0, Math.floor(hidden / rowHeight) - OVERSCAN);
  const end = Math.min(count, Math.ceil((hidden + viewHeight) / rowHeight) + OVERSCAN);
  return { first: Math.min(first, end), end, height, offset: top - hidden + first * rowHeight };
}

/** Where to scroll so that a row can be seen; undefined: it can be seen already. */
export function scrollTo(
  index: number,
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
): number | undefined {
  const full = count * rowHeight;
  const isCut = full > MAX_HEIGHT;
  const share = isCut ? (MAX_HEIGHT - viewHeight) / (full - viewHeight) : 1;
  const hidden = scrollTop / share;
  const start = index * rowHeight;
  if (start < hidden) return start * share;
  if (start + rowHeight > hidden + viewHeight) return (start + rowHeight - viewHeight) * share;
  return undefined;
}
