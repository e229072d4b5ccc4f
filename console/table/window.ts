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
  const top = Math.min(Math.max(0, scrollTop), Math.max(1, height - viewHeight));
  const hidden = top / shareOf(full, viewHeight);
  const first = Math.max(0, Math.floor(hidden / rowHeight) - OVERSCAN);
  const end = Math.min(count, Math.ceil((hidden + viewHeight) / rowHeight) + OVERSCAN);
  return { first: Math.min(first, end), end, height, offset: top - hidden + first * rowHeight };
}

/** How far the view moves for each pixel of the rows: of a table that is too high, only a share. */
function shareOf(full: number, viewHeight: number): number {
  return full > MAX_HEIGHT ? (MAX_HEIGHT - viewHeight) / (full - viewHeight) : 1;
}

/** The first row that is seen, as a number with the part of it that is hidden. */
export function firstSeen(
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
): number {
  return scrollTop / shareOf(count * rowHeight, viewHeight) / rowHeight;
}

/** Where to scroll so that a row is the first that is seen; {@link firstSeen} answers `row` there. */
export function scrollToTop(
  row: number,
  count: number,
  rowHeight: number,
  viewHeight: number,
): number {
  return row * rowHeight * shareOf(count * rowHeight, viewHeight);
}

/** Where to scroll so that a row can be seen; undefined: it can be seen already. */
export function scrollTo(
  index: number,
  count: number,
  rowHeight: number,
  scrollTop: number,
  viewHeight: number,
): number | undefined {
  const share = shareOf(count * rowHeight, viewHeight);
  const hidden = scrollTop / share;
  const start = index * rowHeight;
  if (start < hidden) return start * share;
  if (start + rowHeight > hidden + viewHeight) return (start + rowHeight - viewHeight) * share;
  return undefined;
}
