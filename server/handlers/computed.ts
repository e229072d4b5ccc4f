import { notFound } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { asJson, type ApiObject } from '../../api/object.ts';
import { listOptionsFrom } from '../../registry/list-options.ts';
import { fieldSelectorOf, labelSelectorOf, scalarText } from '../../registry/selection.ts';
import type { Target } from '../../registry/served-resource.ts';
import { encodeServed } from '../../storage/stored-bytes.ts';
import type { ApiResponse } from '../http/message.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { respondItems } from '../wire/respond-list.ts';
import { respondObject } from '../wire/respond-object.ts';

export interface ComputedHandlerOptions {
  /** Finds the objects out, in the order of their names. */
  readonly objects: () => Promise<readonly ApiObject[]>;
  readonly clock: Clock;
}

/**
 * Get and list of a resource that is not stored. Objects have no
 * resourceVersion, lists none either: nothing orders what is found out anew
 * each time. A limit has no effect.
 */
export class ComputedHandler {
  readonly #options: ComputedHandlerOptions;

  constructor(options: ComputedHandlerOptions) {
    this.#options = options;
  }

  /** @throws ApiError 404; 400 for selectors that cannot be read */
  handle(exchange: Exchange, target: Target): Promise<ApiResponse> {
    return target.name === '' ? this.#list(exchange, target) : this.#get(exchange, target);
  }

  async #get(exchange: Exchange, { resource, name }: Target): Promise<ApiResponse> {
    const objects = await this.#options.objects();
    const object = objects.find(({ metadata }) => metadata.name === name);
    if (object === undefined) {
      const { group, names } = resource.definition;
      throw notFound({ group, resource: names.singular }, name);
    }
    return respondObject(exchange, resource, encodeServed(object), 200, this.#options.clock);
  }

  async #list(exchange: Exchange, { resource }: Target): Promise<ApiResponse> {
    const options = listOptionsFrom(exchange.request.query, false);
    const labels = labelSelectorOf(options.labelSelector);
    const fields = fieldSelectorOf(options.fieldSelector, resource);
    const objects = await this.#options.objects();
    const selected = objects.filter(
      (object) =>
        labels.matches(object.metadata.labels ?? {}) &&
        fields.matches((field) => scalarText(asJson(object), field.split('.'))),
    );
    return respondItems(exchange, {
      resource,
      metadata: { revision: undefined, continueToken: '', remaining: undefined },
      // eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
      chunks: (async function* () {
        yield selected;
      })(),
      bytesOf: encodeServed,
      clock: this.#options.clock,
    });
  }
}
