const FIELD = 0;
const KEY = 1;
const INDEX = 2;
type StepKind = typeof FIELD | typeof KEY | typeof INDEX;

/**
 * Where a walk through an object is, as one list that grows and shrinks with it:
 * unlike a FieldPath it costs no object per step, and a path is only written for
 * an error. Field paths look the same: `spec.maps[key][2].name`.
 */
export class Trail {
  readonly #base: string;
  readonly #steps: (string | number)[] = [];
  readonly #kinds: StepKind[] = [];

  constructor(base = '') {
    this.#base = base;
  }

  field(name: string): void {
    this.#steps.push(name);
    this.#kinds.push(FIELD);
  }

  key(key: string): void {
    this.#steps.push(key);
    this.#kinds.push(KEY);
  }

  index(i: number): void {
    this.#steps.push(i);
    this.#kinds.push(INDEX);
  }

  pop(): void {
    this.#steps.pop();
    this.#kinds.pop();
  }

  /** Whether the walk is where it began. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  toString(): string {
    let path = this.#base;
    for (const [i, step] of this.#steps.entries()) {
      if (this.#kinds[i] !== FIELD) path += `[${step}]`;
      else path = path === '' ? String(step) : `${path}.${step}`;
    }
    return path;
  }

  /** The path of an item of the list at hand. */
  at(i: number): string {
    return `${this.toString()}[${i}]`;
  }
}
