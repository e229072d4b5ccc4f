import type { Entry } from '../../watch/entry.ts';
import type { HistoryEvent } from '../../watch/history.ts';
import type { ReadonlyOrderedMap } from '../../watch/ordered-map.ts';
import type { Replica } from '../../watch/replica.ts';
import { Follower } from '../../watch/follower.ts';
import type { DependencyGraph } from './graph.ts';
import { nodeOf, type GarbageNode } from './node.ts';

/** Objects that are looked at before others have the event loop. */
const TURN = 2_000;

/** Resources whose objects are never collected and own nothing (behaviours 3.10). */
const IGNORED: ReadonlySet<string> = new Set(['events.cluster.io/events/']);

/**
 * Keeps the graph as the replica is: once everything, then change by change; a
 * change costs a look at its own resource, however many there are. A graph that has been fed shows the registry at one revision or newer: an owner
 * that a node names was there before the node was, so if the replica does not
 * show it, it is gone.
 */
export class GraphFeed {
  readonly #replica: Replica;
  readonly #graph: DependencyGraph;
  readonly #followers = new Map<string, Follower>();
  readonly #loaded = new Set<string>();
  /** Resources with changes that have not been read. */
  readonly #changed = new Set<string>();
  /** Which of the replica's states `#changed` is about; 0: none yet. */
  #loads = 0;
  #endListening: (() => void) | undefined;

  constructor(replica: Replica, graph: DependencyGraph) {
    this.#replica = replica;
    this.#graph = graph;
  }

  /** Does a change of the resource matter? */
  static concerns(prefix: string): boolean {
    return !IGNORED.has(prefix);
  }

  /** Calls back with every node that has to be looked at. */
  async feed(affected: (id: string) => void, signal: AbortSignal): Promise<void> {
    this.#endListening ??= this.#replica.onBatch((touched) => {
      for (const { prefix } of touched) this.#changed.add(prefix);
    });
    // What was read before a pause may lack what came before that which was read after it.
    while (await this.#pass(affected, signal));
  }

  /** Ends the feed. */
  close(): void {
    this.#endListening?.();
  }

  /** Resources may have gone without a change of their objects. */
  lookAtAll(): void {
    for (const prefix of this.#followers.keys()) this.#changed.add(prefix);
    for (const { prefix } of this.#replica.collections()) this.#changed.add(prefix);
  }

  /** True: others have had the event loop meanwhile. */
  async #pass(affected: (id: string) => void, signal: AbortSignal): Promise<boolean> {
    let hasPaused = false;
    if (this.#loads !== this.#replica.loads) {
      this.#loads = this.#replica.loads;
      this.lookAtAll();
    }
    for (const prefix of this.#changed) {
      this.#changed.delete(prefix);
      if (!GraphFeed.concerns(prefix)) continue;
      if (!this.#replica.hasCollection(prefix)) {
        this.#leave(prefix, affected);
        continue;
      }
      const changes = this.#follower(prefix).changes();
      if (changes.all) {
        await this.#load(prefix, changes.items, affected, signal);
        hasPaused = true;
      } else for (const event of changes.events) this.#apply(prefix, event, affected);
    }
    return hasPaused;
  }

  /** A resource is gone, or a reload does not find it. */
  #leave(prefix: string, affected: (id: string) => void): void {
    this.#followers.delete(prefix);
    this.#loaded.delete(prefix);
    for (const node of this.#graph.of(prefix)) this.#lose(node, affected);
  }

  #lose({ id, uid }: GarbageNode, affected: (id: string) => void): void {
    for (const one of this.#graph.remove(id, uid)) affected(one);
  }

  #follower(prefix: string): Follower {
    let follower = this.#followers.get(prefix);
    if (follower === undefined) {
      follower = new Follower(this.#replica, prefix);
      this.#followers.set(prefix, follower);
    }
    return follower;
  }

  async #load(
    prefix: string,
    items: ReadonlyOrderedMap<Entry>,
    affected: (id: string) => void,
    signal: AbortSignal,
  ): Promise<void> {
    // After a reload some may be gone without an event having told so.
    const known = this.#loaded.has(prefix) ? this.#graph.of(prefix) : [];
    this.#loaded.add(prefix);
    for (const node of known) {
      if (items.get(node.id.slice(prefix.length)) !== undefined) continue;
      this.#lose(node, affected);
    }
    let count = 0;
    for (const entry of items.range('')) {
      this.#put(prefix, entry, affected);
      if (++count % TURN > 0) continue;
      await new Promise((resolve) => setImmediate(resolve));
      if (!signal.aborted) continue;
      // changes that were not examined would be lost: start over
      this.#followers.delete(prefix);
      this.#changed.add(prefix);
      signal.throwIfAborted();
    }
  }

  #apply(prefix: string, { type, entry }: HistoryEvent, affected: (id: string) => void): void {
    if (type !== 'DELETED') {
      this.#put(prefix, entry, affected);
      return;
    }
    const { uid = '' } = entry.corrupt ? {} : entry.metadata();
    for (const id of this.#graph.remove(prefix + entry.key, uid)) affected(id);
  }

  #put(prefix: string, entry: Entry, affected: (id: string) => void): void {
    const id = prefix + entry.key;
    const node = nodeOf(prefix, entry);
    if (node === undefined && this.#graph.get(id) === undefined) return;
    for (const one of this.#graph.put(id, node)) affected(one);
  }
}
