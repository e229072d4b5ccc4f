import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { getOwn, type JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { extensionKey, readExtension, type Extension } from '../extension-keys.ts';
import { writtenPattern } from '../../cel/value/pattern.ts';
import {
  hasDefault,
  isSaid,
  JUNCTOR_LISTS,
  namedSchemas,
  schemaAt,
  schemasAt,
  textOf,
} from './json-node.ts';
import type { Report } from './report.ts';

/** The one place where types may stand below a junctor is the anyOf of int-or-string. */
interface IntOrStringExceptions {
  readonly skipAnyOf: boolean;
  readonly skipFirstAllOf: boolean;
}
const NO_EXCEPTION: IntOrStringExceptions = { skipAnyOf: false, skipFirstAllOf: false };

/** Checks the value validations of a node: the pattern, and all that stands below its junctors. */
export function* checkJunctors(
  node: JsonObject,
  { skipAnyOf, skipFirstAllOf }: IntOrStringExceptions,
  path: FieldPath,
  report: Report,
): Steps<void> {
  for (const junctor of JUNCTOR_LISTS) {
    if (junctor === 'anyOf' && skipAnyOf) continue;
    for (const [i, nested] of schemasAt(node, junctor).entries()) {
      const exceptions = {
        skipAnyOf: junctor === 'allOf' && i === 0 && skipFirstAllOf,
        skipFirstAllOf: false,
      };
      yield* checkNested(nested, exceptions, path.child(junctor).index(i), report);
    }
  }
  const not = schemaAt(node, 'not');
  if (not !== undefined) yield* checkNested(not, NO_EXCEPTION, path.child('not'), report);
  yield* checkPattern(node, path, report);
}

function* checkPattern(node: JsonObject, path: FieldPath, report: Report): Steps<void> {
  const pattern = textOf(node, 'pattern');
  if (pattern === '') return;
  report.patterns.count(pattern);
  if (report.patterns.isExceeded) {
    const why = 'the patterns of this schema would take too long to compile';
    report.add(fieldError.forbidden(path.child('pattern'), why));
    return;
  }
  yield;
  const compiled = writtenPattern(pattern).compile();
  yield;
  if (typeof compiled !== 'string') return;
  const why = `must be a valid regular expression, but isn't: ${compiled}`;
  report.add(fieldError.invalid(path.child('pattern'), pattern, why));
}

const MUST_BE_FALSE: readonly Extension[] = [
  'preserve-unknown-fields',
  'embedded-resource',
  'int-or-string',
];
const MUST_BE_ABSENT: readonly Extension[] = ['list-type', 'map-type'];
const MUST_BE_EMPTY: readonly Extension[] = ['list-map-keys', 'validations'];

/** A node below a junctor restricts values; what gives them structure is forbidden. */
function* checkNested(
  node: JsonObject,
  exceptions: IntOrStringExceptions,
  path: FieldPath,
  report: Report,
): Steps<void> {
  yield;
  yield* checkJunctors(node, exceptions, path, report);
  const items = schemaAt(node, 'items');
  if (items !== undefined) yield* checkNested(items, NO_EXCEPTION, path.child('items'), report);
  for (const [name, property] of namedSchemas(node, 'properties')) {
    const at = path.child('properties').key(name);
    yield* checkNested(property, NO_EXCEPTION, at, report);
    if (name === 'metadata') {
      report.add(fieldError.forbidden(at, 'must not be specified in a nested context'));
    }
  }
  checkGenerics(node, path, report);
  for (const extension of [...MUST_BE_FALSE, ...MUST_BE_ABSENT, ...MUST_BE_EMPTY]) {
    const value = readExtension(node, extension);
    const isAbsent = MUST_BE_ABSENT.includes(extension);
    if (isAbsent ? value === undefined : !isSaid(value)) continue;
    const what = isAbsent ? 'undefined' : MUST_BE_FALSE.includes(extension) ? 'false' : 'empty';
    const at = path.child(extensionKey(extension));
    report.add(fieldError.forbidden(at, `must be ${what} to be structural`));
  }
}

function checkGenerics(node: JsonObject, path: FieldPath, report: Report): void {
  const forbid = (keyword: string, what: string): void =>
    report.add(fieldError.forbidden(path.child(keyword), `must be ${what} to be structural`));
  for (const keyword of ['type', 'title', 'description']) {
    if (textOf(node, keyword) !== '') forbid(keyword, 'empty');
  }
  const others = getOwn(node, 'additionalProperties');
  if (others !== undefined && others !== false) forbid('additionalProperties', 'undefined');
  if (hasDefault(node)) forbid('default', 'undefined');
  if (getOwn(node, 'nullable') === true) forbid('nullable', 'false');
}
