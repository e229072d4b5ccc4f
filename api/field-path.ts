/**
 * Path of a field inside an object, built on the way down and written only
 * when an error needs it: `spec.taints[0].key`, `metadata.labels[a/b]`.
 */
export class FieldPath {
  readonly #parent: FieldPath | undefined;
  readonly #step: string;

  private constructor(parent: FieldPath | undefined, step: string) {
    this.#parent = parent;
    this.#step = step;
  }

  /** The object itself. Errors on it have an empty path, which the API writes as `<nil>`. */
  static readonly root = new FieldPath(undefined, '');

  static of(...names: string[]): FieldPath {
    return names.reduce((path, name) => path.child(name), FieldPath.root);
  }

  /** A named field of an object. */
  child(name: string): FieldPath {
    return new FieldPath(this, `.${name}`);
  }

  /** An element of a list. */
  index(i: number): FieldPath {
    return new FieldPath(this, `[${i}]`);
  }

  /** An entry of a map with keys of the user's choice. */
  key(key: string): FieldPath {
    return new FieldPath(this, `[${key}]`);
  }

  toString(): string {
    const text = this.#text();
    return text.startsWith('.') ? text.slice(1) : text;
  }

  #text(): string {
    return this.#parent === undefined ? this.#step : this.#parent.#text() + this.#step;
  }
}
