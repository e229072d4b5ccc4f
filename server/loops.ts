import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { AdmissionChain } from '../admission/chain.ts';
import { SYSTEM_NAMESPACE } from '../api/naming.ts';
import { defaultAccountLoop } from '../controllers/accounts/default-account-loop.ts';
import { requestCleanupLoop } from '../controllers/certificates/cleanup-loop.ts';
import { signingLoop } from '../controllers/certificates/signing-loop.ts';
import { ComparisonLoop } from '../controllers/comparison-loop.ts';
import { CompactionLoop } from '../controllers/compaction-loop.ts';
import { candidateGcLoop } from '../controllers/coordination/candidate-gc-loop.ts';
import { ElectionLoop } from '../controllers/coordination/election-loop.ts';
import { crdCleanupLoop } from '../controllers/crd-cleanup-loop.ts';
import { crdNamesLoop } from '../controllers/crd-names-loop.ts';
import type { ElectorTiming } from '../controllers/election/elector.ts';
import {
  electedOccurrence,
  leaseRegarding,
  newLeaseRegarding,
} from '../controllers/events/elections.ts';
import { eventLoop } from '../controllers/events/event-loop.ts';
import { ProblemLoop } from '../controllers/events/problem-loop.ts';
import type { EventRecorder } from '../controllers/events/recorder.ts';
import { GarbageLoop } from '../controllers/garbage/garbage-loop.ts';
import { IdentityLoop } from '../controllers/identity/identity-loop.ts';
import { leaseGcLoop } from '../controllers/identity/lease-gc-loop.ts';
import type { Loop } from '../controllers/loop.ts';
import { LoopManager } from '../controllers/manager.ts';
import { NamespaceLoop } from '../controllers/namespaces/namespace-loop.ts';
import { systemNamespacesLoop } from '../controllers/namespaces/system-namespaces-loop.ts';
import { ServiceCidrLoop } from '../controllers/service-cidrs/service-cidr-loop.ts';
import { quotaLoop } from '../controllers/quotas/quota-loop.ts';
import { LoopWriter } from '../controllers/writer.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { FeatureGates } from '../resources/feature-gates.ts';
import { typeCheckLoop } from '../controllers/policy-types-loop.ts';
import { roleAggregationLoop } from '../controllers/role-aggregation-loop.ts';
import type { Aggregation } from './aggregation/aggregation.ts';
import type { ClientSigner } from '../access/certificates/client-signer.ts';
import type { ServerConfig } from '../config/flags.ts';
import type { ComparisonMetrics } from '../telemetry/metrics/comparison-metrics.ts';

/** The Lease through which servers agree on who runs the elected loops. */
const LOCK = { namespace: SYSTEM_NAMESPACE, name: 'plinth-loops' };
/** An embedded store without `--workers` has one server: the Lease only informs readers, and each renewal is a write to disk. */
const ALONE_TIMING: ElectorTiming = {
  durationMs: 60_000,
  renewDeadlineMs: 40_000,
  renewMs: 20_000,
};

interface LoopParts {
  readonly parts: RegistryParts;
  readonly config: ServerConfig;
  readonly gates: FeatureGates;
  readonly log: Logger;
  /** `host:port` by which clients reach this server; known when the loops run. */
  readonly serverAddress: () => string;
  readonly aggregation: Aggregation;
  readonly comparisons: ComparisonMetrics;
  readonly recorder: EventRecorder;
  /** Undefined: certificate signing requests of clients are left to others. */
  readonly signer: ClientSigner | undefined;
}

/** The loops and the election of who runs them; to be started when the server serves. */
export function loopManager(use: LoopParts): LoopManager {
  const { parts, config, log, serverAddress, aggregation } = use;
  const holder = `${hostname()}_${randomUUID()}`;
  const identity = { holder, address: () => `${hostname()}/${serverAddress()}` };
  // no webhook may keep servers from agreeing on who leads, and who lives
  const unadmitted = { ...parts, admission: new AdmissionChain([]) };
  const alone = config.storage === 'embedded' && config.workers === 1;
  return new LoopManager({
    parts,
    unadmitted,
    identity: holder,
    loops: [
      new IdentityLoop(unadmitted, identity),
      ...comparisonLoop(use),
      eventLoop(unadmitted, use.recorder, holder),
      ...electedLoops(use, holder),
      ...aggregation.loops,
    ],
    lock: LOCK,
    timing: alone ? ALONE_TIMING : timingOf(config.leaderElectLeaseDuration),
    alone,
    onElected: (lease) => {
      // the only server of an embedded store elects itself, which needs no Event
      if (alone) return;
      const regarding = lease === undefined ? newLeaseRegarding(LOCK) : leaseRegarding(lease);
      use.recorder.record(electedOccurrence(regarding, holder));
    },
    onProblem: (message, error) => log.warn({ err: error }, message),
  });
}

function comparisonLoop({ parts, config, comparisons }: LoopParts): Loop[] {
  const intervalMs = config.replicaComparisonInterval * 1000;
  if (intervalMs === 0) return [];
  return [
    new ComparisonLoop(parts, { intervalMs, onCompared: (result) => comparisons.compared(result) }),
  ];
}

function electedLoops(use: LoopParts, identity: string): Loop[] {
  const { parts, config, gates, aggregation, recorder, signer } = use;
  const writer = new LoopWriter(parts);
  const compactionMs = config.etcdCompactionInterval * 1000;
  return [
    crdNamesLoop(parts, writer),
    crdCleanupLoop(parts, writer),
    systemNamespacesLoop(parts, writer, config.kubernetesNames),
    defaultAccountLoop(parts, writer),
    quotaLoop(parts, writer),
    new NamespaceLoop(parts, aggregation.content),
    new GarbageLoop(parts, identity),
    leaseGcLoop(parts, writer),
    candidateGcLoop(parts, writer),
    roleAggregationLoop(parts, writer),
    ...(signer === undefined
      ? []
      : [signingLoop(parts, writer, (spec, now) => signer.sign(spec, now))]),
    requestCleanupLoop(parts, writer),
    typeCheckLoop(parts, writer),
    new ProblemLoop(parts, recorder),
    new ServiceCidrLoop(parts, config.serviceClusterIpRange),
    ...(compactionMs > 0 ? [new CompactionLoop(parts, compactionMs)] : []),
    ...(gates.CoordinatedLeaderElection ? [new ElectionLoop(parts, recorder)] : []),
  ];
}

/** A holder gives up well before others take over, and has a second try at renewing before that. */
function timingOf(leaseSeconds: number): ElectorTiming {
  const durationMs = leaseSeconds * 1000;
  return { durationMs, renewDeadlineMs: durationMs * 0.7, renewMs: durationMs * 0.3 };
}
