/**
 * Runs a call to another server for a request. What the request occupies of
 * this one is free for others until the call is settled.
 */
export type WhileWaiting = <T>(call: () => Promise<T>) => Promise<T>;
