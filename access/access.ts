import type { Logger } from 'pino';
import type { AdmissionPlugin } from '../admission/chain.ts';
import type { HttpsClient } from '../outbound/https-client.ts';
import type { Clock } from '../api/clock.ts';
import type { Peer } from '../http/message.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { Store } from '../storage/interface.ts';
import type { Replica } from '../watch/replica.ts';
import { accountsOf, type Accounts } from './accounts/accounts.ts';
import { CertificateRequests } from './certificates/request-admission.ts';
import { Revocations } from './certificates/revocations.ts';
import { authenticationOf, type Authentication } from './authentication/authentication.ts';
import type { Authorizer } from './authorization/authorizer.ts';
import {
  alwaysAllow,
  alwaysDeny,
  AuthorizerChain,
  mastersAuthorizer,
} from './authorization/authorizers.ts';
import { ConfiguredAuthorizers } from './authorization/configuration/configured-authorizers.ts';
import { OwnerPermissions } from './authorization/owner-permissions.ts';
import { OWNER_PERMISSIONS } from '../config/access-flags.ts';
import { RbacEscalation } from './authorization/rbac/escalation.ts';
import { RbacAuthorizer } from './authorization/rbac/rbac-authorizer.ts';
import { RbacIndex } from './authorization/rbac/rbac-index.ts';
import { RightsLog } from './authorization/rbac/rights-log.ts';
import { WebhookAuthorizer } from './authorization/webhook-authorizer.ts';
import { servesConsole } from '../config/console-flags.ts';
import { Attempts, type AttemptCounter } from './sessions/attempts.ts';
import { consoleAccess, type ConsoleAccess } from './sessions/console-access.ts';
import { sessionAuthenticator } from './sessions/session-authenticator.ts';
import { FlagError } from '../config/command-line.ts';
import type { ServerConfig } from '../config/flags.ts';
import { namesOf, watchFiles, type WatchedFiles } from '../outbound/watched-file.ts';
import { ReviewClient } from '../outbound/review-client.ts';

/** Who may come in, and what they may do: everything that the command line says of it. */
export interface Access extends Authentication {
  readonly authorizer: Authorizer;
  readonly accounts: Accounts;
  /** Undefined: there is no console. */
  readonly console: ConsoleAccess | undefined;
  /** When what roles give has changed. */
  readonly rights: RightsLog;
  /** Checks of writes that belong to authorization; the last of their half. */
  readonly plugins: readonly AdmissionPlugin[];
  /** Ends the looks at files. */
  stop(): void;
}

interface AccessParts {
  readonly config: ServerConfig;
  /** PEM of the authority that this server has made for itself. */
  readonly clientAuthority: string;
  readonly store: Store;
  readonly replica: Replica;
  readonly catalog: Catalog;
  /** Calls webhooks and issuers. */
  readonly client: HttpsClient;
  /** Counted elsewhere; undefined: in this process. */
  readonly attempts?: AttemptCounter | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

const DEFAULT_MODES = ['RBAC'];

type OnChange = (files: WatchedFiles, reload: () => void) => void;

/** @throws Error with one line for the operator */
export function accessOf(parts: AccessParts): Access {
  const { config, clientAuthority, store, replica, catalog, client, clock, log } = parts;
  const { attempts = new Attempts(clock) } = parts;
  const onProblem = (message: string, error: unknown): void => log.error({ err: error }, message);
  const stops: (() => void)[] = [];
  const onChange: OnChange = (files, reload) => {
    const changed = (): void => {
      reload();
      log.info({ files: namesOf(files) }, 'reloaded');
    };
    stops.push(watchFiles({ files, clock, onChange: changed, onProblem }));
  };
  const index = new RbacIndex(replica, onProblem);
  const revocations = new Revocations(replica);
  const isRevoked = (peer: Peer): boolean => revocations.covers(peer);
  try {
    const authorizer = authorizerOf(parts, index, onChange);
    checkFits(config);
    const accounts = accountsOf({ config, store, replica, clock, onChange });
    const authentication = authenticationOf({
      ...{ config, clientAuthority, client, clock, isRevoked, onChange },
      accounts: accounts.tokens,
    });
    const { tokens } = authentication;
    const console = servesConsole(config)
      ? consoleAccess({ config, tokens, store, client, attempts, clock })
      : undefined;
    return {
      ...authentication,
      authenticators: [
        // a user who has signed in there is that user, whatever certificate the browser shows
        ...(console === undefined ? [] : [sessionAuthenticator(console.sessions)]),
        ...authentication.authenticators,
      ],
      console,
      authorizer,
      accounts,
      rights: new RightsLog(replica, index, clock),
      plugins: [
        ...(config.enableAdmissionPlugins.includes(OWNER_PERMISSIONS)
          ? [new OwnerPermissions(authorizer, catalog)]
          : []),
        new CertificateRequests(authorizer),
        new RbacEscalation(index, authorizer),
      ],
      stop() {
        for (const stop of stops) stop();
      },
    };
  } catch (error) {
    for (const stop of stops) stop();
    throw error;
  }
}

function authorizerOf(parts: AccessParts, index: RbacIndex, onChange: OnChange): Authorizer {
  const { config, client, clock } = parts;
  const { authorizationConfig: file, authorizationMode: modes = DEFAULT_MODES } = config;
  const rbac = new RbacAuthorizer(index);
  if (file === undefined) {
    const byMode = (mode: string): Authorizer =>
      mode === 'Webhook' ? webhookAuthorizer(parts, onChange) : builtInAuthorizer(mode, rbac);
    return new AuthorizerChain([mastersAuthorizer, ...modes.map(byMode)]);
  }
  const authorizers = new ConfiguredAuthorizers(file, (configuration) => {
    const { type } = configuration;
    if (type !== 'Webhook') return { authorizer: builtInAuthorizer(type, rbac), files: [] };
    const { kubeConfigFile, timeoutMs, ...options } = configuration.webhook;
    const reviews = new ReviewClient(kubeConfigFile, client, timeoutMs);
    const authorizer = new WebhookAuthorizer({ client: reviews, clock, ...options });
    return { authorizer, files: reviews.files };
  });
  onChange(
    () => authorizers.files,
    () => authorizers.reload(),
  );
  return authorizers;
}

function builtInAuthorizer(mode: string, rbac: Authorizer): Authorizer {
  if (mode === 'RBAC') return rbac;
  return mode === 'AlwaysAllow' ? alwaysAllow : alwaysDeny;
}

/** Refuses flags that have no effect, because an operator relies on them. @throws FlagError */
function checkFits(config: ServerConfig): void {
  const { authorizationMode: modes, authorizationWebhookConfigFile: file } = config;
  if (config.authorizationConfig !== undefined && (modes ?? file) !== undefined) {
    const other = modes === undefined ? 'webhook-config-file' : 'mode';
    throw new FlagError(`--authorization-config cannot be used with --authorization-${other}`);
  }
  if (file !== undefined && modes?.includes('Webhook') !== true) {
    throw new FlagError(
      '--authorization-webhook-config-file requires --authorization-mode Webhook',
    );
  }
  if (
    config.requestheaderAllowedNames.length > 0 &&
    config.requestheaderClientCaFile === undefined
  ) {
    throw new FlagError('--requestheader-allowed-names requires --requestheader-client-ca-file');
  }
}

function webhookAuthorizer({ config, client, clock }: AccessParts, onChange: OnChange): Authorizer {
  const { authorizationWebhookConfigFile: file } = config;
  if (file === undefined) {
    throw new Error('--authorization-mode Webhook requires --authorization-webhook-config-file');
  }
  const reviews = new ReviewClient(file, client);
  const webhook = new WebhookAuthorizer({
    client: reviews,
    clock,
    allowedTtlMs: config.authorizationWebhookCacheAuthorizedTtl * 1000,
    otherTtlMs: config.authorizationWebhookCacheUnauthorizedTtl * 1000,
  });
  onChange(
    () => reviews.files,
    () => {
      reviews.reload();
      webhook.forget();
    },
  );
  return webhook;
}
