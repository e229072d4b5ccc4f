import { randomUUID } from 'node:crypto';
import type { Server } from 'node:https';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AdmissionChain } from '../admission/chain.ts';
import { NamespaceLifecycle } from '../admission/plugins/namespace-lifecycle.ts';
import { systemClock, type Clock } from '../api/clock.ts';
import { DEFAULT_NAMESPACE, PUBLIC_NAMESPACE, SYSTEM_NAMESPACE } from '../api/naming.ts';
import { Catalog } from '../registry/catalog.ts';
import { noneConverter } from '../registry/conversion.ts';
import { CustomResources } from '../registry/custom-resources.ts';
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
import { bootstrap } from './bootstrap.ts';
import { FlagError, type ServerConfig } from './flags.ts';
import {
  replicaCheck,
  shutdownCheck,
  startHookCheck,
  storeCheck,
  storeReadinessCheck,
} from './health/checks.ts';
import { HealthChecks, PING } from './health/health-checks.ts';
import { createHttpsServer, listen } from './http/https-server.ts';
import { startLoops } from './loops.ts';
import { meteredStore, StoreMetrics } from './metrics/metered-store.ts';
import { Metrics } from './metrics/metrics.ts';
import { registerReplicaMetrics, registerStoreSize } from './metrics/replica-metrics.ts';
import { writeAdminKubeconfig } from './pki/credentials.ts';
import { hostOf, servingCredentials } from './pki/serving.ts';
import { stagesOf } from './stages.ts';
import { expressListener } from './http/express-adapter.ts';

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
  { store: plainStore, log, clock = systemClock }: ServerDependencies,
): Promise<RunningServer> {
  const gates = parseFeatureGates(config.featureGates);
  if (gates.errors.length > 0) throw new FlagError(gates.errors.join('; '));
  const catalog = new Catalog(builtinDefinitions(gates.gates));
  const storeMetrics = new StoreMetrics();
  const store = meteredStore(plainStore, storeMetrics, clock);
  const onProblem = (message: string, error?: unknown): void => log.warn({ err: error }, message);
  const replica = new Replica({ store, clock, onProblem });
  await replica.start();
  const parts = registryParts(store, replica, clock, catalog);
  const customResources = new CustomResources({ replica, catalog, onProblem });
  const metrics = metricsOf(parts, storeMetrics);
  const bootstrapped = bootstrap(parts);
  await bootstrapped;
  const stopLoops = startLoops(parts, log);

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

  const credentials = await servingCredentials(config, clock);
  let address = '';
  const serverAddress = (): string => address;
  const stages = stagesOf({ config, log, clock, parts, checks, metrics, serverAddress });
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
      await stopLoops();
      await drain(server, parts);
      customResources.stop();
      await replica.stop();
      await store.close();
    },
  };
}

function metricsOf(parts: RegistryParts, storeMetrics: StoreMetrics): Metrics {
  const { store, reader, watcher, catalog, clock } = parts;
  const metrics = new Metrics({ served: catalog, clock });
  metrics.addFamilies(storeMetrics.families());
  metrics.collectProcessMetrics();
  registerReplicaMetrics(metrics.registry, { replica: reader.replica, reader, watcher });
  registerStoreSize(metrics.registry, store);
  return metrics;
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
    views: new Views(noneConverter, (resource) => catalog.current(resource) ?? resource),
    fields: new FieldTracker(noneConverter),
    clock,
    random,
    newUid: randomUUID,
  };
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
