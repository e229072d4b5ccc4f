import type { JsonObject } from '../api/json.ts';
import { metadataRange } from '../storage/metadata-range.ts';
import type { Entry } from '../watch/entry.ts';
import { lookAt } from './look-at.ts';
import type { ServedResource } from './served-resource.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import type { Views } from './views.ts';

/** Objects that are kept for other streams with other questions, and the size up to which one is kept. */
const MAX_KEPT_OBJECTS = 256;
const MAX_KEPT_BYTES = 16 * 1024;

interface Kept {
  readonly version: VersionDefinition;
  readonly object: JsonObject;
}

/** By entry. The order is that of the insertions. */
const kept = new Map<Entry, Kept>();

/**
 * The object as a version shows it, to look at only: it is shared. Where a webhook
 * makes the form, it has been prepared.
 */
export function shownObject(views: Views, resource: ServedResource, entry: Entry): JsonObject {
  const known = kept.get(entry);
  if (known?.version === resource.version) return known.object;
  const bytes = shownBytes(views, resource, entry);
  if (bytes === undefined) return {};
  const object = lookAt(bytes, metadataRange(bytes), true);
  if (bytes.length <= MAX_KEPT_BYTES) {
    if (kept.size >= MAX_KEPT_OBJECTS) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
    kept.set(entry, { version: resource.version, object });
  }
  return object;
}

/** Its finished bytes; undefined for an object that cannot be read. */
export function shownBytes(
  views: Views,
  resource: ServedResource,
  entry: Entry,
): Buffer | undefined {
  if (entry.corrupt) return undefined;
  const shown = views.shown(resource, entry);
  if (shown !== entry) return shown.bytes;
  const made = views.bytes(resource, entry);
  if (!(made instanceof Promise)) return made;
  // it has not been prepared after all: the stored form is the next best
  made.catch(() => undefined);
  return entry.bytes;
}
