import type { ApiObject, ObjectMeta, Table } from '../objects.ts';

/**
 * Where a subscription goes on after its connection is gone. Events of one
 * revision may be cut apart, so it resumes after the last revision that is
 * complete, and drops the events of the next one that it has had.
 */
export class Cursor {
  /** Everything up to here has come; undefined: nothing is known, the state is needed. */
  #complete: string | undefined;
  /** Of the last event. */
  #newest: string | undefined;
  /** Objects that have had their event at `#newest`. */
  readonly #seen = new Set<string>();

  constructor(from: string | undefined) {
    this.#complete = from;
  }

  /** The resourceVersion to resume from; undefined: the state first. */
  get resourceVersion(): string | undefined {
    return this.#complete;
  }

  /** Counts an event in; false: it has come before. */
  take(object: ApiObject): boolean {
    const { resourceVersion, namespace = '', name = '' } = shownBy(object);
    const key = `${namespace}/${name}`;
    if (resourceVersion !== this.#newest) {
      if (this.#newest !== undefined) this.#complete = this.#newest;
      this.#newest = resourceVersion;
      this.#seen.clear();
    } else if (this.#seen.has(key)) {
      return false;
    }
    this.#seen.add(key);
    return true;
  }

  /** Everything up to this revision has come. Undefined: start over. */
  moveTo(resourceVersion: string | undefined): void {
    this.#complete = resourceVersion;
    // a server that is behind says so before it repeats events that came earlier
    if (isLater(this.#newest, resourceVersion)) return;
    this.#newest = undefined;
    this.#seen.clear();
  }
}

/** Whether revision `a` comes after `b`: decimal numbers of any length. */
function isLater(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.length === b.length ? a > b : a.length > b.length;
}

/** Of the object itself, where a table with one row shows it. */
function shownBy(object: ApiObject): ObjectMeta {
  if (object.kind !== 'Table') return object.metadata;
  return (object as unknown as Table).rows?.[0]?.object?.metadata ?? object.metadata;
}
