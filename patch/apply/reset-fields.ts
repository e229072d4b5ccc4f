import { fieldElement } from './field-element.ts';
import { EMPTY_SET, setOfPath, type FieldSet } from './field-set.ts';
import { union } from './field-set-at-once.ts';

/**
 * The fields that a write does not take, in each of the versions, from the
 * paths that a kind declares (`['status']`): such a write does not own them
 * (behaviours 5.15).
 */
export function resetFieldsIn(
  apiVersions: Iterable<string>,
  paths: readonly (readonly string[])[],
): ReadonlyMap<string, FieldSet> {
  const fields = paths.reduce<FieldSet>(
    (set, path) => union(set, setOfPath(...path.map(fieldElement))),
    EMPTY_SET,
  );
  return new Map([...apiVersions].map((apiVersion) => [apiVersion, fields]));
}
