/** The page of the metrics, which each process is asked for. */
export const METRICS_PAGE = '/metrics';

/** One page as one worker process shows it. */
export interface WorkerPage {
  /** Number of the worker, or the name of a process that is none. */
  readonly worker: string;
  readonly text: string;
}

/** The other worker processes on the same port, and this process's place among them. */
export interface Peers {
  /** Number of this process, kept over restarts. */
  readonly own: string;
  /** The operator reads what the first one says when it serves. */
  readonly isFirst: boolean;
  /** Registers how peers get this process's pages. */
  onAsked(show: (page: string) => Promise<string>): void;
  /** The page as each peer shows it; peers that do not answer in time are left out. */
  ask(page: string): Promise<readonly WorkerPage[]>;
}
