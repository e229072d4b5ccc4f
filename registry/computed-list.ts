import { apiError, badRequest } from '../api/api-error.ts';
import { getPath, scalarText } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { filterPredicate } from '../query/filter.ts';
import { GroupCounts } from '../query/group-counts.ts';
import { comparison, type Ranked } from '../query/order.ts';
import { valueAt } from '../query/read-path.ts';
import { sortValue } from '../query/sort-value.ts';
import { groupPath, type CountOptions, type CountResult } from './count.ts';
import { fieldSelectionOf, type SelectableFields } from './field-selection.ts';
import type { ListOptions } from './list-options.ts';
import { orderOf } from './ordered-page.ts';
import { labelSelectorOf } from './selection.ts';
import type { Selectors } from './selectors.ts';
import type { ServedResource } from './served-resource.ts';

/** A page of objects that are computed for each request. */
interface ComputedPage {
  readonly items: readonly ApiObject[];
  /** Objects behind the page. */
  readonly remaining: number;
  /** Empty: the list is complete. */
  readonly continueToken: string;
}

/**
 * What a request asks of the few objects of a kind that is computed, where there
 * is no store, no revision and no replica: the same questions, asked of the objects.
 */
export class ComputedList {
  readonly #resource: ServedResource;
  readonly #selectable: SelectableFields;

  constructor(resource: ServedResource, selectable: SelectableFields) {
    this.#resource = resource;
    this.#selectable = selectable;
  }

  /** Tells which objects the selectors leave. @throws ApiError 400 */
  selected({ labelSelector, fieldSelector, filter }: Selectors): (object: ApiObject) => boolean {
    const labels = labelSelectorOf(labelSelector);
    const fields = fieldSelectionOf(fieldSelector, this.#resource, this.#selectable);
    const schema = this.#resource.version.schema();
    const predicates =
      filter === ''
        ? fields.predicates
        : [...fields.predicates, filterPredicate(filter, schema, false)];
    return (object) =>
      labels.matches(object.metadata.labels ?? {}) &&
      fields.declared.matches((field) => scalarText(getPath(object, ...field.split('.'))) ?? '') &&
      predicates.every((predicate) => predicate.matches(object));
  }

  /**
   * The objects that a list shows, of those that come in the order of their names.
   *
   * @throws ApiError 400, 410 for a page behind an object that has gone
   */
  page(objects: readonly ApiObject[], options: ListOptions): ComputedPage {
    const ordered = this.#ordered(objects.filter(this.selected(options)), options.orderBy);
    const left = ordered.slice(behind(ordered, options));
    const items = options.limit > 0 ? left.slice(0, options.limit) : left;
    const remaining = left.length - items.length;
    const last = items.at(-1)?.metadata.name ?? '';
    const continueToken = remaining === 0 ? '' : Buffer.from(last).toString('base64url');
    return { items, remaining, continueToken };
  }

  /** @throws ApiError 400 */
  count(
    objects: readonly ApiObject[],
    options: ListOptions,
    { groupBy }: CountOptions,
  ): CountResult {
    const path = groupBy === '' ? undefined : groupPath(groupBy, this.#resource);
    const found = objects.filter(this.selected(options));
    const counts = new GroupCounts();
    if (path !== undefined) for (const object of found) counts.add(valueAt(object, path));
    return {
      revision: undefined,
      count: found.length,
      groups: path === undefined ? undefined : counts.groups(),
      others: counts.others,
    };
  }

  #ordered(objects: readonly ApiObject[], orderBy: string): readonly ApiObject[] {
    const order = orderOf(orderBy, this.#resource);
    if (order === undefined) return objects;
    const compare: (a: RankedObject, b: RankedObject) => number = comparison(order);
    return objects
      .map((object): RankedObject => ({
        object,
        values: order.map(({ path, kind }) => sortValue(valueAt(object, path), kind)),
        key: object.metadata.name ?? '',
      }))
      .sort(compare)
      .map(({ object }) => object);
  }
}

interface RankedObject extends Ranked {
  readonly object: ApiObject;
}

/** Where the page begins. @throws ApiError 400, 410 */
function behind(objects: readonly ApiObject[], { continueToken, orderBy }: ListOptions): number {
  if (continueToken === '') return 0;
  const after = lastNameOf(continueToken);
  if (orderBy === '') {
    const at = objects.findIndex(({ metadata }) => (metadata.name ?? '') > after);
    return at < 0 ? objects.length : at;
  }
  const last = objects.findIndex(({ metadata }) => metadata.name === after);
  if (last >= 0) return last + 1;
  throw apiError(410, 'Expired', 'The page before ended with an object that has gone: list again.');
}

/** @throws ApiError 400 */
function lastNameOf(token: string): string {
  const name = Buffer.from(token, 'base64url').toString();
  if (Buffer.from(name).toString('base64url') === token) return name;
  throw badRequest('continue key is not valid');
}
