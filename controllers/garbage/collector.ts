import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../api/naming.ts';
import type { OwnerReference } from '../../api/object.ts';
import type { PropagationPolicy } from '../../registry/delete-options.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Target } from '../../registry/served-resource.ts';
import { attemptEach } from '../attempt-each.ts';
import type { Kinds } from '../kinds.ts';
import { LoopWriter, type WriteOutcome } from '../writer.ts';
import type { DependencyGraph } from './graph.ts';
import type { GarbageNode } from './node.ts';
import { OwnerLookup, type OwnerState } from './owners.ts';

/** Dependents that one look at an owner lets go; the owner is looked at again when they are. */
const MAX_ORPHANED = 50;

/** `kept`: nothing to do; `stale`: others were faster, their change brings it up again. */
type Verdict = 'kept' | 'deleted' | 'changed' | 'stale';

interface OwnersByState {
  readonly solid: number;
  /** Uids of owners that no longer keep the object. */
  readonly lost: ReadonlySet<string>;
  readonly isWaiting: boolean;
  readonly misplaced: readonly OwnerReference[];
}

/**
 * Decides what becomes of one object, and does it. Source: behaviours 3.11 and
 * the garbage collector of kube-controller-manager, whose order of cases this is.
 */
export class Collector {
  readonly #graph: DependencyGraph;
  readonly #kinds: Kinds;
  readonly #owners: OwnerLookup;
  readonly #writer: LoopWriter;
  readonly #onMisplaced: (node: GarbageNode, owner: OwnerReference) => void;

  constructor(
    parts: RegistryParts,
    kinds: Kinds,
    graph: DependencyGraph,
    onMisplaced: (node: GarbageNode, owner: OwnerReference) => void,
  ) {
    this.#graph = graph;
    this.#kinds = kinds;
    this.#owners = new OwnerLookup(parts.reader.replica, kinds, graph);
    this.#writer = new LoopWriter(parts);
    this.#onMisplaced = onMisplaced;
  }

  /** @throws whatever keeps the object from being changed; it will be tried again */
  async attend(id: string, signal: AbortSignal): Promise<Verdict> {
    const node = this.#graph.get(id);
    const target = node && this.#targetOf(node);
    if (node === undefined) return 'kept';
    if (target === undefined) {
      this.#graph.postpone(id);
      return 'kept';
    }
    switch (node.deletion) {
      case 'marked':
        return 'kept';
      case 'orphaning':
        return this.#letGo(node, target, signal);
      case 'foreground':
        return this.#finishForeground(node, target, signal);
      case 'none':
        return this.#judge(node, target, signal);
    }
  }

  async #judge(node: GarbageNode, target: Target, signal: AbortSignal): Promise<Verdict> {
    const { solid, lost, isWaiting, misplaced } = this.#sort(node);
    for (const owner of misplaced) this.#onMisplaced(node, owner);
    if (lost.size === 0) return 'kept';
    if (solid > 0) return this.#strip(node, target, lost, signal);
    let propagation: PropagationPolicy = policyOf(node);
    if (isWaiting && this.#graph.hasDependents(node)) {
      // An owner that waits for this object while that waits for it: one of them has to begin.
      const isCycle = [...this.#graph.dependents(node)].some(
        ({ deletion }) => deletion === 'foreground',
      );
      if (isCycle && node.owners.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) {
        return this.#unblock(node, target, signal);
      }
      propagation = 'Foreground';
    }
    return verdict(await this.#writer.remove(target, node, { propagation, signal }), 'deleted');
  }

  #sort(node: GarbageNode): OwnersByState {
    const lost = new Set<string>();
    const misplaced: OwnerReference[] = [];
    let solid = 0;
    let isWaiting = false;
    for (const owner of node.owners) {
      const state: OwnerState = this.#owners.stateOf(owner, node);
      if (state === 'absent' || state === 'waiting') lost.add(owner.uid);
      else solid++;
      isWaiting ||= state === 'waiting';
      if (state === 'misplaced') misplaced.push(owner);
      // an owner of a kind that is not served may be found when it is
      if (state === 'unknown') this.#graph.postpone(node.id);
    }
    return { solid, lost, isWaiting, misplaced };
  }

  /** Dependents of an owner that goes without them lose their reference; then it may go. */
  async #letGo(node: GarbageNode, target: Target, signal: AbortSignal): Promise<Verdict> {
    const dependents = [...this.#graph.dependents(node)];
    // A dependent of a kind that is not served cannot be orphaned; its owner waits.
    const served = dependents.filter((dependent) => this.#targetOf(dependent) !== undefined);
    let changed = 0;
    await attemptEach(served.slice(0, MAX_ORPHANED), { signal }, async (dependent) => {
      const of = this.#targetOf(dependent);
      const result = of && (await this.#strip(dependent, of, new Set([node.uid]), signal));
      if (result === 'changed') changed++;
    });
    // Each change brings the owner up again.
    if (changed > 0 && served.length > MAX_ORPHANED) return 'changed';
    if (changed < dependents.length) return 'stale';
    if (this.#graph.hasDependents(node)) return 'changed';
    return this.#finish(node, target, ORPHAN_FINALIZER, signal);
  }

  async #finishForeground(
    node: GarbageNode,
    target: Target,
    signal: AbortSignal,
  ): Promise<Verdict> {
    if (this.#isDeadlock(node)) return this.#unblock(node, target, signal);
    if (this.#blockers(node).next().done !== true) return 'kept';
    return this.#finish(node, target, FOREGROUND_FINALIZER, signal);
  }

  /** Dependents that hold back an owner which waits for them. */
  *#blockers(owner: GarbageNode): IterableIterator<GarbageNode> {
    for (const dependent of this.#graph.dependents(owner)) {
      const blocks = dependent.owners.some(
        ({ uid, blockOwnerDeletion }) => uid === owner.uid && blockOwnerDeletion === true,
      );
      if (blocks) yield dependent;
    }
  }

  /** Does it wait for itself through others, and all of them for nothing else? One of them has to begin then. */
  #isDeadlock(node: GarbageNode): boolean {
    const seen = new Set<string>();
    const waiting = [node];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      let isBlocked = false;
      for (const blocker of this.#blockers(one)) {
        if (blocker.deletion !== 'foreground') return false;
        isBlocked = true;
        if (!seen.has(blocker.id)) waiting.push(blocker);
        seen.add(blocker.id);
      }
      if (!isBlocked) return false;
    }
    return seen.has(node.id);
  }

  async #finish(
    node: GarbageNode,
    target: Target,
    finalizer: string,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const others = node.finalizers.filter((name) => name !== finalizer);
    const result = await this.#writer.change(
      target,
      node,
      ({ metadata }) => {
        if (others.length === 0) delete metadata.finalizers;
        else metadata.finalizers = others;
      },
      { signal },
    );
    return verdict(result, 'changed');
  }

  async #strip(
    node: GarbageNode,
    target: Target,
    uids: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Verdict> {
    const kept = node.owners.filter(({ uid }) => !uids.has(uid));
    const result = await this.#writer.change(
      target,
      node,
      ({ metadata }) => {
        if (kept.length === 0) delete metadata.ownerReferences;
        else metadata.ownerReferences = kept.map((owner) => ({ ...owner }));
      },
      { signal },
    );
    return verdict(result, 'changed');
  }

  async #unblock(node: GarbageNode, target: Target, signal: AbortSignal): Promise<Verdict> {
    const result = await this.#writer.change(
      target,
      node,
      ({ metadata }) => {
        metadata.ownerReferences = node.owners.map((owner) =>
          owner.blockOwnerDeletion === true ? { ...owner, blockOwnerDeletion: false } : owner,
        );
      },
      { signal },
    );
    return verdict(result, 'changed');
  }

  /** Undefined: the kind is not served, or its objects cannot be deleted. */
  #targetOf({ prefix, namespace, name }: GarbageNode): Target | undefined {
    const resource = this.#kinds.byPrefix(prefix);
    if (resource?.definition.verbs.includes('delete') !== true) return undefined;
    return { resource, namespace, name };
  }
}

/** What the object's own finalizers ask for; usually nothing. */
function policyOf({ finalizers }: GarbageNode): PropagationPolicy {
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'Orphan';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'Foreground' : 'Background';
}

function verdict({ outcome }: WriteOutcome, done: 'deleted' | 'changed'): Verdict {
  return outcome === 'stale' ? 'stale' : done;
}
