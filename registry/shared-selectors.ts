import type { ParsedSelector } from '../api/selectors/labels.ts';
import { BoundedCache } from '../api/bounded-cache.ts';

/** Characters of the selectors that are remembered. */
const MAX_REMEMBERED = 2 * 1024 * 1024;
/** A selector with fewer characters is parsed again when it has been forgotten. */
const LONG_CHARACTERS = 256;

/**
 * Parsed selectors by their text. Those used last are remembered; long ones also as
 * long as a watch holds them, so that watches with equal selectors share one.
 */
export class SharedSelectors<T extends object> {
  readonly #parse: (text: string) => ParsedSelector<T>;
  readonly #remembered: BoundedCache<Remembered<T>>;
  readonly #held = new Map<string, WeakRef<T>>();
  readonly #gone = new FinalizationRegistry<string>((text) => {
    if (this.#held.get(text)?.deref() === undefined) this.#held.delete(text);
  });

  constructor(parse: (text: string) => ParsedSelector<T>, maxRemembered: number = MAX_REMEMBERED) {
    this.#parse = parse;
    this.#remembered = new BoundedCache(maxRemembered, ({ text }) => text.length + 100);
  }

  get(text: string): ParsedSelector<T> {
    return this.#remembered.get(text, () => ({ text, parsed: this.#make(text) })).parsed;
  }

  #make(text: string): ParsedSelector<T> {
    const held = this.#held.get(text)?.deref();
    if (held !== undefined) return { selector: held };
    const parsed = this.#parse(text);
    if ('selector' in parsed && text.length >= LONG_CHARACTERS) {
      this.#held.set(text, new WeakRef(parsed.selector));
      this.#gone.register(parsed.selector, text);
    }
    return parsed;
  }
}

interface Remembered<T> {
  readonly text: string;
  readonly parsed: ParsedSelector<T>;
}
