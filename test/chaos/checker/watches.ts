import {
  show,
  shown,
  type Frame,
  type Segment,
  type UnionLog,
  type View,
  type Violation,
  type WatchLog,
} from './history.ts';
import type { Truth, TruthEvent } from './truth.ts';

/**
 * Every watcher sees, over all its connections, the store's history filtered by
 * its view: in order, without a gap, nothing twice, each event with the type
 * and the revision that it has for this view; no bookmark comes before what
 * it says has come; and who was there to the end has seen the end.
 */
export function checkWatches(
  truth: Truth,
  causes: ReadonlyMap<TruthEvent, { called: number }>,
  watches: readonly WatchLog[],
): Violation[] {
  return watches.flatMap((log) =>
    log.segments.flatMap((segment, i) => {
      const toTheEnd = log.complete && i === log.segments.length - 1;
      const violation = checkSegment(truth, causes, log, segment, toTheEnd);
      return violation === undefined ? [] : [violation];
    }),
  );
}

/** Over all subscriptions of a stream, changes come in the order in which they happened. */
export function checkUnions(unions: readonly UnionLog[]): Violation[] {
  return unions.flatMap(({ client, revisions }) => {
    const at = revisions.findIndex((revision, i) => i > 0 && revision < revisions[i - 1]!);
    if (at < 0) return [];
    const what = `${client}: ${revisions[at]} came after ${revisions[at - 1]}`;
    return [{ guarantee: 'a stream of many keeps the order of the log', what }];
  });
}

/** The first thing that is wrong; what follows is wrong because of it. */
function checkSegment(
  truth: Truth,
  causes: ReadonlyMap<TruthEvent, { called: number }>,
  log: WatchLog,
  { from, frames }: Segment,
  toTheEnd: boolean,
): Violation | undefined {
  const violation = (guarantee: string, what: string): Violation => ({
    guarantee,
    what: `${log.client}, from ${from}: ${what}`,
  });
  const expected = expectedOf(truth, from, log);
  let next = 0;
  for (const frame of frames) {
    const due = expected[next];
    if (frame.type === 'BOOKMARK') {
      if (due !== undefined && due.frame.revision <= frame.revision) {
        return violation(
          'a bookmark overtakes nothing',
          `bookmark ${frame.revision} before ${describe(due.frame)}`,
        );
      }
      continue;
    }
    if (due === undefined || !same(due.frame, frame)) {
      const instead = due === undefined ? 'nothing' : describe(due.frame);
      return violation(
        'a watch is the history, in order, complete, without repeats',
        `${describe(frame)} came instead of ${instead}`,
      );
    }
    if ((causes.get(due.event)?.called ?? 0) >= frame.at) {
      return violation('nothing shows the future', `${describe(frame)} before it was asked for`);
    }
    next++;
  }
  const missed = expected[next];
  if (toTheEnd && missed !== undefined) {
    return violation('a watch delivers', `${describe(missed.frame)} never came`);
  }
  return undefined;
}

type Change = Exclude<Frame, { type: 'BOOKMARK' }>;
type Expected = { readonly frame: Omit<Change, 'at'>; readonly event: TruthEvent };

/** The events that a watch from a revision must deliver, up to the last revision. */
function expectedOf(truth: Truth, from: bigint, view: View): Expected[] {
  const { color, colorOnly = false } = view;
  const state = truth.snapshot(from);
  const expected: Expected[] = [];
  for (const event of truth.between(from, truth.end)) {
    const { key, revision, content } = event;
    const before = state.get(key);
    const was = before !== undefined && (color === undefined || before.color === color);
    const is = content !== undefined && (color === undefined || content.color === color);
    if (is) {
      const type = was ? 'MODIFIED' : 'ADDED';
      const isShown = !was || !colorOnly || before.color !== content.color;
      if (isShown) {
        expected.push({ event, frame: { type, key, revision, ...shown(content, view) } });
      }
    } else if (was) {
      // Shows the last state that was selected, at the revision of the change.
      expected.push({ event, frame: { type: 'DELETED', ...shown(before, view), revision } });
    }
    if (content === undefined) state.delete(key);
    else state.set(key, { key, revision, ...content });
  }
  return expected;
}

function same(a: Omit<Change, 'at'>, b: Change): boolean {
  return (
    a.type === b.type &&
    a.key === b.key &&
    a.revision === b.revision &&
    a.value === b.value &&
    a.color === b.color
  );
}

function describe(frame: Omit<Change, 'at'>): string {
  return `${frame.type} ${show(frame)}`;
}
