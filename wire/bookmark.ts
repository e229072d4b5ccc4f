import type { JsonObject } from '../api/json.ts';
import { canonicalJson } from '../api/json-write.ts';
import { INITIAL_EVENTS_END } from '../api/naming.ts';
import type { Revision } from '../api/revision.ts';
import type { ServedResource } from '../registry/served-resource.ts';

/**
 * The object of a bookmark: its type and the revision up to which everything
 * has been sent. A built-in kind also shows the fields that its encoder never
 * leaves out, as clients have always seen (behaviours 4.10).
 */
function bookmarkObject(
  { apiVersion, kind, definition, version }: ServedResource,
  revision: Revision,
  initialEventsEnd: boolean,
): JsonObject {
  const empty: JsonObject = { apiVersion, kind: kind.kind, metadata: {} };
  const object = definition.builtin
    ? version.codec.decode(empty, { reportUnknown: false }).object
    : empty;
  return { ...object, metadata: bookmarkMetadata(revision, initialEventsEnd) };
}

function bookmarkMetadata(revision: Revision, initialEventsEnd: boolean): JsonObject {
  return {
    ...(initialEventsEnd ? { annotations: { [INITIAL_EVENTS_END]: 'true' } } : {}),
    resourceVersion: String(revision),
  };
}

/** The JSON of a bookmark, which holds nothing but its kind and the revision. */
export function bookmarkBytes(
  resource: ServedResource,
  revision: Revision,
  initialEventsEnd: boolean,
): Buffer {
  return Buffer.from(canonicalJson(bookmarkObject(resource, revision, initialEventsEnd)));
}
