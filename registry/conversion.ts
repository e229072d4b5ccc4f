import type { ApiObject } from '../api/object.ts';
import type { WebhookConverter } from '../admission/conversion/webhook-converter.ts';
import type { ResourceDefinition } from '../resources/definition.ts';

/**
 * Turns objects of a resource from one of its versions into another. With
 * strategy None only apiVersion changes; a webhook's answer takes its time, so
 * the seam allows a promise. Order and number are kept; the inputs may be
 * changed and are the caller's no more.
 */
export interface Converter {
  /** @throws ApiError when the conversion fails */
  convert(
    definition: ResourceDefinition,
    objects: ApiObject[],
    apiVersion: string,
  ): ApiObject[] | Promise<ApiObject[]>;
}

/** Strategy None for every resource. */
export const noneConverter: Converter = {
  convert(_definition, objects, apiVersion) {
    for (const object of objects) object.apiVersion = apiVersion;
    return objects;
  },
};

/** As each definition says: by its webhook, or by changing nothing but apiVersion. */
export function converterFor(webhooks: WebhookConverter): Converter {
  return {
    convert(definition, objects, apiVersion) {
      const webhook = definition.custom?.conversionWebhook;
      if (webhook === undefined) return noneConverter.convert(definition, objects, apiVersion);
      return webhooks.convert({ webhook, kind: definition.names.kind, objects, apiVersion });
    },
  };
}
