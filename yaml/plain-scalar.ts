import { foldedBreaks } from './folding.ts';
import { CHAR, isBlank, isBreak, type Source } from './source.ts';

/** What a plain scalar may not begin with, unless more of it follows at once. */
const INDICATORS = new Set(Array.from('-?:,[]{}#&*!|>\'"%@`', (c) => c.charCodeAt(0)));

/** Can a plain scalar begin here? */
export function atPlainScalar(source: Source, isFlow: boolean): boolean {
  const code = source.code();
  if (Number.isNaN(code) || isBlank(code) || isBreak(code)) return false;
  if (!INDICATORS.has(code)) return true;
  if (code === CHAR.DASH) return !isBlank(source.code(1)) && !source.isSeparator(1);
  return !isFlow && (code === CHAR.QUESTION || code === CHAR.COLON) && !source.isSeparator(1);
}

/**
 * Reads a plain scalar. Lines that follow belong to it as long as they are
 * indented by more than `indent`; inside of brackets indentation does not count.
 */
export function readPlainScalar(source: Source, indent: number, isFlow: boolean): string {
  let text = '';
  for (;;) {
    const part = restOfLine(source, isFlow);
    text += part;
    source.skipBlanks();
    if (!isBreak(source.code())) return text;
    const folded = foldedBreaks(source, () => skipIndentation(source, indent));
    const goesOn =
      (isFlow || source.column > indent) &&
      !source.atDocumentEnd &&
      source.code() !== CHAR.HASH &&
      !endsHere(source, isFlow);
    if (!goesOn) return text;
    text += folded;
  }
}

function skipIndentation(source: Source, indent: number): void {
  while (isBlank(source.code())) {
    if (source.code() === CHAR.TAB && source.column <= indent) {
      source.fail('found a tab character that violates indentation');
    }
    source.at++;
  }
}

/** Words that end no scalar, with single blanks between them: most of most texts. */
const HARMLESS = /[\w./+=()-]+(?: [\w./+=()-]+)*/y;

/** The scalar's text on this line, without blanks at its end. */
function restOfLine(source: Source, isFlow: boolean): string {
  const start = source.at;
  HARMLESS.lastIndex = start;
  if (HARMLESS.test(source.text)) source.at = HARMLESS.lastIndex;
  let end = source.at;
  for (;;) {
    const code = source.code();
    if (Number.isNaN(code) || isBreak(code)) break;
    if (isBlank(code)) {
      source.at++;
      continue;
    }
    if (code === CHAR.HASH && source.at > end) break;
    if (endsHere(source, isFlow)) break;
    end = ++source.at;
  }
  source.at = end;
  return source.text.slice(start, end);
}

/** An indicator that ends a plain scalar. */
function endsHere(source: Source, isFlow: boolean): boolean {
  switch (source.code()) {
    case CHAR.COLON:
      return source.isSeparator(1);
    case CHAR.COMMA:
    case CHAR.QUESTION:
    case CHAR.OPEN_BRACKET:
    case CHAR.CLOSE_BRACKET:
    case CHAR.OPEN_BRACE:
    case CHAR.CLOSE_BRACE:
      return isFlow;
    default:
      return false;
  }
}
