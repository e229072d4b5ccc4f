/** At most this many unknown fields of an object are named; the rest would only repeat the point. */
export const MAX_UNKNOWN_FIELDS = 100;

/**
 * Collects the paths of fields that a schema does not have, for
 * `fieldValidation`: `spec.parts[1].price`. It knows where the walk is; pruning
 * without a collector keeps no paths. Source: behaviours 5.18.
 */
export class UnknownFields {
  readonly #found: string[] = [];
  readonly #steps: (string | number)[] = [];

  push(step: string | number): void {
    this.#steps.push(step);
  }

  pop(): void {
    this.#steps.pop();
  }

  /** The field `name` of the place where the walk is. */
  report(name: string): void {
    if (this.#found.length >= MAX_UNKNOWN_FIELDS) return;
    const parent = this.path();
    this.#found.push(parent === '' ? name : `${parent}.${name}`);
  }

  /** Whole paths that another walk has found. */
  add(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#found.length < MAX_UNKNOWN_FIELDS) this.#found.push(path);
    }
  }

  /** Where the walk is; empty at the root. */
  path(): string {
    let path = '';
    for (const step of this.#steps) {
      if (typeof step === 'number') path += `[${step}]`;
      else path = path === '' ? step : `${path}.${step}`;
    }
    return path;
  }

  /** Sorted, each once. */
  paths(): string[] {
    return [...new Set(this.#found)].sort();
  }
}
