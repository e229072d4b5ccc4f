import type { JsonObject } from '../../api/json.ts';
import type { OwnerReference } from '../../api/object.ts';
import type { StoreEvent } from '../../storage/interface.ts';

interface Known {
  key: string;
  kind: string;
  namespace: string;
  name: string;
  uid: string;
  owners: OwnerReference[];
  finalizers: string[];
  deleted: boolean;
}

/** Kinds of the model, and whether they have namespaces. */
export const KINDS: Readonly<Record<string, { apiVersion: string; namespaced: boolean }>> = {
  Lease: { apiVersion: 'coordination.cluster.io/v1', namespaced: true },
  Role: { apiVersion: 'rbac.authorization.cluster.io/v1', namespaced: true },
  Node: { apiVersion: 'v1', namespaced: false },
};

type State = Map<string, Known>;

/** What a reference means in a state, by the rules of the documents rather than by the code under test. */
function meaning(
  state: State,
  owner: OwnerReference,
  of: Known,
  waited: ReadonlySet<string>,
): 'keeps' | 'waits' | 'lets go' | 'absent' {
  const kind = KINDS[owner.kind];
  if (kind === undefined || (kind.namespaced && of.namespace === '')) return 'keeps';
  for (const known of state.values()) {
    if (known.uid !== owner.uid) continue;
    if (known.kind !== owner.kind || known.name !== owner.name) continue;
    if (known.namespace !== (kind.namespaced ? of.namespace : '')) return 'keeps';
    if (!known.deleted) return 'keeps';
    if (waited.has(known.uid)) return 'waits';
    if (known.finalizers.includes('orphan')) return 'lets go';
    return 'keeps';
  }
  return 'absent';
}

/**
 * Reads a registry's log and checks every write that no user made: was it right
 * in the state that it was made in? And of the last state: is anything left that
 * should have gone?
 */
export class GarbageChecker {
  readonly problems: string[] = [];
  readonly state: State = new Map();
  readonly #userRevisions: ReadonlySet<string>;
  /** Owners that once waited for their dependents: they never live again, so their dependents may go. */
  readonly #waited = new Set<string>();
  /** Owners that once were to go without their dependents: those may lose their reference. */
  readonly #orphaned = new Set<string>();
  /** References to owners that were already being deleted: no promise holds for them. */
  readonly #late = new Set<string>();

  constructor(log: readonly StoreEvent[], userRevisions: ReadonlySet<string>) {
    this.#userRevisions = userRevisions;
    for (const event of log) this.#apply(event);
  }

  #apply(event: StoreEvent): void {
    const before = this.state.get(event.key);
    const after = event.type === 'put' ? knownOf(event.key, event.value) : undefined;
    if (before !== undefined && !this.#userRevisions.has(String(event.revision))) {
      this.#check(before, after, event);
    }
    for (const { uid } of after?.owners ?? []) {
      if (before?.uid === after?.uid && before?.owners.some((o) => o.uid === uid)) continue;
      const isLate = [...this.state.values()].some((known) => known.uid === uid && known.deleted);
      if (isLate) this.#late.add(`${after?.uid} ${uid}`);
    }
    if (after === undefined) this.state.delete(event.key);
    else {
      this.state.set(event.key, after);
      if (after.deleted && after.finalizers.includes('foregroundDeletion'))
        this.#waited.add(after.uid);
      if (after.deleted && after.finalizers.includes('orphan')) this.#orphaned.add(after.uid);
    }
  }

  #check(before: Known, after: Known | undefined, { revision }: StoreEvent): void {
    const say = (what: string): void =>
      void this.problems.push(`${revision} ${before.key}: ${what}`);
    // what an owner lets go is not deleted for it
    const kept = (): OwnerReference[] =>
      before.owners.filter((owner) =>
        ['keeps', 'lets go'].includes(meaning(this.state, owner, before, this.#waited)),
      );
    if (after === undefined) {
      if (before.deleted) {
        // the last finalizer goes with the object, in one write
        for (const finalizer of before.finalizers) this.#checkRelease(before, finalizer, say);
      } else if (before.owners.length === 0 || kept().length > 0)
        say('deleted although it should live');
      return;
    }
    if (after.deleted && !before.deleted && (before.owners.length === 0 || kept().length > 0)) {
      say('marked although it should live');
    }
    for (const owner of before.owners) {
      if (after.owners.some(({ uid }) => uid === owner.uid)) continue;
      if (this.#orphaned.has(owner.uid)) continue;
      if (meaning(this.state, owner, before, this.#waited) === 'keeps')
        say(`lost its living owner ${owner.name}`);
    }
    for (const finalizer of before.finalizers) {
      if (after.finalizers.includes(finalizer)) continue;
      this.#checkRelease(before, finalizer, say);
    }
  }

  #checkRelease(before: Known, finalizer: string, say: (what: string) => void): void {
    const dependents = [...this.state.values()]
      .filter(({ namespace }) => before.namespace === '' || before.namespace === namespace)
      .filter(({ uid }) => !this.#late.has(`${uid} ${before.uid}`))
      .flatMap(({ owners }) => owners.filter(({ uid }) => uid === before.uid));
    if (!before.deleted) say(`lost ${finalizer} without being deleted`);
    else if (finalizer === 'orphan') {
      if (dependents.length > 0) say('went although dependents still name it');
    } else if (finalizer === 'foregroundDeletion') {
      if (dependents.some((o) => o.blockOwnerDeletion === true))
        say('went before its blocking dependents');
    } else say(`lost ${finalizer}, which the collector must not touch`);
  }

  /** What a registry at rest must not contain. */
  leftovers(): string[] {
    const left: string[] = [];
    for (const known of this.state.values()) {
      const { key, owners, finalizers, deleted, uid } = known;
      if (!deleted) {
        const states = owners.map((owner) => meaning(this.state, owner, known, this.#waited));
        if (states.length > 0 && !states.includes('keeps')) left.push(`${key}: ${states.join()}`);
        if (states.includes('absent')) left.push(`${key} names an owner that is gone`);
      } else if (finalizers.length === 0) left.push(`${key} is marked and held by nothing`);
      else if (finalizers.includes('orphan')) left.push(`${key} still orphans`);
      else if (finalizers.includes('foregroundDeletion')) {
        const blocked = [...this.state.values()].some(
          ({ owners: named, namespace }) =>
            (known.namespace === '' || known.namespace === namespace) &&
            named.some((o) => o.uid === uid && o.blockOwnerDeletion === true),
        );
        if (!blocked) left.push(`${key} waits without dependents`);
      }
    }
    return left;
  }
}

function knownOf(key: string, value: Buffer): Known | undefined {
  const object = JSON.parse(value.toString()) as JsonObject & { metadata: any };
  const kind = object['kind'] as string;
  if (!(kind in KINDS)) return undefined;
  const {
    name,
    namespace = '',
    uid,
    ownerReferences = [],
    finalizers = [],
    deletionTimestamp,
  } = object.metadata;
  const deleted = deletionTimestamp !== undefined;
  return { key, kind, namespace, name, uid, owners: ownerReferences, finalizers, deleted };
}
