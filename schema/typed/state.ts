import type { JsonValue } from '../../api/json.ts';

/** At most this many unknown fields are named; the rest would only repeat the point. */
export const MAX_REPORTED_UNKNOWN = 100;

/**
 * What one decoding run has found, and where it is. Decoding goes on after an
 * error, as Go's does: the first error is the one that counts.
 */
export class DecodeState {
  error: string | undefined;
  readonly unknown: string[] = [];
  /** Unknown fields below values of several types. */
  readonly tolerated: string[] = [];
  /** How many values of several types are being decoded, one inside the other. */
  unions = 0;
  /** Whether the map that was decoded last has no keys. */
  isMapEmpty = false;
  readonly #steps: (string | number)[] = [];
  readonly #root: string;
  readonly #floats: ReadonlyMap<string, string> | undefined;

  /**
   * `root` goes before every path (`metadata`, `spec.template.metadata`). `floats`: numbers
   * that are written with a fraction or an exponent, by their paths.
   */
  constructor(root: string, floats?: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#floats = floats;
  }

  /** How the number is written, where that is as no integer is: `10.0`. */
  float(): string | undefined {
    return this.#floats?.get(this.#path());
  }

  /** Goes into a field, a key or an index. */
  push(step: string | number): void {
    this.#steps.push(step);
  }

  pop(): void {
    this.#steps.pop();
  }

  reportUnknown(name: string): void {
    const found = this.unions === 0 ? this.unknown : this.tolerated;
    if (found.length >= MAX_REPORTED_UNKNOWN) return;
    const parent = this.#path();
    found.push(parent === '' ? name : `${parent}.${name}`);
  }

  /** The JSON type does not fit; `literal` shows the number that was sent. */
  typeError(value: JsonValue, expected: string, literal = false): void {
    this.fail(`must be ${expected}, not ${described(value, literal)}`);
  }

  /** `why` goes behind the path of the value that is being decoded. */
  fail(why: string): void {
    if (this.error !== undefined) return;
    const path = this.#path();
    this.error = path === '' ? why : `${path}: ${why}`;
  }

  #path(): string {
    let path = this.#root;
    for (const step of this.#steps) {
      if (typeof step === 'number') path += `[${step}]`;
      else path = path === '' ? step : `${path}.${step}`;
    }
    return path;
  }
}

function described(value: JsonValue, literal: boolean): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'boolean':
      return String(value);
    case 'number':
    case 'bigint':
      return literal ? String(value) : 'a number';
    case 'string':
      return 'a string';
    default:
      return 'an object';
  }
}
