import type { JsonObject } from '../../api/json.ts';
import {
  BOOTSTRAP_LABEL,
  KUBERNETES_RBAC_AGGREGATE_LABEL,
  RBAC_AGGREGATE_LABEL,
  RBAC_AUTOUPDATE_ANNOTATION,
  WORKLOAD_DOMAINS,
  type KubernetesNames,
} from '../../api/naming.ts';
import { RBAC_GROUP } from './roles.ts';
import { FULL_AUTHORITY, rule, ruleObject, type PolicyRule } from './rules.ts';

/*
 * The roles and bindings that every server has, by the names and with the
 * rights that people expect of them. Source: behaviours 10.5; rights on kinds
 * that this API does not have are left out.
 */

const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'deletecollection', 'patch', 'update'];
const READ_WRITE = [...READ, ...WRITE].sort();

const COORDINATION = 'coordination.cluster.io';
const EVENTS = 'events.cluster.io';
const AUTHENTICATION = 'authentication.cluster.io';
const AUTHORIZATION = 'authorization.cluster.io';

const AUTHENTICATED = 'system:authenticated';
const UNAUTHENTICATED = 'system:unauthenticated';
const MONITORING = 'system:monitoring';

interface DefaultRole {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** Names of aggregated roles that this one is a part of. */
  readonly partOf?: readonly string[];
  /** Put together from the roles that are part of it; `rules` says nothing then. */
  readonly aggregates?: boolean;
}

interface DefaultBinding {
  readonly role: string;
  readonly groups: readonly string[];
}

const on = (verbs: readonly string[], group: string, ...resources: string[]): PolicyRule =>
  rule({ verbs, apiGroups: [group], resources });

const paths = (...nonResourceURLs: string[]): PolicyRule =>
  rule({ verbs: ['get'], nonResourceURLs });

const HEALTH = ['/healthz', '/livez', '/readyz'];

export const DEFAULT_ROLES: readonly DefaultRole[] = [
  { name: 'cluster-admin', rules: FULL_AUTHORITY },
  // What belongs to the users of a namespace: to look at, to work with, to hand out.
  { name: 'admin', rules: [], aggregates: true },
  { name: 'edit', rules: [], aggregates: true, partOf: ['admin'] },
  { name: 'view', rules: [], aggregates: true, partOf: ['edit'] },
  {
    name: 'system:aggregate-to-admin',
    partOf: ['admin'],
    rules: [
      on(['create'], AUTHORIZATION, 'localsubjectaccessreviews'),
      on(READ_WRITE, RBAC_GROUP, 'rolebindings', 'roles'),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: ['edit'],
    rules: [
      on(WRITE, COORDINATION, 'leasecandidates', 'leases'),
      on(WRITE, '', 'configmaps', 'events', 'secrets', 'serviceaccounts'),
      // not in view: a reader of a token may do what its account may
      on(READ, '', 'secrets'),
      on(['impersonate'], '', 'serviceaccounts'),
      on(['create'], '', 'serviceaccounts/token'),
      on(WRITE, EVENTS, 'events'),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: ['view'],
    rules: [
      on(READ, COORDINATION, 'leasecandidates', 'leases'),
      on(
        READ,
        '',
        ...['configmaps', 'events', 'namespaces', 'namespaces/status', 'serviceaccounts'],
        ...['resourcequotas', 'resourcequotas/status'],
        // always empty
        ...['endpoints', 'limitranges', 'persistentvolumeclaims', 'pods', 'podtemplates'],
        ...['replicationcontrollers', 'services'],
      ),
      // always empty, unless a definition brings them
      on(
        READ,
        'apps',
        ...['controllerrevisions', 'daemonsets', 'deployments', 'replicasets', 'statefulsets'],
      ),
      on(READ, 'autoscaling', 'horizontalpodautoscalers'),
      on(READ, 'batch', 'cronjobs', 'jobs'),
      on(READ, WORKLOAD_DOMAINS.discovery, 'endpointslices'),
      on(READ, 'networking.cluster.io', 'ingresses', 'networkpolicies'),
      on(READ, 'policy', 'poddisruptionbudgets'),
      on(READ, EVENTS, 'events'),
    ],
  },
  // What every authenticated user may do, and what needs no credential.
  {
    name: 'system:basic-user',
    rules: [
      on(['create'], AUTHORIZATION, 'selfsubjectaccessreviews', 'selfsubjectrulesreviews'),
      on(['create'], AUTHENTICATION, 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:discovery',
    rules: [
      paths(
        ...['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez'],
        ...['/openapi', '/openapi/*', '/readyz', '/version', '/version/'],
      ),
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [paths('/.well-known/openid-configuration', '/openid/v1/jwks')],
  },
  { name: 'system:public-info-viewer', rules: [paths(...HEALTH, '/version', '/version/')] },
  // For programs: scrapers, servers that ask this one whom they have before them, agents of nodes.
  {
    name: 'system:monitoring',
    rules: [paths(...HEALTH.flatMap((path) => [path, `${path}/*`]), '/metrics', '/metrics/slis')],
  },
  {
    name: 'system:auth-delegator',
    rules: [
      on(['create'], AUTHENTICATION, 'tokenreviews'),
      on(['create'], AUTHORIZATION, 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:node',
    rules: [
      on(['create', ...READ], '', 'nodes'),
      on(['patch', 'update'], '', 'nodes', 'nodes/status'),
      on(['create', 'patch', 'update'], '', 'events'),
      on(['create', 'patch', 'update'], EVENTS, 'events'),
      on(['create', 'delete', 'get', 'patch', 'update'], COORDINATION, 'leases'),
      on(READ, 'node.cluster.io', 'runtimeclasses'),
      on(['create'], AUTHENTICATION, 'tokenreviews'),
      on(['create'], AUTHORIZATION, 'localsubjectaccessreviews', 'subjectaccessreviews'),
    ],
  },
];

/** Other roles have no subjects at first. */
export const DEFAULT_BINDINGS: readonly DefaultBinding[] = [
  { role: 'cluster-admin', groups: ['system:masters'] },
  { role: 'system:basic-user', groups: [AUTHENTICATED] },
  { role: 'system:discovery', groups: [AUTHENTICATED] },
  { role: 'system:monitoring', groups: [MONITORING] },
  { role: 'system:service-account-issuer-discovery', groups: ['system:serviceaccounts'] },
  { role: 'system:public-info-viewer', groups: [AUTHENTICATED, UNAUTHENTICATED] },
];

const META = {
  labels: { [BOOTSTRAP_LABEL]: 'rbac-defaults' },
  annotations: { [RBAC_AUTOUPDATE_ANNOTATION]: 'true' },
};

export type DefaultObject = JsonObject & { metadata: JsonObject & { name: string } };

/** Parts and wholes know each other by the labels of Kubernetes, too, unless its names are off. */
export function roleObject(
  { name, rules, partOf = [], aggregates }: DefaultRole,
  names: KubernetesNames,
): DefaultObject {
  const keys =
    names === 'off'
      ? [RBAC_AGGREGATE_LABEL]
      : [RBAC_AGGREGATE_LABEL, KUBERNETES_RBAC_AGGREGATE_LABEL];
  const marks = (whole: string): string[] => keys.map((key) => `${key}-${whole}`);
  const labels: JsonObject = Object.fromEntries(
    partOf.flatMap(marks).map((label) => [label, 'true']),
  );
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRole',
    metadata: { name, labels: { ...META.labels, ...labels }, annotations: META.annotations },
    rules: rules.map(ruleObject),
    ...(aggregates === true
      ? {
          aggregationRule: {
            clusterRoleSelectors: marks(name).map((label) => ({
              matchLabels: { [label]: 'true' },
            })),
          },
        }
      : {}),
  };
}

/** The ClusterRoleBinding of a default role; it has the role's name. */
export function bindingObject({ role, groups }: DefaultBinding): DefaultObject {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: role, labels: META.labels, annotations: META.annotations },
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: role },
    subjects: groups.map((name) => ({ apiGroup: RBAC_GROUP, kind: 'Group', name })),
  };
}
