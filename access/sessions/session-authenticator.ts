import type { Authenticator } from '../authentication/authenticator.ts';
import { sessionIdOf } from '../authentication/session-cookie.ts';
import type { Sessions } from './sessions.ts';

/** The session of the console. Its cookie counts on requests of the console alone. */
export function sessionAuthenticator(sessions: Sessions): Authenticator {
  return {
    name: 'session',
    authenticate(request) {
      const id = sessionIdOf(request);
      return id === undefined ? undefined : sessions.userOf(id);
    },
  };
}
