import type { History, List, Read, UnionLog, WatchLog, Write } from '../checker/history.ts';

/** What all clients of a run saw. */
export class Recorder implements History {
  readonly writes: Write[] = [];
  readonly reads: Read[] = [];
  readonly lists: List[] = [];
  readonly watches: WatchLog[] = [];
  readonly unions: UnionLog[] = [];
  /** How many answers of each kind there were, for the summary. */
  readonly outcomes = new Map<string, number>();

  count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  summary(): string {
    const events = this.watches.flatMap(({ segments }) => segments);
    const frames = events.reduce((sum, segment) => sum + segment.frames.length, 0);
    const counts = [...this.outcomes].sort().map(([outcome, n]) => `${outcome} ${n}`);
    return [
      `${this.writes.length} writes, ${this.reads.length} reads, ${this.lists.length} lists`,
      `${frames} watch frames in ${events.length} segments of ${this.watches.length} watchers`,
      counts.join(', '),
    ].join('; ');
  }
}
