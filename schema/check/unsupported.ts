import { fieldError } from '../../api/field-error.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { Steps } from '../../api/steps.ts';
import { getOwn, type JsonObject } from '../../api/json.ts';
import { extensionKey, readExtension } from '../extension-keys.ts';
import { isSaid, JUNCTOR_LISTS, namedSchemas, schemaAt, schemasAt } from './json-node.ts';
import type { Report } from './report.ts';

/** Keywords of JSON Schema that no schema may use, with whether an empty value counts as use. */
const UNSUPPORTED: readonly [keyword: string, evenEmpty: boolean][] = [
  ['id', false],
  ['$schema', false],
  ['additionalItems', true],
  ['patternProperties', false],
  ['definitions', false],
  ['dependencies', true],
  ['$ref', true],
];

/** A use of a keyword that no structural schema has. */
interface UnsupportedUse {
  readonly keyword: string;
  readonly path: FieldPath;
}

/** The unsupported keywords that one node uses. */
export function unsupportedKeywords(node: JsonObject): string[] {
  return UNSUPPORTED.filter(([keyword, evenEmpty]) => {
    const value = getOwn(node, keyword);
    return evenEmpty ? value !== undefined && value !== null : isSaid(value);
  }).map(([keyword]) => keyword);
}

/**
 * The first use of an unsupported keyword, of a list of schemas for items, or of
 * a `preserve-unknown-fields` that is false: whether such a schema is structural
 * cannot be asked.
 */
export function* firstUnsupported(
  node: JsonObject,
  path: FieldPath,
): Steps<UnsupportedUse | undefined> {
  yield;
  const [keyword] = unsupportedKeywords(node);
  if (keyword !== undefined) return { keyword, path };
  if (schemasAt(node, 'items').length > 0) return { keyword: 'items', path };
  if (readExtension(node, 'preserve-unknown-fields') === false) {
    return { keyword: extensionKey('preserve-unknown-fields'), path };
  }
  for (const [name, property] of namedSchemas(node, 'properties')) {
    const found = yield* firstUnsupported(property, path.child('properties').key(name));
    if (found !== undefined) return found;
  }
  for (const below of ['items', 'additionalProperties', 'not']) {
    const schema = schemaAt(node, below);
    const found = schema && (yield* firstUnsupported(schema, path.child(below)));
    if (found !== undefined) return found;
  }
  for (const junctor of JUNCTOR_LISTS) {
    for (const [i, schema] of schemasAt(node, junctor).entries()) {
      const found = yield* firstUnsupported(schema, path.child(junctor).index(i));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Every other use has an error of its own, at its place; this one stands at the root, as clients know it. */
export function reportUnsupported(use: UnsupportedUse, root: FieldPath, report: Report): void {
  if (report.count > 0) return;
  const where = use.path.child(use.keyword).toString();
  report.add(fieldError.invalid(root, '', `${where}: ${use.keyword} is not supported`));
}
