import { inParallel } from '../../api/in-parallel.ts';
import { FOREGROUND_FINALIZER, isProtectedGroup, ORPHAN_FINALIZER } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { namespaceRange } from '../../registry/key-ranges.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Entry } from '../../watch/entry.ts';
import { dottedName, type Kinds } from '../kinds.ts';
import { LoopWriter, seenOf } from '../writer.ts';
import type { Remaining } from './findings.ts';
import { CRD_PREFIX } from '../../registry/prefixes.ts';
import { resourceOfPrefix } from '../../storage/keys.ts';

/** Deletions under way at one time. */
const WORKERS = 16;
/** Failures that a condition tells of. */
const MAX_FAILURES = 20;

/** How many more objects a round may delete. */
export interface Budget {
  left: number;
}

export interface Emptied {
  readonly failures: readonly string[];
  readonly undiscovered: readonly string[];
  /** Objects that were deleted or marked. */
  readonly deleted: number;
  /** The budget did not allow all deletions. */
  readonly unfinished: boolean;
  /** Objects that others have changed meanwhile: to be looked at again. */
  readonly stale: number;
}

/** What stands in a namespace, found by the registry's keys: also what this server does not serve (yet). */
export class NamespaceContent {
  readonly #parts: RegistryParts;
  readonly #kinds: Kinds;
  readonly #writer: LoopWriter;

  constructor(parts: RegistryParts, kinds: Kinds) {
    this.#parts = parts;
    this.#kinds = kinds;
    this.#writer = new LoopWriter(parts);
  }

  /** Prefixes of the resources that have objects in the namespace. */
  prefixes(namespace: string): string[] {
    const { start, end } = namespaceRange(namespace);
    const found: string[] = [];
    for (const { prefix, items } of this.#parts.reader.replica.collections()) {
      if (items.count(start, end) > 0) found.push(prefix);
    }
    return found;
  }

  remaining(namespace: string): Remaining[] {
    return this.prefixes(namespace).map((prefix) => {
      const heldBy = new Map<string, string[]>();
      let count = 0;
      for (const entry of this.#entries(prefix, namespace)) {
        count++;
        for (const finalizer of finalizersOf(entry)) {
          const names = heldBy.get(finalizer) ?? [];
          names.push(entry.name);
          heldBy.set(finalizer, names);
        }
      }
      return { resource: dottedName(resourceOfPrefix(prefix)), count, heldBy };
    });
  }

  /**
   * Deletes what the budget allows. What only waits for finalizers costs nothing
   * of it. `isStill`: whether the namespace is the one that is to be emptied, and
   * not another one that has its name by now.
   */
  async empty(
    namespace: string,
    isStill: () => boolean,
    budget: Budget,
    signal: AbortSignal,
  ): Promise<Emptied> {
    const run = new EmptyingRun(this.#parts, this.#writer, budget, signal);
    for (const prefix of this.prefixes(namespace)) {
      // Asked in the same turn in which its objects are looked up: they are those of the namespace then.
      if (!isStill()) break;
      const resource = this.#kinds.byPrefix(prefix);
      if (resource !== undefined) await run.deleteAll(resource, this.#entries(prefix, namespace));
      else if (this.#mayBeServed(prefix)) run.undiscovered.push(undiscoveredText(prefix));
      else await run.sweepAll(prefix, this.#entries(prefix, namespace));
    }
    return run;
  }

  *#entries(prefix: string, namespace: string): Iterable<Entry> {
    const { start, end } = namespaceRange(namespace);
    yield* this.#parts.reader.replica.collection(prefix).items.snapshot().range(start, end);
  }

  /** A CRD says so, even if this server has not come to serve it; or a server of another version knows the kind. */
  #mayBeServed(prefix: string): boolean {
    const { group, resource } = resourceOfPrefix(prefix);
    const crds = this.#parts.reader.replica.collection(CRD_PREFIX).items;
    return (
      group === '' || isProtectedGroup(group) || crds.get(`${resource}.${group}`) !== undefined
    );
  }
}

class EmptyingRun implements Emptied {
  readonly failures: string[] = [];
  readonly undiscovered: string[] = [];
  deleted = 0;
  unfinished = false;
  stale = 0;
  readonly #parts: RegistryParts;
  readonly #writer: LoopWriter;
  readonly #budget: Budget;
  readonly #signal: AbortSignal;

  constructor(parts: RegistryParts, writer: LoopWriter, budget: Budget, signal: AbortSignal) {
    this.#parts = parts;
    this.#writer = writer;
    this.#budget = budget;
    this.#signal = signal;
  }

  async deleteAll(resource: ServedResource, entries: Iterable<Entry>): Promise<void> {
    await this.#each(entries, async (entry) => {
      // what cannot be read can be kept by no finalizer, and shown to no webhook: it goes by its key
      if (entry.corrupt) return this.#writer.discard(resource, entry, this.#signal);
      const { namespace, name } = entry;
      const target = { resource, namespace, name };
      const result = await this.#writer.remove(target, seenOf(entry), {
        // the contents of a namespace are not orphaned and do not wait for dependents
        propagation: 'Background',
        signal: this.#signal,
      });
      return result.outcome !== 'stale';
    });
  }

  /** Objects of a custom resource whose CRD is gone: clients cannot see, finalize or keep them. */
  async sweepAll(prefix: string, entries: Iterable<Entry>): Promise<void> {
    await this.#each(entries, async ({ key, revision }) => {
      const options = { signal: this.#signal };
      const { outcome } = await this.#parts.store.delete(prefix + key, revision, options);
      return outcome !== 'conflict';
    });
  }

  /** `act` tells whether it was in time. */
  async #each(entries: Iterable<Entry>, act: (entry: Entry) => Promise<boolean>): Promise<void> {
    await inParallel([...this.#affordable(entries)], WORKERS, async (entry) => {
      this.#signal.throwIfAborted();
      try {
        if (await act(entry)) this.deleted++;
        else this.stale++;
      } catch (error) {
        this.#signal.throwIfAborted();
        this.#fail(error);
      }
    });
  }

  *#affordable(entries: Iterable<Entry>): Iterable<Entry> {
    for (const entry of entries) {
      if (!needsDeletion(entry)) continue;
      if (this.#budget.left === 0) {
        this.unfinished = true;
        return;
      }
      this.#budget.left--;
      yield entry;
    }
  }

  #fail(error: unknown): void {
    if (this.failures.length >= MAX_FAILURES) return;
    this.failures.push(error instanceof Error ? error.message : String(error));
  }
}

/**
 * An object that is marked and waits for finalizers needs nothing more, unless
 * they are those of garbage collection. One that is marked and has none is what
 * a server left that died between its two writes: deleting it again removes it.
 */
function needsDeletion(entry: Entry): boolean {
  if (entry.corrupt) return true;
  const { deletionTimestamp, finalizers = [] } = entry.metadata();
  if (deletionTimestamp === undefined || finalizers.length === 0) return true;
  return finalizers.includes(ORPHAN_FINALIZER) || finalizers.includes(FOREGROUND_FINALIZER);
}

function finalizersOf(entry: Entry): readonly string[] {
  return entry.corrupt ? [] : (entry.metadata().finalizers ?? []);
}

function undiscoveredText(prefix: string): string {
  return `${dottedName(resourceOfPrefix(prefix))}: there are objects, but this server does not serve the resource (yet)`;
}
