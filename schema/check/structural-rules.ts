import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { deepEqual, getOwn, isObject, type JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { extensionKey, readExtension } from '../extension-keys.ts';
import { isSaid, namedSchemas, schemaAt, schemasAt, textOf } from './json-node.ts';
import { checkJunctors } from './junctor-rules.ts';
import type { Report } from './report.ts';

/** Where a node stands: errors about a missing type are worded by it. */
type Level = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * The rules that make a schema structural: every place has a type, what stands
 * below junctors only restricts, metadata is left to the server.
 *
 * Source: behaviours 7.2; apiextensions-apiserver pkg/apiserver/schema/validation.go.
 */
export function* checkStructure(root: JsonObject, path: FieldPath, report: Report): Steps<void> {
  yield* checkNode(root, 'root', path, report);
}

function* checkNode(node: JsonObject, level: Level, path: FieldPath, report: Report): Steps<void> {
  yield;
  const type = textOf(node, 'type');
  const items = schemaAt(node, 'items');
  if (type === 'array' && items === undefined) {
    report.add(fieldError.required(path.child('items'), 'must be specified'));
  }
  if (items !== undefined) yield* checkNode(items, 'item', path.child('items'), report);
  for (const [name, property] of namedSchemas(node, 'properties')) {
    yield* checkNode(property, 'field', path.child('properties').key(name), report);
  }
  yield* checkAdditionalProperties(node, level, path, report);
  checkExtensionMix(node, path, report);
  yield* checkJunctors(
    node,
    {
      skipAnyOf: isIntOrStringAnyOf(node),
      skipFirstAllOf: isIntOrStringAnyOf(schemasAt(node, 'allOf')[0]),
    },
    path,
    report,
  );
  checkTypeOf(node, type, level, path, report);
  checkTypeAndMeta(node, level, path, report);
  const isEmbedded = readExtension(node, 'embedded-resource') === true;
  const isOpen = readExtension(node, 'preserve-unknown-fields') === true;
  if (isEmbedded && !isOpen && !isSaid(getOwn(node, 'properties'))) {
    const why = `must not be empty if ${extensionKey('embedded-resource')} is true without ${extensionKey('preserve-unknown-fields')}`;
    report.add(fieldError.required(path.child('properties'), why));
  }
}

function* checkAdditionalProperties(
  node: JsonObject,
  level: Level,
  path: FieldPath,
  report: Report,
): Steps<void> {
  const others = getOwn(node, 'additionalProperties');
  if (others === undefined) return;
  const at = path.child('additionalProperties');
  if (level === 'root') report.add(fieldError.forbidden(at, 'must not be used at the root'));
  if (isObject(others)) yield* checkNode(others, 'field', at, report);
  if (readExtension(node, 'embedded-resource') === true) {
    const why = `must not be used if ${extensionKey('embedded-resource')} is set`;
    report.add(fieldError.forbidden(at, why));
  }
}

/** An integer or a string is neither an object with unknown fields nor a resource. */
function checkExtensionMix(node: JsonObject, path: FieldPath, report: Report): void {
  if (readExtension(node, 'int-or-string') !== true) return;
  for (const other of ['preserve-unknown-fields', 'embedded-resource'] as const) {
    if (readExtension(node, other) !== true) continue;
    const why = `must be false if ${extensionKey('int-or-string')} is true`;
    report.add(fieldError.invalid(path.child(extensionKey(other)), true, why));
  }
}

function checkTypeOf(
  node: JsonObject,
  type: string,
  level: Level,
  path: FieldPath,
  report: Report,
): void {
  const at = path.child('type');
  if (readExtension(node, 'embedded-resource') === true && type !== 'object') {
    const why = `must be object if ${extensionKey('embedded-resource')} is true`;
    report.add(type === '' ? fieldError.required(at, why) : fieldError.invalid(at, type, why));
  } else if (
    type === '' &&
    readExtension(node, 'int-or-string') !== true &&
    readExtension(node, 'preserve-unknown-fields') !== true
  ) {
    report.add(fieldError.required(at, MISSING_TYPE[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    report.add(fieldError.invalid(at, type, 'must be object at the root'));
  }
}

/** What a schema may say of apiVersion, kind and metadata of a resource. */
function checkTypeAndMeta(node: JsonObject, level: Level, path: FieldPath, report: Report): void {
  const isResource = level === 'root' || readExtension(node, 'embedded-resource') === true;
  const properties = schemaAt(node, 'properties');
  if (properties === undefined) return;
  if (isResource) {
    for (const name of ['kind', 'apiVersion']) {
      const property = schemaAt(properties, name);
      const type = property === undefined ? 'string' : textOf(property, 'type');
      if (type === 'string') continue;
      const at = path.child('properties').key(name).child('type');
      report.add(fieldError.invalid(at, type, 'must be string'));
    }
  }
  const metadata = schemaAt(properties, 'metadata');
  if (metadata === undefined) return;
  const at = path.child('properties').key('metadata');
  const type = textOf(metadata, 'type');
  if (isResource && type !== 'object') {
    report.add(fieldError.invalid(at.child('type'), type, 'must be object'));
  }
  if (level === 'root' && !restrictsNamesOnly(metadata)) {
    const why =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    report.add(fieldError.forbidden(at, why));
  }
}

/** Whether the schema of metadata has nothing but a type and properties name and generateName. */
function restrictsNamesOnly(metadata: JsonObject): boolean {
  return Object.keys(metadata).every((keyword) => {
    // a default is forbidden by a rule of its own
    if (keyword === 'type' || keyword === 'default' || !isSaid(metadata[keyword])) return true;
    if (keyword !== 'properties') return false;
    return namedSchemas(metadata, 'properties').every(
      ([name]) => name === 'name' || name === 'generateName',
    );
  });
}

const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

/** Whether `anyOf` is the one that may have types: an integer, then a string. */
function isIntOrStringAnyOf(node: JsonObject | undefined): boolean {
  return node !== undefined && deepEqual(getOwn(node, 'anyOf'), INT_OR_STRING);
}
