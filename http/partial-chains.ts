import type { Server } from 'node:https';

/**
 * As in Go, what a file of authorities lists is trusted: an authority in the
 * middle of a chain will do without those above it. Node has this for contexts
 * that are made by hand (`allowPartialTrustChain`) and drops it where a server
 * makes its own: to be called whenever it has made one. A version of Node that
 * keeps its context elsewhere asks for the whole chain, as without this.
 */
export function trustPartialChains(server: Server): void {
  const context = fieldOf(fieldOf(server, '_sharedCreds'), 'context');
  const set = fieldOf(context, 'setAllowPartialTrustChain');
  if (typeof set === 'function') Reflect.apply(set, context, []);
}

function fieldOf(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? (Reflect.get(of, name) as unknown) : undefined;
}
