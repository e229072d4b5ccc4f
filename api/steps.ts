import { systemClock, type Clock } from './clock.ts';
import { Turn } from './turn.ts';

/**
 * Work that may take long, cut into steps: at each `yield` others may have their
 * turn. Nothing it works on may change meanwhile.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Members of objects and lists that are worked on in one step: less than a millisecond. */
const MEMBERS_PER_STEP = 1_000;

/** One piece of work runs at a time, so one counter serves all. */
let members = 0;

/** Counts a member that is worked on; true: the step has lasted long enough, `yield`. */
export function isStepOver(): boolean {
  if (++members < MEMBERS_PER_STEP) return false;
  members = 0;
  return true;
}

/** Does all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does the steps with a rest before each but the first. */
export async function withRests<T>(steps: Steps<T>, rest: () => Promise<void>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await rest();
  }
}

/**
 * Does the steps in turns of a few milliseconds. What is finished within the
 * first turn is returned as it is, without a promise.
 */
export function inTurns<T>(steps: Steps<T>, clock: Clock = systemClock): T | Promise<T> {
  const turn = new Turn(clock, 1);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (turn.over()) return goOn(steps, turn);
  }
}

async function goOn<T>(steps: Steps<T>, turn: Turn): Promise<T> {
  for (;;) {
    if (turn.over()) await turn.next();
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
