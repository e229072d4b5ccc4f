import { CHAR, isBlank, isBreak, type Source } from './source.ts';

interface Header {
  readonly isFolded: boolean;
  /** What becomes of the line breaks at the end: one is kept, none (`-`), all (`+`). */
  readonly chomping: '' | '-' | '+';
  /** 0: found out from the first line. */
  readonly increment: number;
}

/**
 * Reads a literal (`|`) or folded (`>`) scalar whose lines are indented by more
 * than `indent`; the source stands at the indicator.
 */
export function readBlockScalar(source: Source, indent: number): string {
  const { isFolded, chomping, increment } = readHeader(source);
  const given = increment > 0 ? Math.max(indent, 0) + increment : undefined;
  const start = skipEmptyLines(source, given);
  const width = given ?? Math.max(start.longest, indent + 1, 1);
  let { breaks } = start;
  let text = '';
  let lastBreak = '';
  let wasIndented = false;
  while (source.column === width && !Number.isNaN(source.code())) {
    // A line that begins with a blank is not folded, nor is the one behind it.
    const isIndented = isBlank(source.code());
    const folds = isFolded && lastBreak === '\n' && !wasIndented && !isIndented;
    if (folds) text += breaks === '' ? ' ' : breaks;
    else text += lastBreak + breaks;
    wasIndented = isIndented;
    text += takeLine(source);
    lastBreak = source.atEnd ? '' : source.takeBreak();
    ({ breaks } = skipEmptyLines(source, width));
  }
  if (chomping === '-') return text;
  return chomping === '+' ? text + lastBreak + breaks : text + lastBreak;
}

const HEADER = /^(?:([-+])([0-9])?|([0-9])([-+])?)?/;

function readHeader(source: Source): Header {
  const isFolded = source.code() === CHAR.GREATER;
  source.at++;
  const match = HEADER.exec(source.text.slice(source.at, source.at + 2));
  const [all = '', signFirst, digitLast, digitFirst, signLast] = match ?? [];
  const digit = digitLast ?? digitFirst;
  if (digit === '0') source.fail('found an indentation indicator equal to 0');
  source.at += all.length;
  source.skipBlanks();
  if (source.code() === CHAR.HASH) takeLine(source);
  if (isBreak(source.code())) source.takeBreak();
  else if (!source.atEnd) source.fail('did not find expected comment or line break');
  return {
    isFolded,
    chomping: (signFirst ?? signLast ?? '') as Header['chomping'],
    increment: Number(digit ?? 0),
  };
}

/** The rest of the line, without its break. */
function takeLine(source: Source): string {
  const start = source.at;
  while (!source.atEnd && !isBreak(source.code())) source.at++;
  return source.text.slice(start, source.at);
}

/** Skips indentation up to `width` (undefined: any) and empty lines. */
function skipEmptyLines(
  source: Source,
  width: number | undefined,
): { breaks: string; longest: number } {
  let breaks = '';
  let longest = 0;
  for (;;) {
    while ((width === undefined || source.column < width) && source.code() === CHAR.SPACE) {
      source.at++;
    }
    longest = Math.max(longest, source.column);
    if ((width === undefined || source.column < width) && source.code() === CHAR.TAB) {
      source.fail('found a tab character where an indentation space is expected');
    }
    if (!isBreak(source.code())) return { breaks, longest };
    breaks += source.takeBreak();
  }
}
