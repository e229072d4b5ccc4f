const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/suy;

/** A place in a text that is read from left to right. */
export class Scanner {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Characters that have been read. */
  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at === this.text.length;
  }

  next(): string | undefined {
    return this.text[this.#at];
  }

  take(word: string): boolean {
    if (!this.text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  /** What a sticky pattern finds here. */
  match(pattern: RegExp): string | undefined {
    return this.#exec(pattern)?.[0];
  }

  /** The text between quotes; a backslash keeps the character behind it. */
  quoted(): string | undefined {
    const found = this.#exec(QUOTED);
    if (found === undefined) return undefined;
    return (found[1] ?? found[2] ?? '').replace(/\\(.)/gsu, '$1');
  }

  #exec(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found;
  }
}
