import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from './json.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from './object.ts';
import { canonicalTime, timeError } from './time.ts';

export interface DecodedObjectMeta {
  readonly meta: ObjectMeta;
  /** Paths of fields that metadata does not have (`metadata.owner`); they are left out of `meta`. */
  readonly unknown: readonly string[];
}

/** A field has a type that cannot be what it should; the message is public. */
class TypeMismatch extends Error {}

/**
 * Reads metadata as clients send it. Like absent are null and empty strings,
 * maps and lists; times come out in UTC; fields that metadata does not have are
 * reported. The error says in words which field has a wrong type; it belongs in
 * a 400. Values may still be invalid: see validateObjectMeta.
 * Source: how encoding/json decodes ObjectMeta of apimachinery.
 */
export function decodeObjectMeta(
  value: JsonValue | undefined,
  path = 'metadata',
): DecodedObjectMeta | { readonly error: string } {
  const unknown: string[] = [];
  try {
    const fields = object(value, path);
    reportUnknown(fields, META_FIELDS, path, unknown);
    return { meta: decodeFields(fields, path, unknown), unknown };
  } catch (error) {
    if (error instanceof TypeMismatch) return { error: error.message };
    throw error;
  }
}

const META_STRINGS = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
] as const;
const META_FIELDS: ReadonlySet<string> = new Set([
  ...META_STRINGS,
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
]);
const OWNER_FIELDS: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'name',
  'uid',
  'controller',
  'blockOwnerDeletion',
]);
const ENTRY_STRINGS = ['manager', 'apiVersion', 'fieldsType', 'subresource'] as const;
const ENTRY_FIELDS: ReadonlySet<string> = new Set([
  ...ENTRY_STRINGS,
  'operation',
  'time',
  'fieldsV1',
]);

function decodeFields(fields: JsonObject, path: string, unknown: string[]): ObjectMeta {
  const meta: ObjectMeta = {};
  for (const name of META_STRINGS) {
    const text = string(getOwn(fields, name), `${path}.${name}`);
    if (text !== '') meta[name] = text;
  }
  const generation = integer(getOwn(fields, 'generation'), `${path}.generation`);
  if (generation !== undefined && generation !== 0) meta.generation = generation;
  for (const name of ['creationTimestamp', 'deletionTimestamp'] as const) {
    const at = time(getOwn(fields, name), `${path}.${name}`);
    if (at !== undefined) meta[name] = at;
  }
  const grace = integer(
    getOwn(fields, 'deletionGracePeriodSeconds'),
    `${path}.deletionGracePeriodSeconds`,
  );
  if (grace !== undefined) meta.deletionGracePeriodSeconds = grace;
  for (const name of ['labels', 'annotations'] as const) {
    const map = stringMap(getOwn(fields, name), `${path}.${name}`);
    if (map !== undefined) meta[name] = map;
  }
  const owners = list(getOwn(fields, 'ownerReferences'), `${path}.ownerReferences`, (item, at) =>
    decodeOwner(item, at, unknown),
  );
  if (owners !== undefined) meta.ownerReferences = owners;
  const finalizers = list(getOwn(fields, 'finalizers'), `${path}.finalizers`, string);
  if (finalizers !== undefined) meta.finalizers = finalizers;
  const entries = list(getOwn(fields, 'managedFields'), `${path}.managedFields`, (item, at) =>
    decodeEntry(item, at, unknown),
  );
  if (entries !== undefined) meta.managedFields = entries;
  return meta;
}

function decodeOwner(value: JsonValue, path: string, unknown: string[]): OwnerReference {
  const fields = object(value, path);
  reportUnknown(fields, OWNER_FIELDS, path, unknown);
  const text = (name: string): string => string(getOwn(fields, name), `${path}.${name}`);
  const owner: OwnerReference = {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    name: text('name'),
    uid: text('uid'),
  };
  for (const name of ['controller', 'blockOwnerDeletion'] as const) {
    const flag = getOwn(fields, name) ?? undefined;
    if (flag === undefined) continue;
    if (typeof flag !== 'boolean') throw mismatch(flag, `${path}.${name}`, 'bool');
    owner[name] = flag;
  }
  return owner;
}

function decodeEntry(value: JsonValue, path: string, unknown: string[]): ManagedFieldsEntry {
  const fields = object(value, path);
  reportUnknown(fields, ENTRY_FIELDS, path, unknown);
  const entry: ManagedFieldsEntry = {};
  for (const name of ENTRY_STRINGS) {
    const text = string(getOwn(fields, name), `${path}.${name}`);
    if (text !== '') entry[name] = text;
  }
  const operation = string(getOwn(fields, 'operation'), `${path}.operation`);
  // any other word is a value that validation refuses, not a type
  if (operation !== '') entry.operation = operation as 'Apply' | 'Update';
  const at = time(getOwn(fields, 'time'), `${path}.time`);
  if (at !== undefined) entry.time = at;
  const owned = getOwn(fields, 'fieldsV1') ?? undefined;
  if (owned !== undefined) entry.fieldsV1 = object(owned, `${path}.fieldsV1`);
  return entry;
}

function reportUnknown(
  fields: JsonObject,
  known: ReadonlySet<string>,
  path: string,
  unknown: string[],
): void {
  for (const name of Object.keys(fields)) if (!known.has(name)) unknown.push(`${path}.${name}`);
}

const NOTHING: JsonObject = {};

function object(value: JsonValue | undefined, path: string): JsonObject {
  if (value === undefined || value === null) return NOTHING;
  if (!isObject(value)) throw mismatch(value, path, 'object');
  return value;
}

function string(value: JsonValue | undefined, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw mismatch(value, path, 'string');
  return value;
}

function integer(value: JsonValue | undefined, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  // what does not fit a number exactly is no count of seconds or generations
  if (typeof value === 'bigint') return Number(value);
  if (!Number.isInteger(value) || Math.abs(value as number) > 2 ** 63) {
    throw mismatch(value, path, 'int64');
  }
  return value as number;
}

function time(value: JsonValue | undefined, path: string): string | undefined {
  const text = string(value, path);
  if (text === '' && typeof value !== 'string') return undefined;
  const canonical = canonicalTime(text);
  if (canonical === undefined) throw new TypeMismatch(`${path}: ${timeError(text, 'Time')}`);
  return canonical ?? undefined;
}

function stringMap(value: JsonValue | undefined, path: string): Record<string, string> | undefined {
  const fields = object(value, path);
  const keys = Object.keys(fields);
  if (keys.length === 0) return undefined;
  const map: Record<string, string> = {};
  for (const key of keys) {
    const item = fields[key];
    setOwn(map, key, typeof item === 'string' ? item : string(item, `${path}[${key}]`));
  }
  return map;
}

function list<T>(
  value: JsonValue | undefined,
  path: string,
  decode: (item: JsonValue, path: string) => T,
): T[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw mismatch(value, path, 'array');
  return value.length === 0 ? undefined : value.map((item, i) => decode(item, `${path}[${i}]`));
}

function mismatch(value: JsonValue, path: string, wanted: string): TypeMismatch {
  const is = Array.isArray(value)
    ? 'array'
    : typeof value === 'bigint'
      ? 'number'
      : value === null
        ? 'null'
        : typeof value;
  return new TypeMismatch(`cannot unmarshal ${is} into field ${path} of type ${wanted}`);
}
