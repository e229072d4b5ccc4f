import type { Query } from '../api/query.ts';

/** The parameters that choose objects, as a client sent them; an empty one chooses all. */
export interface Selectors {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** In the expression language. */
  readonly filter: string;
}

/** The selectors of a request; they are not checked yet. */
export function selectorsFrom(query: Query): Selectors {
  return {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    filter: query.get('filter') ?? '',
  };
}

/** True when every object is selected. */
export function selectsAll({ labelSelector, fieldSelector, filter }: Selectors): boolean {
  return labelSelector === '' && fieldSelector === '' && filter === '';
}
