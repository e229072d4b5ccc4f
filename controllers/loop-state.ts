import type { Loop } from './loop.ts';

/** What is known of a loop on this server, for `/debug/loops` and metrics. Counters outlive terms. */
export interface LoopState {
  readonly name: string;
  readonly elected: boolean;
  /** This server runs it at the moment. */
  active: boolean;
  /** A step is under way. */
  running: boolean;
  steps: number;
  failures: number;
  /** Failures since the last step that succeeded. */
  failuresInARow: number;
  wakeUps: number;
  /** Time that steps have taken altogether, milliseconds. */
  busyMs: number;
  lastSummary: string;
  lastError: string;
  /** Wall clock of the end of the last step, milliseconds. */
  lastStepAt: number | undefined;
  lastDurationMs: number;
}

/** The state of a loop that has not run; times are in milliseconds. */
export function newLoopState({ name, elected }: Loop): LoopState {
  return {
    name,
    elected,
    active: false,
    running: false,
    steps: 0,
    failures: 0,
    failuresInARow: 0,
    wakeUps: 0,
    busyMs: 0,
    lastSummary: '',
    lastError: '',
    lastStepAt: undefined,
    lastDurationMs: 0,
  };
}
