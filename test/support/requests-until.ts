/** Before a probe is given up; more than any bound that tests compare with. */
const MOST_REQUESTS = 20_000;

/**
 * Sends requests one after the other, without a pause, until `probe` holds. Promises in time are
 * compared with this number: on a slower machine each request takes longer, and the number stays.
 * A server that polls, or waits for a timer, answers many requests meanwhile.
 *
 * @returns how many requests were sent, the one that succeeded included
 * @throws Error that names `what` when it does not come
 */
export async function requestsUntil(probe: () => Promise<boolean>, what: string): Promise<number> {
  for (let requests = 1; requests <= MOST_REQUESTS; requests++) {
    if (await probe()) return requests;
  }
  throw new Error(`did not come within ${MOST_REQUESTS} requests: ${what}`);
}
