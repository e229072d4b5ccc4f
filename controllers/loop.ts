/**
 * A background loop: takes no input, looks at the registry, does a bounded part
 * of what is to be done, and says how it went. A step may be repeated or
 * interrupted at any point: it is idempotent, and every write it makes is
 * conditional on what it has read, so that a round on stale knowledge does no
 * harm.
 */
export interface Loop {
  readonly name: string;
  /** A step runs at least this often, even if nothing wakes the loop. */
  readonly periodMs: number;
  /** Store prefixes (`apiextensions.cluster.io/customresourcedefinitions/`) whose changes wake the loop. */
  readonly wokenBy: readonly string[];
  /** False: every server runs it. True: one server of the installation at a time. */
  readonly elected: boolean;
  /** After a step, what wakes the loop begins the next one no sooner than this. Absent: a short default. */
  readonly restMs?: number;
  /** Wakes the loop by other means than `wokenBy`; the returned function ends that. */
  readonly wakeOn?: (wake: () => void) => () => void;
  step(signal: AbortSignal): Promise<LoopReport>;
  /**
   * A term of this server begins or has ended: drop what the loop remembers.
   * Called before the first step and after the last one of each term.
   */
  readonly reset?: () => void;
}

export interface LoopReport {
  /** One line for people: what this step has done and what is left. */
  readonly summary: string;
  /** More is to be done than one step may: run again at once. */
  readonly again?: boolean;
  /** Run again after this, although nothing may wake the loop. */
  readonly againAfterMs?: number;
  /** The rest after this step, where it depends on how much there was to look at. */
  readonly restMs?: number;
}
