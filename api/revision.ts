/**
 * A revision of the registry's log, as etcd counts them: an unsigned 64-bit
 * integer that grows by one with every transaction. It is the resourceVersion
 * of what that transaction wrote. Never a number: a number loses digits.
 */
export type Revision = bigint & { readonly __brand: 'Revision' };

export const NO_REVISION = 0n as Revision;

/** Wraps an integer that a store has given out. */
export function revisionOf(value: bigint | string): Revision {
  return BigInt(value) as Revision;
}

/** Leading zeros are accepted, as Go does, up to a bound. */
const DECIMAL = /^\d{1,40}$/;
const UINT64_MAX = 2n ** 64n - 1n;

/** Reads a resourceVersion as clients send it; undefined when it is not a decimal uint64. */
export function parseRevision(text: string): Revision | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return value <= UINT64_MAX ? (value as Revision) : undefined;
}

/** The smallest revision that is greater. */
export function nextRevision(revision: Revision): Revision {
  return (revision + 1n) as Revision;
}

/** The older one. `Math.min` takes no bigint. */
export function minRevision(a: Revision, b: Revision): Revision {
  return a < b ? a : b;
}

/** The newer one. `Math.max` takes no bigint. */
export function maxRevision(a: Revision, b: Revision): Revision {
  return a > b ? a : b;
}
