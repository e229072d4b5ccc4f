import { badRequest } from '../api/api-error.ts';
import { deepEqual } from '../api/json.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import type { Query } from '../api/query.ts';
import { BoundedCache } from '../api/bounded-cache.ts';
import { parsePaths, Projector, withoutMetadata } from '../query/projection.ts';
import { resolvePath } from '../query/resolve-path.ts';
import type { ValuePath } from '../query/value-path.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import { metadataRange } from '../storage/metadata-range.ts';
import type { Entry } from '../watch/entry.ts';
import type { ServedResource } from './served-resource.ts';
import { shownBytes } from './shown-object.ts';
import type { Views } from './views.ts';

/** The part of its objects that a client wants to see. */
export interface Projection {
  /** Projections of one version with the same id show the same. */
  readonly id: string;
  /** An object's finished bytes without what is not wanted. */
  readonly show: (bytes: Buffer) => Buffer;
  /** Shows two states of an object alike, but for their resourceVersion. Absent: each state counts. */
  readonly isSame?: (views: Views, before: Entry, after: Entry) => boolean;
}

/** Projections of a version that streams and requests share. */
const MAX_SHARED = 100;
const shared = new WeakMap<VersionDefinition, BoundedCache<Projection>>();

/**
 * Reads the parameters `fields` and `managedFields`; undefined when objects are shown whole.
 *
 * @throws ApiError 400 for paths that the version does not have
 */
export function projectionFrom(query: Query, resource: ServedResource): Projection | undefined {
  const omits = query.get('managedFields') === 'omit';
  const fields = query.get('fields') ?? '';
  if (fields === '') return omits ? WITHOUT_MANAGERS : undefined;
  let ofVersion = shared.get(resource.version);
  if (ofVersion === undefined) {
    ofVersion = new BoundedCache(MAX_SHARED);
    shared.set(resource.version, ofVersion);
  }
  const id = JSON.stringify([fields, omits]);
  return ofVersion.get(id, () => fieldsProjection(id, fields, omits, resource));
}

const WITHOUT_MANAGERS: Projection = { id: 'managedFields=omit', show: withoutManagedFields };

function fieldsProjection(
  id: string,
  fields: string,
  omits: boolean,
  resource: ServedResource,
): Projection {
  const projector = new Projector(pathsOf(fields, resource));
  const cut = omits ? withoutManagedFields : (bytes: Buffer) => bytes;
  const changing = omits ? ['resourceVersion', 'managedFields'] : ['resourceVersion'];
  const known = new WeakMap<Entry, boolean>();
  return {
    id,
    show: (bytes) => projector.ofBytes(cut(bytes)),
    isSame(views, before, after) {
      let isSame = known.get(after);
      if (isSame === undefined) {
        const [x, y] = [before, after].map((entry) => {
          const bytes = shownBytes(views, resource, entry);
          if (bytes === undefined) return {};
          return withoutMetadata(parseStoredJson(projector.ofBytes(bytes)), changing);
        });
        isSame = deepEqual(x, y);
        known.set(after, isSame);
      }
      return isSame;
    },
  };
}

/** @throws ApiError 400 */
function pathsOf(fields: string, resource: ServedResource): readonly ValuePath[] {
  const parsed = parsePaths(fields);
  if ('error' in parsed) throw badRequest(`invalid fields: ${parsed.error}`);
  const schema = resource.version.schema();
  for (const path of parsed.items) {
    const resolved = resolvePath(schema, path);
    if ('error' in resolved) throw badRequest(`invalid fields: ${resolved.error}`);
  }
  return parsed.items;
}

function withoutManagedFields(bytes: Buffer): Buffer {
  const { managedStart, managedEnd } = metadataRange(bytes);
  if (managedEnd === 0) return bytes;
  return Buffer.concat([bytes.subarray(0, managedStart), bytes.subarray(managedEnd)]);
}
