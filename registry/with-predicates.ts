import type { JsonObject } from '../api/json.ts';
import type { ObjectPredicate } from '../query/object-predicate.ts';
import { UNKNOWN } from '../query/read-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import type { ServedResource } from './served-resource.ts';
import { shownBytes, shownObject } from './shown-object.ts';
import { shownOnDemand, singleValue } from './shown-value.ts';
import type { Views } from './views.ts';

/** What only the object itself can tell is asked last, and first of its bytes. */
export function withPredicates(
  matches: (entry: Entry) => boolean,
  predicates: readonly ObjectPredicate[],
  { views, resource }: { readonly views: Views; readonly resource: ServedResource },
): (entry: Entry) => boolean {
  if (predicates.length === 0) return matches;
  const tests = predicates.map((it) => predicateTest(it, views, resource));
  return (entry) => {
    if (!matches(entry)) return false;
    const key = views.shown(resource, entry);
    let object: JsonObject | undefined;
    const read = (): JsonObject => (object ??= shownObject(views, resource, entry));
    return tests.every((test) => test(entry, key, read));
  };
}

type PredicateTest = (entry: Entry, key: Entry, read: () => JsonObject) => boolean;

function predicateTest(
  predicate: ObjectPredicate,
  views: Views,
  resource: ServedResource,
): PredicateTest {
  const { single, mayMatch } = predicate;
  const readSingle = single && singleValue(views, resource, single.path);
  const onDemand = shownOnDemand(views, resource);
  return (entry, key, read) => {
    const known = predicate.known?.(key);
    if (known !== undefined) return known;
    const value = readSingle === undefined ? UNKNOWN : readSingle(entry);
    if (single !== undefined && value !== UNKNOWN) return single.test(single.textOf(value));
    if (mayMatch !== undefined) {
      const bytes = shownBytes(views, resource, entry);
      if (bytes === undefined || !mayMatch(bytes)) return false;
    }
    const object = predicate.matchesBytes === undefined ? undefined : onDemand(entry);
    return object === undefined
      ? predicate.matches(read(), key)
      : predicate.matchesBytes?.(object, key) === true;
  };
}
