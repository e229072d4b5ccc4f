import type { Exchange } from '../../http/exchange.ts';
import { fromAlias, underAlias } from '../../registry/alias.ts';
import type { Body } from '../../registry/body.ts';
import { ScaleForm } from '../../registry/scale-form.ts';
import type { ServedResource, Target } from '../../registry/served-resource.ts';

/*
 * The ends of a request at which its group may go by the alias: what is sent
 * loses it here, what is answered gets it.
 */

/** The body by the neutral names. */
export function named({ info }: Exchange, { definition }: ServedResource, body: Body): Body {
  return info.alias ? { ...body, value: fromAlias(definition, body.value) } : body;
}

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
