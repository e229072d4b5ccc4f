import { isBreak, type Source } from './source.ts';

/**
 * Consumes line breaks and the blanks that begin the lines behind them, and
 * returns what they count as inside a scalar that flows over lines: one break
 * is a blank, each further one a line feed.
 */
export function foldedBreaks(source: Source, skipIndentation: () => void): string {
  const first = source.takeBreak();
  let more = '';
  for (;;) {
    skipIndentation();
    if (!isBreak(source.code())) break;
    more += source.takeBreak();
  }
  if (first !== '\n') return first + more;
  return more === '' ? ' ' : more;
}
