import { parseApiVersion } from '../../api/group-version.ts';
import { neutralGroup } from '../../api/naming.ts';
import type { OwnerReference } from '../../api/object.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { relativeKey } from '../../storage/keys.ts';
import type { Entry } from '../../watch/entry.ts';
import type { Replica } from '../../watch/replica.ts';
import type { Kinds } from '../kinds.ts';
import type { DependencyGraph } from './graph.ts';
import { deletionOf, type GarbageNode } from './node.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';

/** What a reference to an owner has come to. */
export type OwnerState =
  | 'present'
  /** Deleted in the foreground: it waits for its dependents, so they are to go. */
  | 'waiting'
  | 'absent'
  /** It exists, or may exist, where this dependent cannot have an owner. */
  | 'misplaced'
  /** Unknown: the kind is not served, or the owner cannot be read. It counts as present. */
  | 'unknown';

interface OwnerFacts {
  readonly uid: string;
  readonly waiting: boolean;
}

/**
 * Looks owners up. The replica shows one revision of the whole registry, and the
 * dependent was written when its owner existed: an owner whose uid is not there
 * is gone. Only what the reference may legally mean is looked at: the
 * dependent's own namespace, or cluster scope (behaviours 3.11).
 */
export class OwnerLookup {
  readonly #replica: Replica;
  readonly #kinds: Kinds;
  readonly #graph: DependencyGraph;
  readonly #facts = new WeakMap<Entry, OwnerFacts>();

  constructor(replica: Replica, kinds: Kinds, graph: DependencyGraph) {
    this.#replica = replica;
    this.#kinds = kinds;
    this.#graph = graph;
  }

  stateOf(reference: OwnerReference, { namespace }: GarbageNode): OwnerState {
    const kind = this.#kindOf(reference);
    if (kind?.definition.namespaced === true && namespace === '') return 'misplaced';
    if (this.#graph.isGone(reference.uid)) return 'absent';
    if (kind === undefined) return 'unknown';
    const { namespaced } = kind.definition;
    const found = this.#at(kind, namespaced ? namespace : '', reference.name);
    if (found === 'unreadable') return 'unknown';
    if (found?.uid === reference.uid) return found.waiting ? 'waiting' : 'present';
    return namespaced && this.#isElsewhere(kind, reference) ? 'misplaced' : 'absent';
  }

  #kindOf({ apiVersion, kind }: OwnerReference): ServedResource | undefined {
    const version = parseApiVersion(apiVersion);
    if (version === undefined) return undefined;
    // Controllers that know Kubernetes' name of a group name owners by it.
    return this.#kinds.byKind(neutralGroup(version.group), kind);
  }

  #at(
    { prefix }: ServedResource,
    namespace: string,
    name: string,
  ): OwnerFacts | 'unreadable' | undefined {
    const entry = this.#replica.collection(prefix).items.get(relativeKey(namespace, name));
    if (entry === undefined) return undefined;
    if (entry.corrupt) return 'unreadable';
    let facts = this.#facts.get(entry);
    if (facts === undefined) {
      const metadata = entry.metadata();
      facts = { uid: metadata.uid ?? '', waiting: deletionOf(metadata) === 'foreground' };
      this.#facts.set(entry, facts);
    }
    return facts;
  }

  /** Is the owner in a namespace from which it cannot own? */
  #isElsewhere(kind: ServedResource, { name, uid }: OwnerReference): boolean {
    for (const namespace of this.#replica.collection(NAMESPACES_PREFIX).items.range('')) {
      const found = this.#at(kind, namespace.name, name);
      if (found === 'unreadable' || found?.uid === uid) return true;
    }
    return false;
  }
}
