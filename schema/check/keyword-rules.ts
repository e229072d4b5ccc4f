import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { extensionKey, readExtension } from '../extension-keys.ts';
import { hasDefault, isSaid, schemasAt, textOf } from './json-node.ts';
import type { Report } from './report.ts';
import { unsupportedKeywords } from './unsupported.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** What a node inherits from those above it. */
export interface Surroundings {
  /** Why defaults are forbidden here; undefined where they are allowed. */
  readonly noDefaults: string | undefined;
  /** Inside apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
}

/**
 * Keywords that are forbidden everywhere in a schema, in some places, or in
 * combination. Source: apiextensions-apiserver pkg/apis/apiextensions/validation.
 */
export function checkKeywords(
  node: JsonObject,
  around: Surroundings,
  path: FieldPath,
  report: Report,
): void {
  const forbid = (keyword: string, why: string): void =>
    report.add(fieldError.forbidden(path.child(keyword), why));
  const type = textOf(node, 'type');
  if (type === 'null') forbid('type', 'type cannot be set to null, use nullable as an alternative');
  if (type !== '' && !TYPES.includes(type)) {
    report.add(fieldError.notSupported(path.child('type'), type, TYPES));
  }
  if (hasDefault(node) && around.noDefaults !== undefined) {
    forbid('default', `must not be set ${around.noDefaults}`);
  }
  for (const keyword of unsupportedKeywords(node)) {
    if (keyword !== '$schema') forbid(keyword, `${keyword} is not supported`);
  }
  if (schemasAt(node, 'items').length > 0) {
    forbid('items', 'items must be a schema object and not an array');
  }
  if (around.insideMeta && readExtension(node, 'embedded-resource') === true) {
    forbid(extensionKey('embedded-resource'), 'must not be used inside of resource meta');
  }
  if (getOwn(node, 'uniqueItems') === true) {
    forbid(
      'uniqueItems',
      'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
    );
  }
  const others = getOwn(node, 'additionalProperties');
  if (isSaid(getOwn(node, 'properties')) && (others === false || isObject(others))) {
    forbid('additionalProperties', 'additionalProperties and properties are mutual exclusive');
  }
  if (readExtension(node, 'preserve-unknown-fields') === false) {
    const at = path.child(extensionKey('preserve-unknown-fields'));
    report.add(fieldError.invalid(at, false, 'must be true or undefined'));
  }
}
