import { isBreak } from './source.ts';
import { resolvePlain } from './scalar-values.ts';

/** How a text may be written, and how it is best written. */
type ScalarStyle = 'plain' | 'single' | 'double' | 'literal';

/** Texts that other readers take for numbers of base sixty. */
const BASE_60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
/** Nothing to look at twice: most names, versions and words. */
const SIMPLE = /^[A-Za-z/][\w./-]*$/;
/** Longest text that means something else when it stands without quotes. */
const MAX_WORD = 5;

const FIRST_INDICATORS = '#,[]{}&*!|>\'"%@`';

/**
 * The style of a text: plain where it means the same without quotes, literal
 * for several lines, quotes otherwise. `isKey`: it stands before a `:`.
 * Source: the emitter of yaml.v2.
 */
export function styleOf(text: string, isKey: boolean): ScalarStyle {
  if (text === '') return 'double';
  if (text.length > MAX_WORD && SIMPLE.test(text)) return 'plain';
  if (!isWritable(text)) return 'double';
  if (text.includes('\n')) {
    const isSound = !text.endsWith(' ') && !text.includes(' \n') && !isKey;
    return isSound ? 'literal' : 'double';
  }
  const isText =
    resolvePlain(text).tag === 'str' && !(isKey && text === '<<') && !BASE_60.test(text);
  if (!isText) return 'double';
  const isLoose = text.startsWith(' ') || text.endsWith(' ');
  return isLoose || hasIndicators(text) ? 'single' : 'plain';
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** Without escapes, that is: with no breaks but line feeds, which mean the same everywhere. */
function isWritable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isPrintable(code) || (isBreak(code) && code !== LINE_FEED)) return false;
  }
  return true;
}

/** Whether the text needs more than one line. */
export function hasBreak(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isBreak(text.charCodeAt(i))) return true;
  return false;
}

/** Does the text hold what would mean something outside of quotes? */
function hasIndicators(text: string): boolean {
  if (text.startsWith('---') || text.startsWith('...')) return true;
  const first = text.charAt(0);
  if (FIRST_INDICATORS.includes(first)) return true;
  if (first === '-' || first === '?') {
    if (text.length === 1 || text[1] === ' ') return true;
  }
  return / #|:(?: |$)/.test(text);
}

/** Everything else is written as an escape. */
export function isPrintable(code: number): boolean {
  if (code < 0x7f) return code >= SPACE || code === LINE_FEED;
  return (code >= 0xa0 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe && code !== 0xfeff);
}
