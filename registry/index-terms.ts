import type { LabelSelector } from '../api/selectors/labels.ts';
import { BoundedCache } from '../api/bounded-cache.ts';
import type { VersionDefinition } from '../resources/definition.ts';
import type { Entry } from '../watch/entry.ts';
import { labelSource, MAX_INDEXED_CHARACTERS, type IndexTerm } from '../watch/index/term.ts';
import type { ServedResource } from './served-resource.ts';
import type { Views } from './views.ts';

type Matches = (entry: Entry) => boolean;

/** A condition of a selection that names values. */
export interface Condition extends Pick<IndexTerm, 'source' | 'values'> {
  /** Makes the test of the rest of the selection. */
  readonly others: () => Matches;
}

/** Conditions of one selection that indexes are asked for. */
const MAX_TERMS = 8;

/** A declared field is indexed for the first read that selects by it, like a label. */
export const ASKS_BEFORE_DECLARED = 1;
/** Any other path when it has been asked for so often. */
export const ASKS_BEFORE_PATH = 3;

/** The conditions that indexes can answer: absent and empty values look alike to field selectors, so they cannot. */
export function indexTerms(conditions: readonly Condition[], matches: Matches): IndexTerm[] {
  return conditions
    .filter(({ values }) => values?.every(isIndexed) !== false)
    .slice(0, MAX_TERMS)
    .map(({ source, values, others }) => {
      let rest: Matches | undefined;
      return { source, values, matches, rest: (entry) => (rest ??= others())(entry) };
    });
}

function isIndexed(value: string): boolean {
  return value !== '' && value.length <= MAX_INDEXED_CHARACTERS;
}

/** Of labels; they cost so little that an object's are looked at once more. */
export function labelConditions(labels: LabelSelector, matches: Matches): Condition[] {
  return labels.requirements.flatMap(({ key, operator, values }): Condition[] => {
    const source = labelSource(key);
    switch (operator) {
      case '=':
      case '==':
      case 'in':
        return [{ source, values, others: () => matches }];
      case 'exists':
        return [{ source, values: undefined, others: () => matches }];
      default:
        return [];
    }
  });
}

/** Values and orders by which indexes are made, that are remembered for each version of a resource. */
const MAX_REMEMBERED = 100;
const identities = new WeakMap<Views, WeakMap<VersionDefinition, BoundedCache<object>>>();

/** What an index is known by: always the same for a name and objects as a version shows them. */
export function indexId(
  views: Views,
  { version, apiVersion }: ServedResource,
  name: string,
): object {
  let ofViews = identities.get(views);
  if (ofViews === undefined) identities.set(views, (ofViews = new WeakMap()));
  let ofVersion = ofViews.get(version);
  if (ofVersion === undefined) ofViews.set(version, (ofVersion = new BoundedCache(MAX_REMEMBERED)));
  return ofVersion.get(`${apiVersion} ${name}`, () => ({}));
}
