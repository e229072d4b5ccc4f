import type { Server } from 'node:https';

/**
 * Trusts what a file of authorities lists, as Go does: an authority in the middle
 * of a chain needs no authority above it. Node offers this for contexts that the
 * caller makes (`allowPartialTrustChain`) and drops it where a server makes its
 * own. Call this whenever the server has made one. Where a version of Node keeps
 * its context elsewhere, this has no effect and the whole chain is needed.
 */
export function trustPartialChains(server: Server): void {
  const context = fieldOf(fieldOf(server, '_sharedCreds'), 'context');
  const set = fieldOf(context, 'setAllowPartialTrustChain');
  if (typeof set === 'function') Reflect.apply(set, context, []);
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? (Reflect.get(of, name) as unknown) : undefined;
}
