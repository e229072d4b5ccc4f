import { KUBERNETES_EXTENSION } from '../api/schema-extensions.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import { inNameOf } from './alias.ts';
import type { ServedResource } from './served-resource.ts';

/** A form that is larger than the stored object by more than this is made for each read. */
const MAX_KEPT_GROWTH = 16 * 1024;

/** Under the alias: spliced where that is quick, and otherwise made once. */
export function aliasBytes(asked: ServedResource, entry: Entry): Buffer {
  const { definition, version } = asked;
  if (definition.renamed === undefined) return inNameOf(asked, entry.bytes);
  if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
  return remember(version, entry, inNameOf(asked, entry.bytes));
}

/** The second form of what is stored, made once for all who read it. */
export function formBytes({ definition, version }: ServedResource, entry: Entry): Buffer {
  const { formOf } = definition;
  if (formOf === undefined) throw new Error('the resource is not a second form');
  if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
  return remember(version, entry, encodeServed(formOf.fromStored(entry.object())));
}

/** Stored bytes by the names with which kubectl applied the object; nearly always themselves. */
export function appliedBytes({ version }: ServedResource, entry: Entry): Buffer {
  if (version.codec.withAppliedNames === undefined) return entry.bytes;
  // nearly always said without parsing the object
  if (!entry.bytes.includes(KUBERNETES_EXTENSION)) return entry.bytes;
  if (entry.shownFor === version && entry.shownAs !== undefined) return entry.shownAs;
  const object = entry.object();
  const shown = version.codec.withAppliedNames(object);
  return remember(version, entry, shown === object ? entry.bytes : encodeServed(shown));
}

/**
 * Keeps the finished bytes of a version with the entry, unless they are much
 * longer than the stored ones.
 */
export function remember(version: VersionDefinition, entry: Entry, bytes: Buffer): Buffer {
  if (bytes.length > entry.bytes.length + MAX_KEPT_GROWTH) return bytes;
  entry.shownFor = version;
  entry.shownAs = bytes;
  return bytes;
}
