import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AdmissionChain } from '../admission/chain.ts';
import { WebhookConverter } from '../admission/conversion/webhook-converter.ts';
import { systemClock, type Clock } from '../api/clock.ts';
import { EventRecorder } from '../controllers/events/recorder.ts';
import { Kinds } from '../controllers/kinds.ts';
import { Catalog } from '../registry/catalog.ts';
import { converterFor, type Converter } from '../registry/conversion.ts';
import { CustomResources } from '../registry/custom-resources.ts';
import { FieldTracker } from '../registry/field-tracker.ts';
import { paramSource } from '../registry/param-source.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { Views } from '../registry/views.ts';
import { builtinDefinitions } from '../resources/builtin.ts';
import { emptyViewDefinitions } from '../resources/core/empty-views.ts';
import { coreEventDefinition } from '../resources/events/core-event.ts';
import { REVIEW_DEFINITIONS } from '../resources/reviews.ts';
import type { Store } from '../storage/interface.ts';
import { Reader } from '../watch/reader.ts';
import { Replica } from '../watch/replica.ts';
import { Watcher } from '../watch/watcher.ts';
import { accessOf } from '../access/access.ts';
import type { AttemptCounter } from '../access/sessions/attempts.ts';
import { signerOf } from '../access/certificates/signer-of.ts';
import { admissionChain } from './admission/chain.ts';
import { admissionActivity } from './admission/configured.ts';
import { failureEvents } from './admission/failure-events.ts';
import { Aggregation } from './aggregation/aggregation.ts';
import { appOf } from './app.ts';
import { auditorOf } from '../access/audit/auditor.ts';
import { bootstrapPolicy } from '../controllers/bootstrap-policy.ts';
import { bootstrap, unlessFull } from './bootstrap.ts';
import { atRest, expiringKeys } from './encryption/at-rest.ts';
import { logMessageProblems } from '../telemetry/logs/expression-log.ts';
import type { ServerConfig } from '../config/flags.ts';
import { serverChecks } from '../telemetry/health/server-checks.ts';
import { Connections } from '../http/connections.ts';
import { consoleLink } from './console/link.ts';
import { drain } from './drain.ts';
import { featureGatesOf } from './feature-gates.ts';
import { createHttpsServer, listen } from '../http/https-server.ts';
import { TlsContexts } from '../http/tls-contexts.ts';
import { unsentBudget } from '../http/unsent-budget.ts';
import { loopManager } from './loops.ts';
import { ComparisonMetrics } from '../telemetry/metrics/comparison-metrics.ts';
import { ExtensionMetrics, unavailableFamily } from '../telemetry/metrics/extension-metrics.ts';
import { loopFamilies } from '../telemetry/metrics/loop-metrics.ts';
import { meteredStore, StoreMetrics } from '../telemetry/metrics/metered-store.ts';
import { Metrics } from '../telemetry/metrics/metrics.ts';
import type { Peers } from '../telemetry/metrics/peers.ts';
import { registerReplicaMetrics } from '../telemetry/metrics/replica-metrics.ts';
import { registerStoreState } from '../telemetry/metrics/store-state.ts';
import { registerUnsentMetrics } from '../telemetry/metrics/unsent-metrics.ts';
import { Shutdown } from './overload/shutdown.ts';
import { writeAdminKubeconfig } from '../access/pki/credentials.ts';
import { proxyIdentity } from '../access/pki/proxy-identity.ts';
import { hostOf, keepTlsCurrent, servingCredentials } from '../access/pki/serving.ts';
import { outboundClient } from './outbound.ts';
import { stagesOf } from './stages.ts';
import { expressApplication } from '../http/express-adapter.ts';

const MIB = 1024 * 1024;
const TRIM_PERIOD_MS = 1_000;

interface RunningServer {
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  readonly kubeconfig: string;
  /** Signs in to the console, once; undefined where other machines reach the server. */
  readonly consoleLink: string | undefined;
  readonly parts: RegistryParts;
  /** Drains and stops; the store is closed, too. */
  stop(): Promise<void>;
}

interface ServerDependencies {
  readonly store: Store;
  readonly log: Logger;
  /** True while log lines wait to be written. */
  readonly logBlocked?: () => boolean;
  readonly clock?: Clock;
  /** Other processes that serve the same port. */
  readonly peers?: Peers | undefined;
  /** Counts sign-ins over these processes. */
  readonly attempts?: AttemptCounter | undefined;
}

/**
 * Wires the parts and serves. Everything that can be wrong with the
 * configuration is found before the first request.
 *
 * @throws FlagError or Error with one line for the operator
 */
export async function startServer(
  config: ServerConfig,
  dependencies: ServerDependencies,
): Promise<RunningServer> {
  const failed = new AbortController();
  try {
    return await serve(config, dependencies, failed.signal);
  } catch (error) {
    failed.abort();
    throw error;
  }
}

/** `failed` aborts when the start fails: what runs by then has to end. */
async function serve(
  config: ServerConfig,
  {
    store: plainStore,
    log,
    logBlocked = () => false,
    clock = systemClock,
    peers,
    attempts,
  }: ServerDependencies,
  failed: AbortSignal,
): Promise<RunningServer> {
  const gates = featureGatesOf(config.featureGates);
  const { kubernetesNames, allowBuiltinGroups, eventTtl: eventTtlSeconds } = config;
  const definitions = builtinDefinitions(gates, {
    ...{ eventTtlSeconds, kubernetesNames, allowBuiltinGroups },
  });
  const catalog = new Catalog([
    ...definitions,
    coreEventDefinition(eventTtlSeconds),
    ...emptyViewDefinitions(kubernetesNames),
    ...REVIEW_DEFINITIONS,
  ]);
  const storeMetrics = new StoreMetrics();
  const encryption = atRest({
    ...{ file: config.encryptionProviderConfig, clock, log },
    store: meteredStore(plainStore, storeMetrics, clock),
    expires: expiringKeys(definitions),
  });
  const { store } = encryption;
  const onProblem = (message: string, error?: unknown): void => log.warn({ err: error }, message);
  const onLoading = (objects: number): void => log.info(`${objects} objects read so far`);
  const replica = new Replica({
    ...{ store, clock, onProblem, onLoading },
    indexLimits: { maxBytes: config.replicaIndexMemory * MIB },
  });
  failed.addEventListener('abort', () => void replica.stop());
  await replica.start();
  const client = outboundClient({ config, clock, onProblem });
  const credentials = await servingCredentials(config, clock, onProblem);
  const { clientAuthority } = credentials;
  const shared = { config, store, replica, catalog, client, clock };
  const access = accessOf({ ...shared, clientAuthority, attempts, log });
  const metrics = new Metrics({ served: catalog, clock, peers });
  const stopExpressionLog = logMessageProblems(log, clock);
  const recorder = new EventRecorder(clock);
  const activity = admissionActivity(replica, clock, onProblem);
  const params = paramSource(() => ({ catalog, replica, views: parts.views }));
  const admission = admissionChain({
    ...{ store, replica, catalog, access, params, client, clock, onProblem },
    ...{ observer: metrics.admission, onFailure: failureEvents(recorder) },
    ...{ onDecision: activity.report, kubernetesNames },
  });
  const extensions = new ExtensionMetrics();
  const webhooks = new WebhookConverter({
    ...{ client, clock, newUid: randomUUID },
    onReview: (succeeded, seconds) => extensions.converted(succeeded, seconds),
  });
  const converter = converterFor(webhooks);
  const parts = registryParts({
    ...{ config, store, replica, clock, catalog, converter, admission },
  });
  const customResources = new CustomResources({
    ...{ replica, catalog, onProblem, allowBuiltinGroups },
  });
  registerMetrics(metrics, parts, storeMetrics);
  const bootstrapped = unlessFull(bootstrap(parts, kubernetesNames), onProblem);
  await bootstrapped;
  const policy = unlessFull(bootstrapPolicy(parts, kubernetesNames), onProblem);
  await policy;
  let address = '';
  const serverAddress = (): string => address;
  const identity = await proxyIdentity({ config, clock, onProblem });
  const aggregation = new Aggregation({
    ...{ parts, client, identity, clock, onProblem },
    maxBodyBytes: config.maxRequestBodyBytes,
    onProxied: (name, status) => extensions.proxied(name, status),
  });
  metrics.addFamilies([...encryption.families, ...extensions.families()]);
  metrics.addFamilies([unavailableFamily(() => aggregation.availability())]);
  const comparisons = new ComparisonMetrics();
  metrics.addFamilies(comparisons.families());
  const loops = loopManager({
    ...{ parts, config, gates, log, serverAddress, aggregation, comparisons, recorder },
    signer: await signerOf(config, credentials.signingAuthority),
  });
  metrics.addFamilies(loopFamilies(() => loops.status()));
  const shutdown = new Shutdown(clock);
  const checks = serverChecks({
    ...{ store, storage: config.storage, reader: parts.reader, clock, log, logBlocked },
    startHooks: { bootstrap: bootstrapped, 'rbac/bootstrap-roles': policy },
    stopping: shutdown.begun,
  });
  const auditor = auditorOf({ config, clock, log, client, metrics });
  const stages = stagesOf({
    ...{ config, log, clock, parts, access, checks, metrics, shutdown, auditor, serverAddress },
    ...{ aggregation, activity },
    loops: () => loops.status(),
  });
  const contexts = new TlsContexts(credentials.tls);
  const handle = appOf(stages, clock, kubernetesNames !== 'off');
  const onDefect = (error: unknown): void => log.error({ err: error }, 'no response was sent');
  const maxStreams = config.http2MaxStreamsPerConnection;
  const server = createHttpsServer(
    {
      ...{ tls: contexts, clock, onProblem },
      http2: config.disableHttp2Serving ? undefined : { maxStreams, handle, onDefect },
      requestTimeoutMs: config.requestTimeoutSeconds * 1000,
      onHandshakeError: () => metrics.access.tlsHandshakeFailed(),
    },
    expressApplication(handle, onDefect),
  );
  const connections = new Connections(server);
  const stopTls = keepTlsCurrent({ config, contexts, server, clock, log });
  const { port } = await listen(server, config.bindAddress, config.securePort);
  address = `${hostOf(config.bindAddress)}:${port}`;
  const url = `https://${address}`;
  const kubeconfig = join(config.dataDir, 'admin.kubeconfig');
  writeAdminKubeconfig(kubeconfig, url, credentials.authority, credentials.admin, onProblem);
  loops.start();
  encryption.start();
  const kinds = new Kinds(parts.catalog);
  const isServed = (prefix: string): boolean => kinds.byPrefix(prefix) !== undefined;
  const trim = setInterval(() => replica.trimHistory(isServed), TRIM_PERIOD_MS);
  trim.unref();
  return {
    url,
    kubeconfig,
    consoleLink: await consoleLink({ config, console: access.console, url, peers, onProblem }),
    parts,
    async stop() {
      await shutdown.begin(config.shutdownDelaySeconds * 1000);
      auditor.hurry();
      clearInterval(trim);
      access.stop();
      stopExpressionLog();
      stopTls();
      await encryption.stop();
      await loops.stop();
      aggregation.stop();
      const graceMs = config.shutdownGraceSeconds * 1000;
      await drain({ server, connections, watcher: parts.watcher, shutdown, clock, graceMs });
      await auditor.close();
      client.close();
      customResources.stop();
      await replica.stop();
      await store.close();
    },
  };
}

function registerMetrics(metrics: Metrics, parts: RegistryParts, storeMetrics: StoreMetrics): void {
  const { store, reader, watcher } = parts;
  metrics.addFamilies(storeMetrics.families());
  metrics.collectProcessMetrics();
  registerReplicaMetrics(metrics.registry, { replica: reader.replica, reader, watcher });
  registerStoreState(metrics.registry, store);
  registerUnsentMetrics(metrics.registry, unsentBudget);
}

interface Wiring {
  readonly config: ServerConfig;
  readonly store: Store;
  readonly replica: Replica;
  readonly clock: Clock;
  readonly catalog: Catalog;
  readonly converter: Converter;
  readonly admission: AdmissionChain;
}

function registryParts(wiring: Wiring): RegistryParts {
  const { config, store, replica, clock, catalog, converter, admission } = wiring;
  const random = Math.random;
  return {
    store,
    reader: new Reader(store, replica, clock),
    watcher: new Watcher({ store, replica, clock, random }),
    catalog,
    admission,
    views: new Views(
      converter,
      (resource) => catalog.current(resource) ?? resource,
      config.kubernetesNames === 'off' ? 'declared' : 'any',
    ),
    fields: new FieldTracker(converter),
    clock,
    random,
    newUid: randomUUID,
    minWatchMs: config.minRequestTimeoutSeconds * 1000,
  };
}
