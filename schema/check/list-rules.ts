import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { extensionKey, readExtension, type Extension } from '../extension-keys.ts';
import { hasDefault, schemaAt, stringsOf, textOf } from './json-node.ts';
import type { Report } from './report.ts';

const LIST_TYPE = extensionKey('list-type');
const MAP_KEYS = extensionKey('list-map-keys');
const MAP_TYPE = extensionKey('map-type');
/** Fields by which items of a list are told apart: all are looked at for each item. */
const MAX_MAP_KEYS = 64;
const LIST_TYPES = ['atomic', 'set', 'map'];
const MAP_TYPES = ['atomic', 'granular'];

/**
 * The rules for list types, the keys of list type map, and map types.
 * Source: specification 3, section 2.1 (extension keys); behaviours 7.5.
 */
export function checkListAndMapTypes(node: JsonObject, path: FieldPath, report: Report): void {
  checkMapType(node, path, report);
  const listType = readExtension(node, 'list-type');
  const keys = mapKeys(node);
  const at = path.child(LIST_TYPE);
  if (keys.length > 0 && listType !== 'map') {
    const why = `must be map if ${MAP_KEYS} is non-empty`;
    report.add(
      isAbsent(listType) ? fieldError.required(at, why) : fieldError.invalid(at, listType, why),
    );
  }
  if (isAbsent(listType)) return;
  checkType(node, 'array', 'list-type', path, report);
  if (typeof listType !== 'string' || !LIST_TYPES.includes(listType)) {
    report.add(fieldError.notSupported(at, listType, LIST_TYPES));
  }
  const items = schemaAt(node, 'items');
  if (listType === 'set' && textOf(node, 'type') === 'array' && items !== undefined) {
    checkItemsOfSet(items, path.child('items'), report);
  }
  if (listType === 'map') checkMapList(node, keys, path, report);
  if ((listType === 'map' || listType === 'set') && items?.['nullable'] === true) {
    const why = `cannot be nullable when ${LIST_TYPE} is ${listType}`;
    report.add(fieldError.forbidden(path.child('items').child('nullable'), why));
  }
}

function isAbsent(value: JsonValue | undefined): value is undefined | null {
  return value === undefined || value === null;
}

function mapKeys(node: JsonObject): readonly string[] {
  const keys = readExtension(node, 'list-map-keys');
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

function checkType(
  node: JsonObject,
  wanted: string,
  because: Extension,
  path: FieldPath,
  report: Report,
): void {
  const type = textOf(node, 'type');
  if (type === wanted) return;
  const at = path.child('type');
  const why = `must be ${wanted} if ${extensionKey(because)} is specified`;
  report.add(type === '' ? fieldError.required(at, why) : fieldError.invalid(at, type, why));
}

/** Whether it is known how maps of a node's type change, field by field or as wholes; without a type, field by field. */
export function hasKnownMapType(node: JsonObject): boolean {
  const mapType = readExtension(node, 'map-type');
  return isAbsent(mapType) || (typeof mapType === 'string' && MAP_TYPES.includes(mapType));
}

function checkMapType(node: JsonObject, path: FieldPath, report: Report): void {
  const mapType = readExtension(node, 'map-type');
  if (isAbsent(mapType)) return;
  checkType(node, 'object', 'map-type', path, report);
  if (!hasKnownMapType(node)) {
    report.add(fieldError.notSupported(path.child(MAP_TYPE), mapType, MAP_TYPES));
  }
}

/** The items of a set are compared as wholes, so they must be wholes. */
function checkItemsOfSet(items: JsonObject, path: FieldPath, report: Report): void {
  const why = `must be atomic as item of a list with ${LIST_TYPE}=set`;
  const type = textOf(items, 'type');
  if (type === 'array') {
    const listType = readExtension(items, 'list-type');
    if (!isAbsent(listType) && listType !== 'atomic') {
      report.add(fieldError.invalid(path.child(LIST_TYPE), listType, why));
    }
  } else if (type === 'object') {
    const mapType = readExtension(items, 'map-type');
    if (mapType !== 'atomic') {
      report.add(fieldError.invalid(path.child(MAP_TYPE), mapType ?? null, why));
    }
  }
}

function checkMapList(
  node: JsonObject,
  keys: readonly string[],
  path: FieldPath,
  report: Report,
): void {
  const at = path.child(MAP_KEYS);
  if (keys.length > MAX_MAP_KEYS) {
    report.add(fieldError.tooMany(at, keys.length, MAX_MAP_KEYS));
    return;
  }
  if (keys.length === 0) {
    report.add(fieldError.required(at, `must not be empty if ${LIST_TYPE} is map`));
  }
  const items = getOwn(node, 'items');
  const itemsPath = path.child('items');
  if (items === undefined) {
    const why = `must have a schema if ${LIST_TYPE} is map`;
    report.add(fieldError.required(itemsPath, why));
    return;
  }
  const item = schemaAt(node, 'items');
  if (item === undefined) {
    const why = `must only have a single schema if ${LIST_TYPE} is map`;
    report.add(fieldError.invalid(itemsPath, items, why));
    return;
  }
  const type = textOf(item, 'type');
  if (type === 'object') checkKeyNames(keys, item, path, report);
  else {
    const why = `must be object if parent array's ${LIST_TYPE} is map`;
    report.add(fieldError.invalid(itemsPath.child('type'), type, why));
  }
  checkKeyPresence(keys, item, itemsPath, report);
}

/** Keys name scalar properties of the items, each once. */
function checkKeyNames(
  keys: readonly string[],
  item: JsonObject,
  path: FieldPath,
  report: Report,
): void {
  const at = path.child(MAP_KEYS);
  const properties = schemaAt(item, 'properties') ?? {};
  const shown = [...keys];
  const seen = new Set<string>();
  for (const key of keys) {
    const property = schemaAt(properties, key);
    const type = property === undefined ? '' : textOf(property, 'type');
    if (property === undefined) {
      report.add(fieldError.invalid(at, shown, 'entries must all be names of item properties'));
    } else if (type === 'array' || type === 'object') {
      const typePath = path.child('items').child('properties').key(key).child('type');
      const why = `must be a scalar type if parent array's ${LIST_TYPE} is map`;
      report.add(fieldError.invalid(typePath, type, why));
    }
    if (seen.has(key)) {
      report.add(fieldError.invalid(at, shown, 'must not contain duplicate entries'));
    }
    seen.add(key);
  }
}

/** Each item must have its keys: they are required or have a default, and are never null. */
function checkKeyPresence(
  keys: readonly string[],
  item: JsonObject,
  path: FieldPath,
  report: Report,
): void {
  const required = new Set(stringsOf(item, 'required'));
  const properties = schemaAt(item, 'properties') ?? {};
  for (const key of keys) {
    const property = schemaAt(properties, key);
    if (property === undefined) continue;
    const at = path.child('properties').key(key);
    if (!required.has(key) && !hasDefault(property)) {
      const why = `this property is in ${MAP_KEYS}, so it must have a default or be a required property`;
      report.add(fieldError.required(at.child('default'), why));
    }
    if (property['nullable'] === true) {
      const why = `this property is in ${MAP_KEYS}, so it cannot be nullable`;
      report.add(fieldError.forbidden(at.child('nullable'), why));
    }
  }
}
