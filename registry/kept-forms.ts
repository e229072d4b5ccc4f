import type { Entry } from '../watch/entry.ts';

/** Converted forms may be larger than what is stored by so many bytes, all together. */
const MAX_CONVERTED_GROWTH = 64 * 1024 * 1024;
/** Less than that is not counted: it is bounded by the number of stored objects. */
const MIN_COUNTED = 256;

interface Kept {
  readonly growth: number;
  readonly forget: () => void;
}

/**
 * Bounds what converted forms take in memory beyond the stored objects: a webhook
 * decides how large they are. Those that were not used for longest are forgotten,
 * and made again when they are needed.
 */
export class KeptForms {
  readonly #most: number;
  /** The one that was not used for longest is the first. */
  readonly #kept = new Set<Kept>();
  readonly #byForm = new WeakMap<Entry, Kept>();
  /** Most forms go with the state that they show. */
  readonly #gone = new FinalizationRegistry<Kept>((kept) => this.#drop(kept));
  #growth = 0;

  constructor(most = MAX_CONVERTED_GROWTH) {
    this.#most = most;
  }

  /** Bytes that the forms which are kept have more than the stored objects. */
  get growth(): number {
    return this.#growth;
  }

  /** Counts a new form; `forget` must not hold the stored object, nor the form. */
  add(form: Entry, storedBytes: number, forget: () => void): void {
    const growth = form.bytes.length - storedBytes;
    if (growth < MIN_COUNTED) return;
    const kept: Kept = { growth, forget };
    this.#kept.add(kept);
    this.#byForm.set(form, kept);
    this.#gone.register(form, kept);
    this.#growth += growth;
    for (const oldest of this.#kept) {
      // the newest is needed by the one who has made it
      if (this.#growth <= this.#most || oldest === kept) return;
      this.#drop(oldest);
      oldest.forget();
    }
  }

  used(form: Entry): void {
    const kept = this.#byForm.get(form);
    if (kept === undefined || !this.#kept.delete(kept)) return;
    this.#kept.add(kept);
  }

  #drop(kept: Kept): void {
    if (this.#kept.delete(kept)) this.#growth -= kept.growth;
  }
}
