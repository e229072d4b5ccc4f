import type { GarbageNode } from './node.ts';

/**
 * Who depends on whom: nodes by id, and under each owner's uid the nodes that
 * name it. Owners are often no nodes themselves; what is kept is as large as the
 * number of objects that have owners. Every change says which nodes have to be
 * looked at for it.
 */
export class DependencyGraph {
  readonly #nodes = new Map<string, GarbageNode>();
  readonly #byUid = new Map<string, GarbageNode>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Uids that were seen to be deleted and are still named: no uid ever comes back. */
  readonly #gone = new Set<string>();
  readonly #undecided = new Set<string>();

  get size(): number {
    return this.#nodes.size;
  }

  /** Nothing can be said of the node before other kinds are served than now. */
  postpone(id: string): void {
    if (this.#nodes.has(id)) this.#undecided.add(id);
  }

  /** Nodes that were postponed, each once. */
  takeUndecided(): string[] {
    const ids = [...this.#undecided];
    this.#undecided.clear();
    return ids;
  }

  get(id: string): GarbageNode | undefined {
    return this.#nodes.get(id);
  }

  /** Those that name the owner and can have it: a namespaced owner counts for nothing outside its namespace. */
  *dependents(owner: GarbageNode): Iterable<GarbageNode> {
    for (const id of this.#dependents.get(owner.uid) ?? []) {
      const node = this.#nodes.get(id);
      if (node === undefined) continue;
      if (owner.namespace === '' || owner.namespace === node.namespace) yield node;
    }
  }

  hasDependents(owner: GarbageNode): boolean {
    return this.dependents(owner)[Symbol.iterator]().next().done !== true;
  }

  isGone(uid: string): boolean {
    return this.#gone.has(uid);
  }

  /** Sets the state of an object; undefined: garbage collection does not concern it, or no longer. */
  put(id: string, node: GarbageNode | undefined): string[] {
    const before = this.#nodes.get(id);
    const affected = new Set<string>();
    if (before !== undefined) {
      this.#waitingOwners(before, affected);
      const named = new Set(node?.owners.map(({ uid }) => uid));
      for (const { uid } of before.owners) if (!named.has(uid)) this.#unname(uid, id);
      this.#nodes.delete(id);
      this.#undecided.delete(id);
      this.#byUid.delete(before.uid);
      // The name was given to another object: the one before has been deleted.
      if (node !== undefined && node.uid !== before.uid) this.#lose(before.uid, affected);
    }
    if (node === undefined) return [...affected];
    this.#nodes.set(id, node);
    this.#byUid.set(node.uid, node);
    for (const { uid } of node.owners) this.#name(uid, id);
    this.#waitingOwners(node, affected);
    affected.add(id);
    if (node.deletion !== before?.deletion && node.deletion === 'foreground') {
      for (const dependent of this.#dependents.get(node.uid) ?? []) affected.add(dependent);
    }
    return [...affected];
  }

  /** The object is deleted. */
  remove(id: string, uid: string): string[] {
    const affected = new Set(this.put(id, undefined));
    this.#lose(uid, affected);
    return [...affected];
  }

  /** The nodes of one resource. */
  of(prefix: string): GarbageNode[] {
    return [...this.#nodes.values()].filter((node) => node.prefix === prefix);
  }

  #lose(uid: string, affected: Set<string>): void {
    const dependents = this.#dependents.get(uid);
    if (dependents === undefined) return;
    this.#gone.add(uid);
    for (const dependent of dependents) affected.add(dependent);
  }

  /** Owners that wait for their dependents have to be told of every change of one. */
  #waitingOwners({ owners }: GarbageNode, affected: Set<string>): void {
    for (const { uid } of owners) {
      const owner = this.#byUid.get(uid);
      if (owner?.deletion === 'foreground' || owner?.deletion === 'orphaning') {
        affected.add(owner.id);
      }
    }
  }

  #name(uid: string, id: string): void {
    const ids = this.#dependents.get(uid);
    if (ids === undefined) this.#dependents.set(uid, new Set([id]));
    else ids.add(id);
  }

  #unname(uid: string, id: string): void {
    const ids = this.#dependents.get(uid);
    if (ids === undefined) return;
    ids.delete(id);
    if (ids.size > 0) return;
    this.#dependents.delete(uid);
    this.#gone.delete(uid);
  }
}
