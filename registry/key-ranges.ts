import { prefixEnd } from '../watch/ordered-map.ts';
import type { KeyRange } from '../watch/snapshot.ts';

/** The keys of a namespace; of all of them where it is empty. */
export function namespaceRange(namespace: string): KeyRange {
  if (namespace === '') return { start: '' };
  const prefix = `${namespace}/`;
  return { start: prefix, end: prefixEnd(prefix) };
}

/** The one key. */
export function nameRange(key: string): KeyRange {
  return { start: key, end: `${key}\0` };
}
