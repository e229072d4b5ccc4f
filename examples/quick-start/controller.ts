/**
 * A controller: for each Database it keeps one Lease that stands for its
 * primary server, reports the condition Ready, and cleans up before the
 * Database goes.
 *
 * Usage: KUBECONFIG=… node --import tsx controller.ts IDENTITY
 */
import {
  ApiException,
  CoordinationV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { becomeLeader } from './leader.ts';

const GROUP = { group: 'demo.example.com', version: 'v1', plural: 'databases' };
const FINALIZER = 'demo.example.com/cleanup';
const MERGE = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);

interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly lastTransitionTime: string;
}

interface Database extends KubernetesObject {
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly replicas?: number; readonly conditions?: readonly Condition[] };
}

const config = new KubeConfig();
config.loadFromDefault();
const objects = config.makeApiClient(CustomObjectsApi);
const leases = config.makeApiClient(CoordinationV1Api);

/** Brings what exists in line with one Database. Safe to call at any time and any number of times. */
async function reconcile(database: Database): Promise<void> {
  const { name = '', namespace = '', finalizers = [], deletionTimestamp } = database.metadata ?? {};
  const target = { ...GROUP, namespace, name };
  if (deletionTimestamp !== undefined) {
    if (!finalizers.includes(FINALIZER)) return;
    console.log(`cleaned up ${namespace}/${name}`);
    await setFinalizers(
      target,
      finalizers.filter((finalizer) => finalizer !== FINALIZER),
    );
    return;
  }
  if (!finalizers.includes(FINALIZER)) await setFinalizers(target, [...finalizers, FINALIZER]);
  await createPrimary(database);
  const ready = database.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True' && database.status?.replicas === database.spec.replicas) return;
  const condition: Condition = {
    type: 'Ready',
    status: 'True',
    reason: 'PrimaryExists',
    lastTransitionTime:
      ready?.status === 'True' ? ready.lastTransitionTime : new Date().toISOString(),
  };
  const status = { replicas: database.spec.replicas, conditions: [condition] };
  await objects.patchNamespacedCustomObjectStatus({ ...target, body: { status } }, MERGE);
  console.log(`ready: ${namespace}/${name}`);
}

async function setFinalizers(
  target: typeof GROUP & { readonly namespace: string; readonly name: string },
  finalizers: readonly string[],
): Promise<void> {
  await objects.patchNamespacedCustomObject(
    { ...target, body: { metadata: { finalizers } } },
    MERGE,
  );
}

/** The owner reference makes the garbage collector remove the Lease with its Database. */
async function createPrimary({ apiVersion, kind, metadata }: Database): Promise<void> {
  const { name = '', namespace = '', uid = '' } = metadata ?? {};
  const owner = { apiVersion: apiVersion ?? '', kind: kind ?? '', name, uid, controller: true };
  const body = {
    metadata: { name: `${name}-primary`, ownerReferences: [owner] },
    spec: { holderIdentity: `${name}-0` },
  };
  await leases.createNamespacedLease({ namespace, body }).catch((error: unknown) => {
    if (!(error instanceof ApiException && error.code === 409)) throw error;
  });
}

/** Runs `reconcile` for one object at a time, and again after a failure. */
function work(database: Database): void {
  queue = queue
    .then(() => reconcile(database))
    .catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      setTimeout(
        () =>
          work(
            informer.get(database.metadata?.name ?? '', database.metadata?.namespace) ?? database,
          ),
        1000,
      );
    });
}
let queue = Promise.resolve();

await becomeLeader(
  config,
  { namespace: 'default', name: 'database-controller' },
  process.argv[2] ?? 'one',
);
console.log('leading');
const informer = makeInformer<Database>(
  config,
  `/apis/${GROUP.group}/${GROUP.version}/${GROUP.plural}`,
  () => objects.listCustomObjectForAllNamespaces(GROUP) as Promise<KubernetesListObject<Database>>,
);
informer.on('add', work);
informer.on('update', work);
informer.on('error', () => setTimeout(() => void informer.start(), 1000));
await informer.start();
