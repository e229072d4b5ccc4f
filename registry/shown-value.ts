import { standsAt } from '../api/json-scan.ts';
import type { JsonObject, JsonValue } from '../api/json.ts';
import type { ObjectBytes } from '../query/object-on-demand.ts';
import { bytesReader, UNKNOWN } from '../query/read-bytes.ts';
import { valueAt } from '../query/read-path.ts';
import { storedCertainty } from '../query/stored-value.ts';
import type { ValuePath } from '../query/value-path.ts';
import type { Entry } from '../watch/entry.ts';
import { isUnderAlias } from './alias.ts';
import { hasWebhook } from './converted-forms.ts';
import type { ServedResource } from './served-resource.ts';
import { shownBytes, shownObject } from './shown-object.ts';
import type { Views } from './views.ts';

/** Reads a value of an object; {@link UNKNOWN}: only the object itself can tell. */
type ReadEntry = (entry: Entry) => JsonValue | undefined | typeof UNKNOWN;

/**
 * The single value at a path of objects as a version shows them. Lists and objects
 * may count as absent.
 */
export function shownValue(
  views: Views,
  resource: ServedResource,
  path: ValuePath,
): (entry: Entry) => JsonValue | undefined {
  const read = singleValue(views, resource, path);
  return (entry) => {
    const value = read(entry);
    return value === UNKNOWN ? valueAt(shownObject(views, resource, entry), path) : value;
  };
}

/**
 * {@link shownValue} read from an object's bytes, in a small part of the time
 * (0.33 µs for 1 KB). Lists and objects count as absent.
 */
export function singleValue(views: Views, resource: ServedResource, path: ValuePath): ReadEntry {
  const read = bytesReader(path);
  if (read === undefined) return () => UNKNOWN;
  let known = resource;
  let readStored = storedValue(resource, path);
  return (entry) => {
    const current = views.current(resource);
    if (current !== known) {
      known = current;
      readStored = storedValue(current, path);
    }
    const stored = readStored === undefined ? UNKNOWN : readStored(entry);
    if (stored !== UNKNOWN) return stored;
    const bytes = shownBytes(views, resource, entry);
    if (bytes === undefined) return undefined;
    return read(bytes, bytes === entry.bytes ? entry.metadataEnd : 0);
  };
}

/**
 * The single value at a path of custom resources that are stored in this version and
 * whose stored bytes tell it, whether or not they are pruned and defaulted when they
 * are read; undefined where they never do.
 */
export function storedValue(resource: ServedResource, path: ValuePath): ReadEntry | undefined {
  const head = storedHead(resource);
  const read = head === undefined ? undefined : bytesReader(path);
  if (head === undefined || read === undefined) return undefined;
  const certainty = storedCertainty(resource.version.schema(), path);
  if (certainty === 'never') return undefined;
  return (entry) => {
    if (entry.corrupt || !standsAt(entry.bytes, 0, head)) return UNKNOWN;
    const value = read(entry.bytes, entry.metadataEnd);
    return value === undefined && certainty !== 'always' ? UNKNOWN : value;
  };
}

/** An object as a version shows it, of which is read what is asked for; undefined when it cannot be read. */
export function shownOnDemand(
  views: Views,
  resource: ServedResource,
): (entry: Entry) => ObjectBytes | undefined {
  let known = resource;
  let head = storedHead(resource);
  return (entry) => {
    const current = views.current(resource);
    if (current !== known) {
      known = current;
      head = storedHead(current);
    }
    if (entry.corrupt) return undefined;
    const whole = (): JsonObject => shownObject(views, resource, entry);
    if (head !== undefined && standsAt(entry.bytes, 0, head)) {
      const { bytes, metadataEnd } = entry;
      return { bytes, metadataEnd, schema: current.version.schema(), whole };
    }
    const bytes = shownBytes(views, resource, entry);
    if (bytes === undefined) return undefined;
    const metadataEnd = bytes === entry.bytes ? entry.metadataEnd : 0;
    return { bytes, metadataEnd, schema: undefined, whole };
  };
}

/**
 * How the bytes of custom resources begin that are stored in this version, where it
 * shows them with no change but pruning and defaults.
 */
function storedHead(resource: ServedResource): Buffer | undefined {
  const { builtin, formOf } = resource.definition;
  const isOther = formOf !== undefined || isUnderAlias(resource) || hasWebhook(resource);
  return builtin || isOther ? undefined : Buffer.from(`{"apiVersion":"${resource.apiVersion}",`);
}
