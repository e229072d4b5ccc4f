import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../../api/naming.ts';
import type { ObjectMeta, OwnerReference } from '../../api/object.ts';
import type { Entry } from '../../watch/entry.ts';
import type { Seen } from '../writer.ts';

/** What garbage collection has to know of an object that has owners, or waits for its dependents. */
export interface GarbageNode extends Seen {
  /** The store's key. */
  readonly id: string;
  readonly prefix: string;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly deletion: Deletion;
  readonly finalizers: readonly string[];
}

type Deletion =
  | 'none'
  /** Marked, and waiting for what is none of our business. */
  | 'marked'
  /** Marked, and waiting for its blocking dependents to go. */
  | 'foreground'
  /** Marked, and waiting for its dependents to be let go. */
  | 'orphaning';

const OWNERS = Buffer.from('"ownerReferences":[');
const MARK = Buffer.from('"deletionTimestamp":');
const WAITS = [FOREGROUND_FINALIZER, ORPHAN_FINALIZER].map((name) => Buffer.from(`"${name}"`));

/**
 * The node of an object; undefined when it has neither owners nor one of the
 * finalizers of garbage collection. Nearly all objects have not: a look at their
 * bytes tells, without parsing.
 */
export function nodeOf(prefix: string, entry: Entry): GarbageNode | undefined {
  if (entry.corrupt || !mayMatter(entry.bytes)) return undefined;
  const metadata = entry.metadata();
  const { uid = '', ownerReferences = [], finalizers = [] } = metadata;
  const deletion = deletionOf(metadata);
  if (ownerReferences.length === 0 && (deletion === 'none' || deletion === 'marked')) {
    return undefined;
  }
  const { namespace, name, revision } = entry;
  const id = prefix + entry.key;
  return {
    id,
    prefix,
    namespace,
    name,
    uid,
    revision,
    owners: ownerReferences,
    deletion,
    finalizers,
  };
}

function mayMatter(bytes: Buffer): boolean {
  if (bytes.includes(OWNERS)) return true;
  return bytes.includes(MARK) && WAITS.some((finalizer) => bytes.includes(finalizer));
}

/** How far the deletion of an object has got, by its metadata. */
export function deletionOf({ deletionTimestamp, finalizers = [] }: ObjectMeta): Deletion {
  if (deletionTimestamp === undefined) return 'none';
  if (finalizers.includes(ORPHAN_FINALIZER)) return 'orphaning';
  return finalizers.includes(FOREGROUND_FINALIZER) ? 'foreground' : 'marked';
}
