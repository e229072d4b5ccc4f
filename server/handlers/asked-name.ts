import { badRequest } from '../../api/api-error.ts';
import { getOwn, isObject, type JsonObject } from '../../api/json.ts';
import { aliasApiVersion } from '../../api/naming.ts';
import type { Exchange } from '../../http/exchange.ts';
import { fromAlias, underAlias } from '../../registry/alias.ts';
import type { Body } from '../../registry/body.ts';
import { ScaleForm } from '../../registry/scale-form.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';

/*
 * The ends of a request at which its group may go by the alias: what is sent
 * loses it here, what is answered gets it.
 */

/**
 * The body by the neutral names.
 *
 * @throws ApiError 400 where the path has the alias and the body the neutral name
 */
export function named({ info }: Exchange, resource: ServedResource, body: Body): Body {
  const { value } = body;
  if (!info.alias || !isObject(value)) return body;
  if (body.isNeutral !== true && saysNeutralName(value)) {
    // without what was sent: answers under the alias show the alias for it
    throw badRequest(
      `the API version in the data does not match the expected API version (${underAlias(resource).apiVersion})`,
    );
  }
  return { ...body, value: fromAlias(resource.definition, value) };
}

function saysNeutralName(body: JsonObject): boolean {
  const given = getOwn(body, 'apiVersion');
  return typeof given === 'string' && aliasApiVersion(given) !== given;
}

/** Whether the request is for the subresource `scale`. */
export function isScale({ info }: Exchange): boolean {
  return info.subresource === 'scale';
}

/** What the answer is an object of. */
export function answered(exchange: Exchange, { resource }: Target): ServedResource {
  if (exchange.info.alias) return underAlias(resource);
  return isScale(exchange) ? new ScaleForm(resource).resource : resource;
}

/** What the answer is a list or a stream of. */
export function shown(exchange: Exchange, target: Target): Target {
  return { ...target, resource: answered(exchange, target) };
}
