/** Where something stands in an expression: 1-based line, 0-based column in code points. */
interface Location {
  line: number;
  column: number;
}

/** The text of one expression and the translation from offsets to lines and columns. */
export class Source {
  readonly text: string;
  readonly #lineStarts: number[];

  constructor(text: string) {
    this.text = text;
    this.#lineStarts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#lineStarts.push(at + 1);
    }
  }

  /** Location of the code unit at `offset`; an offset past the end names the position after it. */
  location(offset: number): Location {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = this.#lineStarts[low] ?? 0;
    return { line: low + 1, column: countCodePoints(this.text.slice(start, offset)) };
  }

  /** Text of a 1-based line, without its line break. */
  line(number: number): string | undefined {
    const start = this.#lineStarts[number - 1];
    if (start === undefined) return undefined;
    const next = this.#lineStarts[number];
    return next === undefined ? this.text.slice(start) : this.text.slice(start, next - 1);
  }
}

const ANY_SURROGATE = /[\ud800-\udfff]/;

/** Up to this length looking at each character is faster than a pattern. */
const SHORT = 100;

/** Number of code points, which is what CEL calls the size of a string. */
export function countCodePoints(text: string): number {
  if (text.length < SHORT ? !hasSurrogate(text) : !ANY_SURROGATE.test(text)) return text.length;
  let count = 0;
  for (let i = 0; i < text.length; i++, count++) {
    const isHigh = (text.charCodeAt(i) & 0xfc00) === 0xd800;
    if (isHigh && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return count;
}

function hasSurrogate(text: string): boolean {
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xf800) === 0xd800) return true;
  return false;
}
