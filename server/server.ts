import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:https';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AdmissionChain } from '../admission/chain.ts';
import { NamespaceLifecycle } from '../admission/plugins/namespace-lifecycle.ts';
import { systemClock, type Clock } from '../api/clock.ts';
import { DEFAULT_NAMESPACE, PUBLIC_NAMESPACE, SYSTEM_NAMESPACE } from '../api/naming.ts';
import { Catalog } from '../registry/catalog.ts';
import { noneConverter } from '../registry/conversion.ts';
import { FieldTracker } from '../registry/field-tracker.ts';
import { namespaceReader } from '../registry/namespaces.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { Views } from '../registry/views.ts';
import { builtinDefinitions } from '../resources/builtin.ts';
import { parseFeatureGates } from '../resources/feature-gates.ts';
import type { Store } from '../storage/interface.ts';
import { Reader } from '../watch/reader.ts';
import { Replica } from '../watch/replica.ts';
import { Watcher } from '../watch/watcher.ts';
import { appOf } from './app.ts';
import { clientCertificate } from './authentication/client-certificate.ts';
import { tokenFile } from './authentication/token-file.ts';
import { basicAuthorizer } from './authorization/authorizer.ts';
import { bootstrap } from './bootstrap.ts';
import { Discovery } from './discovery/discovery.ts';
import { PathIndex } from './discovery/path-index.ts';
import { FlagError, type ServerConfig } from './flags.ts';
import { ResourceHandler } from './handlers/resource.ts';
import { Router } from './handlers/router.ts';
import {
  replicaCheck,
  shutdownCheck,
  startHookCheck,
  storeCheck,
  storeReadinessCheck,
} from './health/checks.ts';
import { HealthChecks, PING } from './health/health-checks.ts';
import { Health } from './health/health.ts';
import { expressListener } from './http/express-adapter.ts';
import { createHttpsServer, listen, readPem } from './http/https-server.ts';
import { auditIdStage } from './pipeline/audit-id.ts';
import { authenticateStage } from './pipeline/authenticate.ts';
import { authorizeStage } from './pipeline/authorize.ts';
import { deadlineStage } from './pipeline/deadline.ts';
import type { Stage } from './pipeline/exchange.ts';
import { failuresStage } from './pipeline/failures.ts';
import { headersStage } from './pipeline/headers.ts';
import { requestLogStage } from './pipeline/request-log.ts';
import { ensureCredentials, writeAdminKubeconfig } from './pki/credentials.ts';
import { respondError } from './wire/respond-status.ts';

const STORE_CHECK_TIMEOUT_MS = 2_000;
const TRIM_PERIOD_MS = 1_000;
/** Namespaces that the server itself needs. */
const IMMORTAL_NAMESPACES = [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, PUBLIC_NAMESPACE];

export interface RunningServer {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly kubeconfig: string;
  readonly parts: RegistryParts;
  /** Drains and stops; the store is closed, too. */
  stop(): Promise<void>;
}

export interface ServerDependencies {
  readonly store: Store;
  readonly log: Logger;
  readonly clock?: Clock;
}

/**
 * Wires the parts and serves. Everything that can be wrong with the
 * configuration is found before the first request.
 *
 * @throws FlagError or Error with one line for the operator
 */
export async function startServer(
  config: ServerConfig,
  { store, log, clock = systemClock }: ServerDependencies,
): Promise<RunningServer> {
  const gates = parseFeatureGates(config.featureGates);
  if (gates.errors.length > 0) throw new FlagError(gates.errors.join('; '));
  const replica = new Replica({
    store,
    clock,
    onProblem: (message, error) => log.warn({ err: error }, message),
  });
  await replica.start();
  const parts = registryParts(store, replica, clock, new Catalog(builtinDefinitions(gates.gates)));
  const bootstrapped = bootstrap(parts);
  await bootstrapped;

  const stopping = new AbortController();
  const checks = new HealthChecks(clock);
  for (const check of [
    PING,
    storeCheck(store, STORE_CHECK_TIMEOUT_MS),
    storeReadinessCheck(store, STORE_CHECK_TIMEOUT_MS),
    replicaCheck(replica),
    startHookCheck('bootstrap', bootstrapped),
    shutdownCheck(stopping.signal),
  ]) {
    checks.add(check);
  }

  const credentials = await prepareCredentials(config, clock);
  let address = '';
  const stages = pipeline(config, { log, clock, parts, checks, serverAddress: () => address });
  const server = createHttpsServer(credentials.https, expressListener(appOf(stages, clock)));
  const { port } = await listen(server, config.bindAddress, config.securePort);
  address = `${hostOf(config.bindAddress)}:${port}`;
  const url = `https://${address}`;
  const kubeconfig = join(config.dataDir, 'admin.kubeconfig');
  writeAdminKubeconfig(kubeconfig, url, credentials.authority, credentials.admin);
  const trim = setInterval(() => replica.trimHistory(), TRIM_PERIOD_MS);
  trim.unref();
  return {
    url,
    kubeconfig,
    parts,
    async stop() {
      stopping.abort(new Error('shutting down'));
      clearInterval(trim);
      await drain(server, parts);
      await replica.stop();
      await store.close();
    },
  };
}

function registryParts(
  store: Store,
  replica: Replica,
  clock: Clock,
  catalog: Catalog,
): RegistryParts {
  const random = Math.random;
  return {
    store,
    reader: new Reader(store, replica, clock),
    watcher: new Watcher({ store, replica, clock, random }),
    catalog,
    admission: new AdmissionChain([
      new NamespaceLifecycle(namespaceReader(store, replica), IMMORTAL_NAMESPACES),
    ]),
    views: new Views(noneConverter),
    fields: new FieldTracker(noneConverter),
    clock,
    random,
    newUid: randomUUID,
  };
}

interface PipelineParts {
  readonly log: Logger;
  readonly clock: Clock;
  readonly parts: RegistryParts;
  readonly checks: HealthChecks;
  readonly serverAddress: () => string;
}

/** The stages in the order in which they see a request (behaviours 11.1). */
function pipeline(config: ServerConfig, use: PipelineParts): Stage[] {
  const { log, clock, parts } = use;
  const authenticators = [
    clientCertificate,
    ...(config.tokenAuthFile === undefined ? [] : [tokenFile(config.tokenAuthFile)]),
  ];
  const router = routerOf(config, use);
  return [
    auditIdStage(parts.newUid),
    requestLogStage(log, clock),
    headersStage,
    failuresStage(log, respondError),
    deadlineStage(clock, config.requestTimeoutSeconds * 1000),
    authenticateStage(authenticators, log),
    authorizeStage(basicAuthorizer),
    { name: 'dispatch', handle: (exchange) => router.handle(exchange) },
  ];
}

function routerOf(config: ServerConfig, { parts, checks, serverAddress }: PipelineParts): Router {
  const resources = new ResourceHandler({ parts, maxBodyBytes: config.maxRequestBodyBytes });
  const discovery = new Discovery({ catalog: parts.catalog, serverAddress });
  const health = new Health({ checks });
  const index = new PathIndex([() => discovery.paths(), () => health.paths()]);
  return new Router((exchange) => resources.handle(exchange), [discovery, health, index]);
}

async function prepareCredentials(config: ServerConfig, clock: Clock) {
  mkdirSync(config.dataDir, { recursive: true });
  const own = config.tlsCertFile !== undefined && config.tlsPrivateKeyFile !== undefined;
  const generated = await ensureCredentials(config.dataDir, {
    servingNames: own ? undefined : servingNames(config),
    now: clock.now(),
  });
  const { authority, admin } = generated;
  const serving = generated.serving ?? {
    certificate: readPem(config.tlsCertFile ?? ''),
    key: readPem(config.tlsPrivateKeyFile ?? ''),
  };
  const clientAuthorities = [
    authority.certificate,
    ...(config.clientCaFile === undefined ? [] : [readPem(config.clientCaFile)]),
  ];
  return {
    admin,
    authority: own ? serving.certificate : authority.certificate,
    https: { certificate: serving.certificate, key: serving.key, clientAuthorities },
  };
}

function servingNames({ bindAddress, tlsSan }: ServerConfig): string[] {
  const own = isAnyAddress(bindAddress) ? [] : [bindAddress];
  return [...new Set(['localhost', '127.0.0.1', '::1', 'plinth', ...own, ...tlsSan])];
}

function hostOf(bindAddress: string): string {
  if (isAnyAddress(bindAddress)) return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}

function isAnyAddress(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

const DRAIN_MS = 60_000;

/** No new connections; requests under way finish; watches end cleanly, so that clients resume elsewhere. */
async function drain(server: Server, parts: RegistryParts): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  parts.watcher.closeAll();
  server.closeIdleConnections();
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  force.unref();
  await closed;
  clearTimeout(force);
}
