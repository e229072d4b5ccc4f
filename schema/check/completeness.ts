import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import { JUNCTOR_LISTS, namedSchemas, schemaAt, schemasAt } from './json-node.ts';
import type { Report } from './report.ts';

/**
 * What the junctors at the root restrict must be specified outside of them.
 * (kube-apiserver looks at those of the root only.)
 *
 * Source: apiextensions-apiserver pkg/apiserver/schema/complete.go.
 */
export function* checkCompleteness(root: JsonObject, path: FieldPath, report: Report): Steps<void> {
  yield* checkJunctorsOf(root, root, path, path, report);
}

function* checkJunctorsOf(
  node: JsonObject,
  structure: JsonObject,
  structurePath: FieldPath,
  path: FieldPath,
  report: Report,
): Steps<void> {
  for (const junctor of JUNCTOR_LISTS) {
    for (const [i, nested] of schemasAt(node, junctor).entries()) {
      yield* checkNested(nested, structure, structurePath, path.child(junctor).index(i), report);
    }
  }
  const not = schemaAt(node, 'not');
  if (not !== undefined)
    yield* checkNested(not, structure, structurePath, path.child('not'), report);
}

function* checkNested(
  node: JsonObject,
  structure: JsonObject | undefined,
  structurePath: FieldPath,
  path: FieldPath,
  report: Report,
): Steps<void> {
  yield;
  if (structure === undefined) {
    report.add(fieldError.required(structurePath, `because it is defined in ${path.toString()}`));
    return;
  }
  yield* checkJunctorsOf(node, structure, structurePath, path, report);
  const items = schemaAt(node, 'items');
  if (items !== undefined) {
    const at = structurePath.child('items');
    yield* checkNested(items, schemaAt(structure, 'items'), at, path.child('items'), report);
  }
  const known = schemaAt(structure, 'properties') ?? {};
  for (const [name, property] of namedSchemas(node, 'properties')) {
    yield* checkNested(
      property,
      schemaAt(known, name),
      structurePath.child('properties').key(name),
      path.child('properties').key(name),
      report,
    );
  }
}
