import type { Logger } from 'pino';
import { unauthorized } from '../../api/api-error.ts';
import type { UserInfo } from '../../api/user.ts';
import { ANONYMOUS, type Authenticator } from '../authentication/authenticator.ts';
import type { ApiRequest } from '../http/message.ts';
import type { Stage } from './exchange.ts';

/**
 * Who asks: the first authenticator that recognises the request decides. A
 * credential that nobody accepts is a 401 without a hint; no credential at all
 * is the anonymous user, whom authorization lets do next to nothing.
 */
export function authenticateStage(authenticators: readonly Authenticator[], log: Logger): Stage {
  const userOf = async (request: ApiRequest): Promise<UserInfo> => {
    let failed = false;
    for (const authenticator of authenticators) {
      try {
        const user = await authenticator.authenticate(request);
        if (user !== undefined) return user;
      } catch (error) {
        failed = true;
        log.debug({ err: error, authenticator: authenticator.name }, 'credential refused');
      }
    }
    if (failed || request.headers.authorization !== undefined) throw unauthorized();
    return ANONYMOUS;
  };
  return {
    name: 'authenticate',
    async handle(exchange, next) {
      exchange.user = await userOf(exchange.request);
      return next();
    },
  };
}
