import { CRD_CLEANUP_FINALIZER } from '../api/naming.ts';
import type { Revision } from '../api/revision.ts';
import { readCrd } from '../registry/custom-resources.ts';
import { bundleProblem } from '../resources/apiextensions/crd-conversion.ts';
import type { CrdNames, CrdStatus } from '../resources/apiextensions/crd-types.ts';
import type { Collection } from '../watch/collection.ts';
import type { Entry } from '../watch/entry.ts';

/** What loops need to know of a stored definition; without its schemas, which are most of it. */
export interface SeenCrd {
  readonly name: string;
  readonly uid: string;
  readonly revision: Revision;
  readonly entry: Entry;
  readonly group: string;
  readonly names: CrdNames;
  readonly namespaced: boolean;
  readonly status: CrdStatus;
  /** The certificates of its conversion webhook cannot be used. */
  readonly hasBrokenBundle: boolean;
  readonly deletionTimestamp: string | undefined;
  readonly hasCleanupFinalizer: boolean;
}

/** Reads definitions, each state of each once. */
export class CrdReader {
  /** null: damaged. */
  readonly #seen = new WeakMap<Entry, SeenCrd | null>();

  *all(collection: Collection): Iterable<SeenCrd> {
    for (const entry of collection.items.range('')) {
      const seen = this.#read(entry);
      if (seen !== null) yield seen;
    }
  }

  #read(entry: Entry): SeenCrd | null {
    let seen = this.#seen.get(entry);
    if (seen === undefined) {
      seen = seenOf(entry);
      this.#seen.set(entry, seen);
    }
    return seen;
  }
}

function seenOf(entry: Entry): SeenCrd | null {
  try {
    const { metadata, spec, status } = readCrd(entry);
    return {
      name: entry.name,
      uid: metadata.uid ?? '',
      revision: entry.revision,
      entry,
      group: spec.group,
      names: spec.names,
      namespaced: spec.scope === 'Namespaced',
      status,
      hasBrokenBundle:
        bundleProblem(spec.conversion?.webhook?.clientConfig?.caBundle) !== undefined,
      deletionTimestamp: metadata.deletionTimestamp,
      hasCleanupFinalizer: (metadata.finalizers ?? []).includes(CRD_CLEANUP_FINALIZER),
    };
  } catch {
    return null;
  }
}
