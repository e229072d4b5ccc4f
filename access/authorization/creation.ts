import { internalError } from '../../api/api-error.ts';
import type { Exchange } from '../../http/exchange.ts';
import { attributesOf } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { refusalOf } from './refusal.ts';

/**
 * Confirms the right to create what a request is about, whatever its own verb:
 * a PUT or an apply of what does not exist needs both rights. Source: behaviours 5.3.
 *
 * @throws ApiError 403 when the user has not got it
 */
export async function confirmCreate(
  authorizer: Authorizer,
  { user, info, request }: Exchange,
): Promise<void> {
  if (user === undefined) throw internalError('no user at authorization');
  const attributes = { ...attributesOf(info, request.query, user), verb: 'create' };
  const decision = await authorizer.authorize(attributes);
  if (decision.decision !== 'allow') throw refusalOf(attributes, decision);
}
