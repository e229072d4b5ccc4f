import type { Labels } from '../api/selectors/requirement.ts';
import { IndexMemory, type IndexLimits } from './index/index-memory.ts';
import { Slabs } from './slabs.ts';

/** Label sets that are cached; beyond this number the cache is cleared. */
const MAX_LABEL_SETS = 4_096;
/** Characters of a label set that is cached. */
const MAX_LABELS_LENGTH = 1_000;

/** What the entries of one replica share: slabs for their bytes, and labels where they are equal. */
export class EntryMemory {
  readonly slabs: Slabs;
  readonly indexes: IndexMemory;
  readonly #labels = new Map<string, Labels>();

  /** `slabBytes`: size of a slab. */
  constructor(slabBytes?: number, indexLimits?: Partial<IndexLimits>) {
    this.slabs = new Slabs(slabBytes);
    this.indexes = new IndexMemory(indexLimits);
  }

  /** Labels by their JSON text, each a string. */
  labelsOfText(text: string): Labels {
    const known = this.#labels.get(text);
    if (known !== undefined) return known;
    const labels = JSON.parse(text) as Labels;
    const canonical = JSON.stringify(labels);
    return this.#labels.get(canonical) ?? this.#keep(canonical, labels);
  }

  /**
   * The same labels, a copy: their owner may change them. Objects that were made alike, and an
   * object's states, nearly always have equal ones. The copy is read from text of its own: a value
   * that was cut out of the body of a request would keep the whole body.
   */
  labels(labels: Labels): Labels {
    const text = JSON.stringify(labels);
    return this.#labels.get(text) ?? this.#keep(text, JSON.parse(text) as Labels);
  }

  #keep(text: string, labels: Labels): Labels {
    if (text.length > MAX_LABELS_LENGTH) return labels;
    if (this.#labels.size >= MAX_LABEL_SETS) this.#labels.clear();
    this.#labels.set(text, labels);
    return labels;
  }
}
