import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { isAlias, neutralGroup, WORKLOAD_DOMAINS, type KubernetesNames } from '../../api/naming.ts';
import type { JsonObject } from '../../api/json.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textAt } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';

/** A kind that clients list and watch without asking whether there is any. */
interface EmptyView {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly isOfCluster?: true;
  /** Does `kubectl get all` show it? */
  readonly isInAll?: true;
  /** Selectable fields: `spec.nodeName`. */
  readonly fields?: readonly string[];
}

const CORE: readonly EmptyView[] = [
  { kind: 'Endpoints', plural: 'endpoints', shortNames: ['ep'] },
  { kind: 'LimitRange', plural: 'limitranges', shortNames: ['limits'] },
  { kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', shortNames: ['pvc'] },
  {
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    shortNames: ['pv'],
    isOfCluster: true,
  },
  {
    kind: 'Pod',
    plural: 'pods',
    shortNames: ['po'],
    isInAll: true,
    fields: [
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
      'status.podIPs',
    ],
  },
  { kind: 'PodTemplate', plural: 'podtemplates' },
  {
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    shortNames: ['rc'],
    isInAll: true,
    fields: ['status.replicas'],
  },
  {
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    isInAll: true,
    fields: ['spec.clusterIP', 'spec.type'],
  },
];

/** What controllers watch, and `kubectl get all` and `apply --prune` ask for, in groups of their own. */
const GROUPED: readonly (EmptyView & { readonly group: string; readonly version: string })[] = [
  { group: 'apps', version: 'v1', kind: 'ControllerRevision', plural: 'controllerrevisions' },
  ...[
    { kind: 'DaemonSet', plural: 'daemonsets', shortNames: ['ds'] },
    { kind: 'Deployment', plural: 'deployments', shortNames: ['deploy'] },
    { kind: 'ReplicaSet', plural: 'replicasets', shortNames: ['rs'], fields: ['status.replicas'] },
    { kind: 'StatefulSet', plural: 'statefulsets', shortNames: ['sts'] },
  ].map((view) => ({ group: 'apps', version: 'v1', isInAll: true as const, ...view })),
  {
    ...{ group: 'autoscaling', version: 'v2', isInAll: true },
    ...{ kind: 'HorizontalPodAutoscaler', plural: 'horizontalpodautoscalers', shortNames: ['hpa'] },
  },
  {
    ...{ group: 'batch', version: 'v1', isInAll: true },
    ...{ kind: 'CronJob', plural: 'cronjobs', shortNames: ['cj'] },
  },
  {
    ...{ group: 'batch', version: 'v1', isInAll: true, kind: 'Job', plural: 'jobs' },
    fields: ['status.successful'],
  },
  {
    ...{ group: WORKLOAD_DOMAINS.discovery, version: 'v1' },
    ...{ kind: 'EndpointSlice', plural: 'endpointslices' },
  },
  ...[
    { kind: 'Ingress', plural: 'ingresses', shortNames: ['ing'] },
    { kind: 'IngressClass', plural: 'ingressclasses', isOfCluster: true as const },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', shortNames: ['netpol'] },
  ].map((view) => ({ group: WORKLOAD_DOMAINS.networking, version: 'v1', ...view })),
  {
    ...{ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget' },
    ...{ plural: 'poddisruptionbudgets', shortNames: ['pdb'] },
  },
  {
    ...{ group: WORKLOAD_DOMAINS.scheduling, version: 'v1', kind: 'PriorityClass' },
    ...{ plural: 'priorityclasses', shortNames: ['pc'], isOfCluster: true },
  },
  {
    ...{ group: WORKLOAD_DOMAINS.storage, version: 'v1', kind: 'StorageClass' },
    ...{ plural: 'storageclasses', shortNames: ['sc'], isOfCluster: true },
  },
];

/**
 * Kinds of workloads that are read only, and of which there never is an object,
 * unless a definition brings the kind. Without the names of Kubernetes those of
 * the core group alone. Source: behaviours 1.15.
 */
export function emptyViewDefinitions(names: KubernetesNames): readonly ResourceDefinition[] {
  const core = CORE.map((view) => definitionOf('', 'v1', view));
  if (names === 'off') return core;
  return [...core, ...GROUPED.map((view) => definitionOf(view.group, view.version, view))];
}

function definitionOf(
  group: string,
  version: string,
  { kind: name, plural, shortNames = [], isOfCluster, isInAll, fields = [] }: EmptyView,
): ResourceDefinition {
  return builtinDefinition({
    ...{ group: neutralGroup(group), version, kind: name, plural, shortNames },
    ...(isAlias(group) ? { aliasOnly: true } : {}),
    namespaced: isOfCluster !== true,
    ...(isInAll === undefined ? {} : { categories: ['all'] }),
    givesWay: true,
    verbs: ['get', 'list', 'watch'],
    schema: kind(
      `io.cluster.${group === '' ? 'core' : group}.${version}.${name}`,
      {},
      { description: 'There is none: this server runs no workloads.' },
    ),
    strategy: {
      validateName: nameIsDnsSubdomain,
      createOnUpdate: false,
      unconditionalUpdate: false,
    },
    selectableFields: new Map(
      fields.map((field) => [
        field,
        (object: JsonObject): string => textAt(object, ...field.split('.')),
      ]),
    ),
    columns: [nameColumn, ageColumn],
  });
}
