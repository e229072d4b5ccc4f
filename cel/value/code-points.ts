import { countCodePoints } from '../source.ts';

const SURROGATE = /[\ud800-\udfff]/;

/**
 * A string by code points, which is what positions in the language count. Text
 * without surrogates, which is nearly all, is used as it is.
 */
export class CodePoints {
  readonly text: string;
  readonly length: number;
  /** Code unit offset of every code point; absent when the two are the same. */
  readonly #offsets: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.#offsets = SURROGATE.test(text) ? offsets(text) : undefined;
    this.length = this.#offsets === undefined ? text.length : this.#offsets.length - 1;
  }

  slice(start: number, end: number): string {
    return this.text.slice(this.#unit(start), this.#unit(end));
  }

  /** Position of a substring at or after a position, -1 when there is none. */
  indexOf(part: string, from: number): number {
    return this.#position(this.text.indexOf(part, this.#unit(from)));
  }

  /** Position of the last substring that begins at or before a position. */
  lastIndexOf(part: string, from: number): number {
    return this.#position(this.text.lastIndexOf(part, this.#unit(from)));
  }

  #unit(position: number): number {
    if (this.#offsets === undefined) return position;
    return this.#offsets[Math.min(position, this.length)] ?? 0;
  }

  #position(unit: number): number {
    if (unit < 0 || this.#offsets === undefined) return unit;
    return countCodePoints(this.text.slice(0, unit));
  }
}

function offsets(text: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < text.length; at++) {
    found.push(at);
    if ((text.codePointAt(at) ?? 0) > 0xffff) at++;
  }
  found.push(text.length);
  return found;
}
