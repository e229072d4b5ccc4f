import { type Seeded } from '../../support/seeded.ts';
import type { Frame, History, WatchLog, Write } from './history.ts';
import type { Run } from './simulated.ts';
import { Truth } from './truth.ts';

/** Puts one fault into a history that has none; undefined when it has no place for it. */
type Plant = (run: Run, random: Seeded) => Run | undefined;

type Change = Exclude<Frame, { type: 'BOOKMARK' }>;

/** Faults that a checker has to see, each as a server would show it. */
export const PLANTED: Readonly<Record<string, Plant>> = {
  'one event of many is dropped': (run, random) =>
    withFrames(run, random, (frames, i) => frames.toSpliced(i, 1)),
  'an object leaves a view, and its watch is not told': (run, random) =>
    withFrames(
      run,
      random,
      (frames, i) => frames.toSpliced(i, 1),
      (frame) => isLeaving(run.truth, frame),
    ),
  'an object leaves a view, and its watch is told twice': (run, random) =>
    withFrames(
      run,
      random,
      (frames, i) => frames.toSpliced(i, 0, frames[i]!),
      (frame) => isLeaving(run.truth, frame),
    ),
  'a subscription of a stream is ahead of another': ({ truth, history }, random) => {
    const busy = history.unions.filter(({ revisions }) => new Set(revisions).size > 1);
    if (busy.length === 0) return undefined;
    const union = random.pick(busy);
    const revisions = [union.revisions.at(-1)!, ...union.revisions];
    const unions = history.unions.with(history.unions.indexOf(union), { ...union, revisions });
    return { truth, history: { ...history, unions } };
  },
  'an event comes twice': (run, random) =>
    withFrames(run, random, (frames, i) => frames.toSpliced(i, 0, frames[i]!)),
  'two events are swapped': (run, random) =>
    withFrames(run, random, (frames, i) =>
      isChange(frames[i + 1])
        ? frames.toSpliced(i, 2, frames[i + 1]!, frames[i]!)
        : frames.toSpliced(i, 1),
    ),
  'an event tells the revision before': (run, random) =>
    withFrames(run, random, (frames, i) =>
      frames.with(i, { ...frames[i]!, revision: frames[i]!.revision - 1n }),
    ),
  'a new object comes as a changed one': (run, random) =>
    withFrames(run, random, (frames, i) => {
      const frame = frames[i] as Change;
      const type = frame.type === 'MODIFIED' ? 'ADDED' : 'MODIFIED';
      return frames.with(i, { ...frame, type });
    }),
  'a bookmark is served too early': (run, random) =>
    withFrames(run, random, (frames, i) => {
      const { revision, at } = frames[i]!;
      return frames.toSpliced(i, 0, { type: 'BOOKMARK', revision, at });
    }),
  'a list is served at a revision too early': (run, random) => {
    const { truth } = run;
    return withOne(run, 'lists', random, (list) => {
      if (list.color !== undefined) return undefined;
      const next = truth.between(list.revision, truth.end)[0];
      return next === undefined ? undefined : { ...list, revision: next.revision };
    });
  },
  'a list is old': (run, random) => {
    const { truth, history } = run;
    return withOne(run, 'lists', random, (list) => {
      const newest = newestAnswered(history.writes, list.called);
      if (!list.linearizable || newest === 0n) return undefined;
      const revision = newest - 1n;
      return { ...list, revision, items: [...truth.snapshot(revision, list.color).values()] };
    });
  },
  'a list lacks an object': (run, random) =>
    withOne(run, 'lists', random, (list) =>
      list.items.length === 0 ? undefined : { ...list, items: list.items.slice(1) },
    ),
  'a read is old': (run, random) => {
    const { truth, history } = run;
    return withOne(run, 'reads', random, (read) => {
      const ofKey = history.writes.filter(({ key }) => key === read.key);
      const newest = newestAnswered(ofKey, read.called);
      const state = truth.stateAt(read.key, newest) - 1;
      const old = truth.timeline(read.key)[state - 1];
      if (newest === 0n || old?.content === undefined) return undefined;
      return { ...read, found: { key: read.key, revision: old.revision, ...old.content } };
    });
  },
  'an object is shown at a revision too early': (run, random) => {
    const { truth } = run;
    return withOne(run, 'reads', random, (read) => {
      if (read.found === undefined) return undefined;
      const next = truth.timeline(read.key)[truth.stateAt(read.key, read.found.revision)];
      if (next === undefined) return undefined;
      return { ...read, found: { ...read.found, revision: next.revision } };
    });
  },
  'an object is not found although it was not deleted': (run, random) => {
    const { truth } = run;
    return withOne(run, 'reads', random, (read) => {
      if (read.found === undefined) return undefined;
      const state = truth.stateAt(read.key, read.found.revision);
      // as many states as can pass while an operation is under way
      const around = Array.from({ length: 13 }, (_, i) => Math.max(0, state - 6 + i));
      if (around.some((s) => truth.contentOf(read.key, s) === undefined)) return undefined;
      return { ...read, found: undefined };
    });
  },
  'an acknowledged write is lost': ({ truth, history }, random) => {
    const acknowledged = new Set(
      history.writes
        .filter(({ outcome }) => outcome.kind === 'applied')
        .map((w) => w.content?.value),
    );
    const candidates = truth.events.filter(
      ({ content }) => content !== undefined && acknowledged.has(content.value),
    );
    if (candidates.length === 0) return undefined;
    const lost = random.pick(candidates);
    return {
      history,
      truth: new Truth(
        truth.events.filter((e) => e !== lost),
        truth.end,
      ),
    };
  },
  'a write happens twice': ({ truth, history }) => {
    const twice = truth.events.findLast(({ content }) => content !== undefined);
    if (twice === undefined) return undefined;
    const again = { ...twice, revision: truth.end + 1n };
    return { history, truth: new Truth([...truth.events, again], truth.end + 1n) };
  },
  'a write is refused and happens': (run, random) =>
    withOne(
      run,
      'writes',
      random,
      // a deletion leaves nothing that names its client: one whose answer was lost may explain it
      (write) =>
        write.outcome.kind === 'applied' && write.content !== undefined
          ? { ...write, outcome: { kind: 'refused', why: 'conflict' } }
          : undefined,
    ),
  'a write is answered with the revision before': (run, random) =>
    withOne(run, 'writes', random, (write) =>
      write.outcome.kind === 'applied' && write.outcome.revision !== undefined
        ? { ...write, outcome: { kind: 'applied', revision: write.outcome.revision - 1n } }
        : undefined,
    ),
};

/** Revision of the newest write that was answered before a moment; 0: there is none. */
function newestAnswered(writes: readonly Write[], before: number): bigint {
  let newest = 0n;
  for (const { returned, outcome } of writes) {
    if (returned >= before || outcome.kind !== 'applied') continue;
    if ((outcome.revision ?? 0n) > newest) newest = outcome.revision!;
  }
  return newest;
}

function isChange(frame: Frame | undefined): boolean {
  return frame !== undefined && frame.type !== 'BOOKMARK';
}

/** The object is still there, but no longer in the view. */
function isLeaving(truth: Truth, frame: Frame): boolean {
  if (frame.type !== 'DELETED') return false;
  return truth.contentOf(frame.key, truth.stateAt(frame.key, frame.revision)) !== undefined;
}

/** Changes the frames of one watcher at a place where an event is, and another follows. */
function withFrames(
  { truth, history }: Run,
  random: Seeded,
  change: (frames: Frame[], at: number) => Frame[],
  isPlace = isChange as (frame: Frame) => boolean,
): Run | undefined {
  const places = history.watches.flatMap((watch, w) =>
    watch.segments.flatMap((segment, s) =>
      segment.frames.flatMap((frame, f) =>
        isPlace(frame) && segment.frames.slice(f + 1).some(isChange) ? [{ w, s, f }] : [],
      ),
    ),
  );
  if (places.length === 0) return undefined;
  const { w, s, f } = random.pick(places);
  const watch = history.watches[w]!;
  const segment = watch.segments[s]!;
  const changed: WatchLog = {
    ...watch,
    segments: watch.segments.with(s, { ...segment, frames: change([...segment.frames], f) }),
  };
  return { truth, history: { ...history, watches: history.watches.with(w, changed) } };
}

/** Changes one of the operations that can be changed so. */
function withOne<K extends 'writes' | 'reads' | 'lists'>(
  { truth, history }: Run,
  kind: K,
  random: Seeded,
  change: (operation: History[K][number]) => History[K][number] | undefined,
): Run | undefined {
  const operations: readonly History[K][number][] = history[kind];
  const start = random.below(Math.max(1, operations.length));
  for (let i = 0; i < operations.length; i++) {
    const at = (start + i) % operations.length;
    const changed = change(operations[at]!);
    if (changed === undefined) continue;
    return { truth, history: { ...history, [kind]: operations.with(at, changed) } };
  }
  return undefined;
}
