import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';

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

/** Values of one path, or of one definition, of another server: larger ones are left out, and the rest is written in one step each. */
const MAX_PART_VALUES = 10_000;

/** The paths below `root`, and the definitions that they need, directly and through others; in steps. */
export function* partOfV2Steps(
  document: JsonObject,
  root: string,
): Steps<Omit<RemoteSchemaV2, 'hash'>> {
  const [known, items] = [objectOf(document['definitions']), objectOf(document['paths'])];
  const paths: JsonObject = {};
  const pending = new Set<string>();
  for (const path of Object.keys(items)) {
    if (isStepOver()) yield;
    const item = path === root || path.startsWith(`${root}/`) ? items[path] : undefined;
    if (item !== undefined && isObject(item) && (yield* findReferences(item, pending))) {
      setOwn(paths, path, item);
    }
  }
  const definitions: JsonObject = {};
  // a set that grows is walked to its end
  for (const name of pending) {
    if (isStepOver()) yield;
    const definition = getOwn(known, name);
    if (definition === undefined || !isObject(definition)) continue;
    if (yield* findReferences(definition, pending)) setOwn(definitions, name, definition);
  }
  return { paths, definitions };
}

/** The same with other names for the definitions whose names are taken; in steps. */
export function* freeNamesSteps(
  { paths, definitions }: Omit<RemoteSchemaV2, 'hash'>,
  isTaken: (name: string) => boolean,
): Steps<Omit<RemoteSchemaV2, 'hash'>> {
  const names = new Map<string, string>();
  const isFree = (name: string): boolean => !isTaken(name) && !Object.hasOwn(definitions, name);
  for (const name of Object.keys(definitions)) {
    let free = name;
    if (isTaken(name)) {
      for (let i = 2; free === name || !isFree(free); i++) {
        free = `${name}_v${i}`;
        if (isStepOver()) yield;
      }
    }
    if (free !== name) names.set(`${REFERENCE}${name}`, `${REFERENCE}${free}`);
    if (isStepOver()) yield;
  }
  if (names.size === 0) return { paths, definitions };
  const renamed = { paths: {} as JsonObject, definitions: {} as JsonObject };
  for (const [path, item] of Object.entries(paths)) {
    setOwn(renamed.paths, path, yield* renamedReferences(item, names));
  }
  for (const [name, definition] of Object.entries(definitions)) {
    const free = names.get(`${REFERENCE}${name}`)?.slice(REFERENCE.length) ?? name;
    setOwn(renamed.definitions, free, yield* renamedReferences(definition, names));
  }
  return renamed;
}

function* renamedReferences(
  value: JsonValue,
  names: ReadonlyMap<string, string>,
): Steps<JsonValue> {
  if (typeof value !== 'object' || value === null) return value;
  if (isStepOver()) yield;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(yield* renamedReferences(item, names));
    return items;
  }
  const copy: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    const isReference = key === '$ref' && typeof inner === 'string';
    const renamed = isReference
      ? (names.get(inner) ?? inner)
      : yield* renamedReferences(inner, names);
    setOwn(copy, key, renamed);
  }
  return copy;
}

/** Adds the names of the definitions that a value needs; false: it is too large to be shown. */
function* findReferences(value: JsonObject, names: Set<string>): Steps<boolean> {
  const found: string[] = [];
  const values: JsonValue[] = [value];
  // a list that grows is walked to its end
  for (const each of values) {
    if (isStepOver()) yield;
    if (typeof each !== 'object' || each === null) continue;
    if (!Array.isArray(each)) {
      const reference = getOwn(each, '$ref');
      if (typeof reference === 'string' && reference.startsWith(REFERENCE)) {
        found.push(reference.slice(REFERENCE.length));
      }
    }
    const inner = Object.values(each);
    if (values.length + inner.length > MAX_PART_VALUES) return false;
    values.push(...inner);
  }
  for (const name of found) names.add(name);
  return true;
}

/** Others than objects stand in no sound document. */
function objectOf(value: JsonValue | undefined): JsonObject {
  return value !== undefined && isObject(value) ? value : {};
}
