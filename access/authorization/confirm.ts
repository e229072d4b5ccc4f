import { internalError } from '../../api/api-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { attributesOf } from './attributes.ts';
import type { AuthorizationAttributes, Authorizer } from './authorizer.ts';
import { refusalOf } from './refusal.ts';

/**
 * Confirms the right to create what a request is about, whatever its own verb:
 * a PUT or an apply of what does not exist needs both rights. Source: behaviours 5.3.
 *
 * @throws ApiError 403 when the user has not got it
 */
export async function confirmCreate(authorizer: Authorizer, exchange: Exchange): Promise<void> {
  const attributes = attributesOf(exchange.info, exchange.request.query, userOf(exchange));
  await confirm(authorizer, { ...attributes, verb: 'create' });
}

/**
 * Confirms the right to list the collection that a deletion is about. Which
 * objects a deletion finds by their values tells these values, also as a dry run.
 *
 * @throws ApiError 403 when the user has not got it
 */
export async function confirmList(authorizer: Authorizer, exchange: Exchange): Promise<void> {
  const info = { ...exchange.info, verb: 'list' as const };
  await confirm(authorizer, attributesOf(info, exchange.request.query, userOf(exchange)));
}

async function confirm(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<void> {
  const decision = await authorizer.authorize(attributes);
  if (decision.decision !== 'allow') throw refusalOf(attributes, decision);
}

function userOf({ user }: Exchange): NonNullable<Exchange['user']> {
  if (user === undefined) throw internalError('no user at authorization');
  return user;
}
