import { notFound } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { type ApiObject } from '../../api/object.ts';
import { ComputedList } from '../../registry/computed-list.ts';
import { countOptionsFrom } from '../../registry/count.ts';
import type { SelectableFields } from '../../registry/field-selection.ts';
import { listOptionsFrom } from '../../registry/list-options.ts';
import { projectionFrom } from '../../registry/projection.ts';
import { selectorsFrom } from '../../registry/selectors.ts';
import type { Target } from '../../registry/served-resource.ts';
import { encodeServed } from '../../storage/stored-bytes.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import { askedConversion } from '../../wire/negotiate.ts';
import { respondCount } from '../../wire/respond-count.ts';
import { respondItems } from '../../wire/respond-list.ts';
import { respondObject } from '../../wire/respond-object.ts';

interface ComputedHandlerOptions {
  /** Finds the objects out, in the order of their names. */
  readonly objects: () => Promise<readonly ApiObject[]>;
  readonly clock: Clock;
  readonly selectable: SelectableFields;
}

/**
 * Get and list of a resource that is not stored. Neither objects nor lists have a
 * resourceVersion, because they are computed for each request. A page continues behind the last name of the one before.
 */
export class ComputedHandler {
  readonly #options: ComputedHandlerOptions;

  constructor(options: ComputedHandlerOptions) {
    this.#options = options;
  }

  /** @throws ApiError 404; 400 for selectors that cannot be read */
  handle(exchange: Exchange, target: Target): Promise<ApiResponse> {
    // there is no part of it
    if (exchange.refusal !== undefined) throw exchange.refusal;
    return target.name === '' ? this.#list(exchange, target) : this.#get(exchange, target);
  }

  async #get(exchange: Exchange, { resource, name }: Target): Promise<ApiResponse> {
    const { clock, selectable } = this.#options;
    const { query } = exchange.request;
    const projection = projectionFrom(query, resource);
    const isSelected = new ComputedList(resource, selectable).selected(selectorsFrom(query));
    const objects = await this.#options.objects();
    const object = objects.find(({ metadata }) => metadata.name === name);
    if (object === undefined || !isSelected(object)) {
      const { group, names } = resource.definition;
      throw notFound({ group, resource: names.singular }, name);
    }
    return respondObject(exchange, resource, encodeServed(object), 200, { clock, projection });
  }

  async #list(exchange: Exchange, { resource }: Target): Promise<ApiResponse> {
    const { query } = exchange.request;
    const { clock, selectable } = this.#options;
    const options = listOptionsFrom(query, false);
    const computed = new ComputedList(resource, selectable);
    const counting = countOptionsFrom(query);
    const objects = await this.#options.objects();
    if (counting !== undefined) {
      return respondCount(exchange, computed.count(objects, options, counting));
    }
    const projection = projectionFrom(query, resource);
    const isTable = askedConversion(exchange.request, resource) === 'Table';
    const { items, remaining, continueToken } = computed.page(objects, options);
    return respondItems(exchange, {
      resource,
      metadata: {
        revision: undefined,
        continueToken,
        remaining: remaining === 0 ? undefined : remaining,
      },
      // oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
      chunks: (async function* () {
        yield items;
      })(),
      bytesOf(object) {
        const bytes = encodeServed(object);
        return projection === undefined || isTable ? bytes : projection.show(bytes);
      },
      clock,
    });
  }
}
