import { isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';

/** A document of OpenAPI 3 that another server has made. */
export interface RemoteSchema {
  /** `apis/<group>/<version>`. */
  readonly path: string;
  readonly hash: string;
  readonly bytes: Buffer;
}

/** The part of another server's OpenAPI 2 that is about one version. */
export interface RemoteSchemaV2 {
  readonly hash: string;
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/**
 * Documents about groups that other servers answer for: the seam between OpenAPI
 * and aggregation. Whenever they change, so do the registrations of discovery.
 */
export interface RemoteSchemas {
  schemas(): readonly RemoteSchema[];
  schemasV2(): readonly RemoteSchemaV2[];
}

export const NO_REMOTE_SCHEMAS: RemoteSchemas = { schemas: () => [], schemasV2: () => [] };

const REFERENCE = '#/definitions/';

/** The paths below `root`, and the definitions that they need, directly and through others. */
export function partOfV2(document: JsonObject, root: string): Omit<RemoteSchemaV2, 'hash'> {
  const known = objects(document['definitions']);
  const paths: JsonObject = {};
  for (const [path, item] of Object.entries(objects(document['paths']))) {
    if (path === root || path.startsWith(`${root}/`)) setOwn(paths, path, item);
  }
  const definitions: JsonObject = {};
  const pending = referencesIn(paths);
  // a set that grows is walked to its end
  for (const name of pending) {
    const definition = Object.hasOwn(known, name) ? known[name] : undefined;
    if (definition === undefined) continue;
    setOwn(definitions, name, definition);
    for (const next of referencesIn(definition)) pending.add(next);
  }
  return { paths, definitions };
}

/** The same with other names for the definitions whose names are taken. */
export function withFreeNames(
  { paths, definitions }: Omit<RemoteSchemaV2, 'hash'>,
  isTaken: (name: string) => boolean,
): Omit<RemoteSchemaV2, 'hash'> {
  const names = new Map<string, string>();
  for (const name of Object.keys(definitions)) {
    let free = name;
    for (let i = 2; isTaken(free); i++) free = `${name}_v${i}`;
    if (free !== name) names.set(`${REFERENCE}${name}`, `${REFERENCE}${free}`);
  }
  if (names.size === 0) return { paths, definitions };
  const renamed: JsonObject = {};
  for (const [name, definition] of Object.entries(definitions)) {
    const free = names.get(`${REFERENCE}${name}`)?.slice(REFERENCE.length) ?? name;
    setOwn(renamed, free, renamedReferences(definition, names));
  }
  return { paths: renamedReferences(paths, names) as JsonObject, definitions: renamed };
}

function renamedReferences(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => renamedReferences(item, names));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const isReference = key === '$ref' && typeof inner === 'string';
    setOwn(copy, key, isReference ? (names.get(inner) ?? inner) : renamedReferences(inner, names));
  }
  return copy;
}

function referencesIn(value: JsonValue): Set<string> {
  const names = new Set<string>();
  const visit = (each: JsonValue): void => {
    if (typeof each !== 'object' || each === null) return;
    if (!Array.isArray(each)) {
      const { $ref } = each;
      if (typeof $ref === 'string' && $ref.startsWith(REFERENCE)) {
        names.add($ref.slice(REFERENCE.length));
      }
    }
    for (const inner of Object.values(each)) visit(inner);
  };
  visit(value);
  return names;
}

/** The members that are objects: others stand in no sound document. */
function objects(value: JsonValue | undefined): Record<string, JsonObject> {
  const found: Record<string, JsonObject> = {};
  if (!isObject(value)) return found;
  for (const [key, member] of Object.entries(value))
    if (isObject(member)) setOwn(found, key, member);
  return found;
}
