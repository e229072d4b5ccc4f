import { badRequest, notFound } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { type ApiObject } from '../../api/object.ts';
import { listOptionsFrom } from '../../registry/list-options.ts';
import { fieldSelectionOf } from '../../registry/field-selection.ts';
import { labelSelectorOf, scalarText } from '../../registry/selection.ts';
import type { Target } from '../../registry/served-resource.ts';
import { encodeServed } from '../../storage/stored-bytes.ts';
import type { ApiResponse } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import { respondItems } from '../../wire/respond-list.ts';
import { respondObject } from '../../wire/respond-object.ts';

interface ComputedHandlerOptions {
  /** Finds the objects out, in the order of their names. */
  readonly objects: () => Promise<readonly ApiObject[]>;
  readonly clock: Clock;
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
    const objects = await this.#options.objects();
    const object = objects.find(({ metadata }) => metadata.name === name);
    if (object === undefined) {
      const { group, names } = resource.definition;
      throw notFound({ group, resource: names.singular }, name);
    }
    return respondObject(exchange, resource, encodeServed(object), 200, this.#options);
  }

  async #list(exchange: Exchange, { resource }: Target): Promise<ApiResponse> {
    const options = listOptionsFrom(exchange.request.query, false);
    const labels = labelSelectorOf(options.labelSelector);
    const fields = fieldSelectionOf(options.fieldSelector, resource, 'declared').declared;
    const objects = await this.#options.objects();
    const selected = objects.filter(
      (object) =>
        labels.matches(object.metadata.labels ?? {}) &&
        fields.matches((field) => scalarText(object, field.split('.'))),
    );
    const after = lastNameOf(options.continueToken);
    const left = selected.filter(({ metadata }) => (metadata.name ?? '') > after);
    const page = options.limit > 0 ? left.slice(0, options.limit) : left;
    const last = page.at(-1)?.metadata.name ?? '';
    const isAll = page.length === left.length;
    return respondItems(exchange, {
      resource,
      metadata: {
        revision: undefined,
        continueToken: isAll ? '' : Buffer.from(last).toString('base64url'),
        remaining: isAll ? undefined : left.length - page.length,
      },
      // oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
      chunks: (async function* () {
        yield page;
      })(),
      bytesOf: encodeServed,
      clock: this.#options.clock,
    });
  }
}

/** @throws ApiError 400 */
function lastNameOf(token: string): string {
  const name = Buffer.from(token, 'base64url').toString();
  if (Buffer.from(name).toString('base64url') === token) return name;
  throw badRequest('continue key is not valid');
}
