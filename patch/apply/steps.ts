/**
 * Work of which each step on a large object takes milliseconds: at each `yield`
 * others may have their turn. Nothing it works on may change meanwhile.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

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
