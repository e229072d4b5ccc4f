import { objectOf } from '../resources/object-of.ts';
import { customResourceDefinitionSchema } from '../resources/apiextensions/crd-schema.ts';
import { CRD_CLEANUP_FINALIZER } from '../api/naming.ts';
import type { Revision } from '../api/revision.ts';
import { bundleProblem } from '../resources/ca-bundle.ts';
import {
  isTerminating,
  type CrdNames,
  type CrdStatus,
  type CustomResourceDefinition,
} from '../resources/apiextensions/crd-types.ts';
import type { Collection } from '../watch/collection.ts';
import type { Entry } from '../watch/entry.ts';

/** What loops need to know of a stored definition; without its schemas, which are most of it. */
export interface CrdSummary {
  readonly name: string;
  readonly uid: string;
  readonly revision: Revision;
  /** Counts changes of the spec. */
  readonly generation: string;
  readonly entry: Entry;
  readonly group: string;
  readonly names: CrdNames;
  readonly namespaced: boolean;
  readonly status: CrdStatus;
  /** The certificates of its conversion webhook cannot be used. */
  readonly hasBrokenBundle: boolean;
  readonly deletionTimestamp: string | undefined;
  /** Nothing is created by it any more. */
  readonly terminating: boolean;
  readonly hasCleanupFinalizer: boolean;
}

/** null: damaged. */
const summaries = new WeakMap<Entry, CrdSummary | null>();

/**
 * A stored definition, parsed at each call. Schemas make it large, so callers that
 * need less ask for its {@link crdSummary}, which is made here once and shared.
 *
 * @throws JsonSyntaxError when it is damaged
 */
export function readCrd(entry: Entry): CustomResourceDefinition {
  const crd = objectOf(customResourceDefinitionSchema, entry.object());
  if (!summaries.has(entry)) summaries.set(entry, summaryOf(entry, crd));
  return crd;
}

/** Each state of a definition is read at most once for it; undefined when it is damaged. */
export function crdSummary(entry: Entry): CrdSummary | undefined {
  if (!summaries.has(entry)) {
    try {
      readCrd(entry);
    } catch {
      summaries.set(entry, null);
    }
  }
  return summaries.get(entry) ?? undefined;
}

/** Of everything that is not damaged. */
export function* crdSummaries(collection: Collection): Iterable<CrdSummary> {
  for (const entry of collection.items.range('')) {
    const summary = crdSummary(entry);
    if (summary !== undefined) yield summary;
  }
}

function summaryOf(entry: Entry, crd: CustomResourceDefinition): CrdSummary {
  const { metadata, spec, status } = crd;
  return {
    name: entry.name,
    uid: metadata.uid ?? '',
    revision: entry.revision,
    generation: String(metadata.generation ?? 0),
    entry,
    group: spec.group,
    names: spec.names,
    namespaced: spec.scope === 'Namespaced',
    status,
    hasBrokenBundle: bundleProblem(spec.conversion?.webhook?.clientConfig?.caBundle) !== undefined,
    deletionTimestamp: metadata.deletionTimestamp,
    terminating: isTerminating(crd),
    hasCleanupFinalizer: (metadata.finalizers ?? []).includes(CRD_CLEANUP_FINALIZER),
  };
}
