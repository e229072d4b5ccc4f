import { andThen } from '../../api/and-then.ts';
import { unauthorized } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import type { UserInfo } from '../../api/user.ts';
import {
  ANONYMOUS,
  CredentialError,
  UndecidedCredential,
  type Authenticator,
  type Credentials,
} from '../../access/authentication/authenticator.ts';
import {
  stripIdentityHeaders,
  type IdentityHeaders,
} from '../../access/authentication/identity-headers.ts';
import { KeptCredentials } from '../../access/authentication/kept-credentials.ts';
import type { AccessMetrics } from '../../telemetry/metrics/access-metrics.ts';
import type { Answer, Exchange, Next, Stage, StreamIdentity } from '../../http/exchange.ts';

interface AuthenticateOptions {
  readonly authenticators: readonly Authenticator[];
  /** May a request without credentials ask for this path? */
  readonly allowsAnonymous: (path: string) => boolean;
  /** Headers that carry identities in addition to the usual ones. */
  readonly identityHeaders: IdentityHeaders;
  readonly metrics: AccessMetrics;
  readonly clock: Clock;
}

/**
 * Finds the user: the first authenticator that recognises the request decides. A
 * credential that none accepts is a 401 without a reason; a request without
 * credentials is the anonymous user, where that is allowed.
 * What carried the credentials is gone afterwards; a stream can be asked for
 * its user again. Source: behaviours 10.1, 10.2.
 */
export function authenticateStage(options: AuthenticateOptions): Stage {
  return {
    name: 'authenticate',
    handle(exchange, next) {
      const startedAt = options.clock.monotonic();
      const { info, request } = exchange;
      if (info.verb === 'watch' || request.isUpgradable === true) {
        const credentials = new KeptCredentials(request, options.identityHeaders);
        exchange.identity = identityOf(options, credentials, info.path);
      }
      const user = userOf(options, exchange, 0, false);
      return andThen(user, (found) => letIn(options, exchange, next, found, startedAt));
    },
  };
}

function identityOf(
  options: AuthenticateOptions,
  credentials: KeptCredentials,
  path: string,
): StreamIdentity {
  const key = `${credentials.key} ${path}`;
  return {
    key,
    async ask() {
      const asked: Asked = { request: credentials.request, info: { path }, failure: undefined };
      const user = await userOf(options, asked, 0, false);
      if (user !== undefined) return user;
      if (asked.failure instanceof UndecidedCredential) throw asked.failure;
      throw unauthorized();
    },
  };
}

function letIn(
  { clock, metrics, identityHeaders }: AuthenticateOptions,
  exchange: Exchange,
  next: Next,
  user: UserInfo | undefined,
  startedAt: number,
): Answer {
  const seconds = (clock.monotonic() - startedAt) / 1000;
  metrics.authenticated(user === undefined ? 'failure' : 'success', seconds);
  stripIdentityHeaders(exchange.request, identityHeaders);
  if (user === undefined) {
    exchange.failure ??= new CredentialError('no credential');
    throw unauthorized();
  }
  exchange.failure = undefined;
  exchange.user = user;
  const { sender } = exchange.request;
  if (sender !== undefined) sender.user = user.name;
  return next(exchange);
}

/** What authenticators look at, and why they refused it. */
interface Asked {
  readonly request: Credentials;
  readonly info: { readonly path: string };
  failure: unknown;
}

/** Undefined: the request is refused. Answers at once as long as every authenticator does. */
function userOf(
  options: AuthenticateOptions,
  asked: Asked,
  index: number,
  failed: boolean,
): UserInfo | undefined | Promise<UserInfo | undefined> {
  const { authenticators, allowsAnonymous } = options;
  for (let i = index; i < authenticators.length; i++) {
    const authenticator = authenticators[i] as Authenticator;
    const user = attempt(asked, authenticator);
    if (user instanceof Promise) {
      return user.then((found) =>
        found === undefined || found === 'failed'
          ? userOf(options, asked, i + 1, failed || found === 'failed')
          : found,
      );
    }
    if (user === 'failed') failed = true;
    else if (user !== undefined) return user;
  }
  return !failed && allowsAnonymous(asked.info.path) ? ANONYMOUS : undefined;
}

type Attempt = UserInfo | 'failed' | undefined;

function attempt(asked: Asked, authenticator: Authenticator): Attempt | Promise<Attempt> {
  try {
    const user = authenticator.authenticate(asked.request);
    return user instanceof Promise ? user.catch((error: unknown) => refused(asked, error)) : user;
  } catch (error) {
    return refused(asked, error);
  }
}

/** The client is not told why; the log is. */
function refused(asked: Asked, error: unknown): 'failed' {
  asked.failure = error;
  return 'failed';
}
