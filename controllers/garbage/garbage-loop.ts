import type { RegistryParts } from '../../registry/parts.ts';
import { Kinds } from '../kinds.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { Collector } from './collector.ts';
import { GraphFeed } from './feed.ts';
import { DependencyGraph } from './graph.ts';
import { MisplacedOwners } from './misplaced.ts';
import { WorkList } from './retries.ts';

/** Objects that one step changes. */
const MAX_CHANGES = 500;
/** Objects that one step looks at. */
const MAX_LOOKS = 10_000;
const WORKERS = 16;
/** The newest state has not reached this server yet. */
const CATCH_UP_MS = 100;

interface Memory {
  readonly graph: DependencyGraph;
  readonly feed: GraphFeed;
  readonly work: WorkList;
  readonly collector: Collector;
}

/**
 * Deletes objects whose owners are gone, orphans dependents whose owner is deleted
 * without them, and keeps owners that wait for their dependents. Its graph is
 * built from the replica at the beginning of a term, so it loses nothing when a
 * server dies, and follows change by change after that.
 */
export class GarbageLoop implements Loop {
  readonly name = 'garbage';
  readonly periodMs = 60_000;
  readonly wokenBy = [];
  readonly elected = true;
  readonly restMs = 50;
  readonly #parts: RegistryParts;
  readonly #kinds: Kinds;
  readonly #misplaced: MisplacedOwners;
  #memory: Memory;

  constructor(parts: RegistryParts, identity: string) {
    this.#parts = parts;
    this.#kinds = new Kinds(parts.catalog);
    this.#misplaced = new MisplacedOwners(parts, this.#kinds, identity);
    this.#memory = this.#forget();
  }

  reset(): void {
    this.#memory.feed.close();
    this.#memory = this.#forget();
  }

  wakeOn(wake: () => void): () => void {
    const { reader, catalog } = this.#parts;
    const endBatches = reader.replica.onBatch((touched) => {
      if ([...touched].some(({ prefix }) => GraphFeed.concerns(prefix))) wake();
    });
    // What was gone in one history may be there in another.
    const endReloads = reader.replica.onReload((reason) => {
      if (reason === 'reset') this.reset();
      wake();
    });
    const endCatalog = catalog.onChange(() => {
      const { graph, feed, work } = this.#memory;
      feed.lookAtAll();
      for (const id of graph.takeUndecided()) work.add(id);
      wake();
    });
    return () => {
      endBatches();
      endReloads();
      endCatalog();
    };
  }

  async step(signal: AbortSignal): Promise<LoopReport> {
    const { clock, reader } = this.#parts;
    const memory = this.#memory;
    const { graph, feed, work } = memory;
    await feed.feed((id) => work.add(id), signal);
    let done = { deleted: 0, changed: 0 };
    if (work.size > 0) {
      // Whatever is decided below is decided on the newest state.
      const { caughtUp } = await reader.freshness.fresh({ signal });
      if (!caughtUp) return { summary: 'waits for the newest state', againAfterMs: CATCH_UP_MS };
      await feed.feed((id) => work.add(id), signal);
      done = await this.#work(memory, signal);
      await this.#misplaced.tell(signal);
    }
    return {
      summary: `${graph.size} objects followed, ${work.size} to be looked at, ${done.deleted} deleted, ${done.changed} changed`,
      ...(work.hasReady ? { again: true } : { againAfterMs: work.nextIn(clock.monotonic()) }),
    };
  }

  async #work(memory: Memory, signal: AbortSignal): Promise<{ deleted: number; changed: number }> {
    const { clock } = this.#parts;
    const { work, collector } = memory;
    const done = { deleted: 0, changed: 0 };
    const queue = work.take(clock.monotonic())[Symbol.iterator]();
    let looks = 0;
    const isEnough = (): boolean =>
      done.deleted + done.changed >= MAX_CHANGES || looks >= MAX_LOOKS || memory !== this.#memory;
    const worker = async (): Promise<void> => {
      while (!isEnough()) {
        signal.throwIfAborted();
        const { value: id, done: isEmpty } = queue.next() as IteratorResult<string, undefined>;
        if (isEmpty === true) return;
        looks++;
        try {
          const verdict = await collector.attend(id, signal);
          if (verdict === 'deleted' || verdict === 'changed') done[verdict]++;
          if (verdict === 'stale') work.failed(id, clock.monotonic());
          else work.done(id);
        } catch (error) {
          // also when the step is over: nothing else would bring the object up again
          work.failed(id, clock.monotonic());
          if (signal.aborted) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    return done;
  }

  #forget(): Memory {
    const graph = new DependencyGraph();
    return {
      graph,
      feed: new GraphFeed(this.#parts.reader.replica, graph),
      work: new WorkList(),
      collector: new Collector(this.#parts, this.#kinds, graph, (node, owner) =>
        this.#misplaced.note(node, owner),
      ),
    };
  }
}
