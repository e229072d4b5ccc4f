import { hasOwn, isObject, setOwn, type JsonObject, type JsonValue } from './json.ts';

/*
 * The only place that knows how the neutral names of this API and the names of
 * Kubernetes correspond. The server works in neutral names; Kubernetes' own are
 * accepted as input and written where stock clients look for them literally.
 */

// ---------------------------------------------------------------- namespaces

export const DEFAULT_NAMESPACE = 'default';
export const SYSTEM_NAMESPACE = 'cluster-system';
export const PUBLIC_NAMESPACE = 'cluster-public';
export const NODE_LEASE_NAMESPACE = 'cluster-node-lease';
/** Namespaces that exist from the start; the first three cannot be deleted. */
export const SYSTEM_NAMESPACES: readonly string[] = [
  DEFAULT_NAMESPACE,
  SYSTEM_NAMESPACE,
  PUBLIC_NAMESPACE,
  NODE_LEASE_NAMESPACE,
];

// ---------------------------------------------------------------- finalizers

/** In `spec.finalizers` of every namespace until its contents are gone. */
export const NAMESPACE_FINALIZER = 'cluster';
/** In `metadata.finalizers` while dependents lose their owner reference. */
export const ORPHAN_FINALIZER = 'orphan';
/** In `metadata.finalizers` while dependents are deleted first. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** On a CustomResourceDefinition while its custom resources are deleted. */
export const CRD_CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.cluster.io';
/** On a ServiceCIDR while addresses of it are in use. */
export const SERVICE_CIDR_FINALIZER = 'networking.cluster.io/service-cidr-finalizer';

// ---------------------------------------------------- labels and annotations

/** Every namespace carries its name in this label. */
export const METADATA_NAME_LABEL = 'cluster.io/metadata.name';
/** Marks the identity Leases of servers; the value says what kind of server. */
export const SERVER_IDENTITY_LABEL = 'apiserver.cluster.io/identity';
/** Marks APIServices that the server made itself. */
export const AUTOMANAGED_LABEL = 'aggregator.cluster.io/automanaged';
export const IP_FAMILY_LABEL = 'ipaddress.cluster.io/ip-family';
export const IP_MANAGED_BY_LABEL = 'ipaddress.cluster.io/managed-by';
/** Marks roles and bindings that the server keeps in shape at its start. */
export const BOOTSTRAP_LABEL = 'cluster.io/bootstrapping';
/** `false` keeps the server from repairing a role or binding of its own. */
export const RBAC_AUTOUPDATE_ANNOTATION = 'rbac.authorization.cluster.io/autoupdate';
/** `<this>-admin`, `-edit` and `-view` add a role to the aggregated role of that name. */
export const RBAC_AGGREGATE_LABEL = 'rbac.authorization.cluster.io/aggregate-to';
/** On the bookmark that ends the initial events of a watch; clients look for it literally. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
/** Written by kubectl itself, so it keeps its name. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
/** A CRD in a protected group needs this annotation, see {@link isProtectedGroup}. */
export const API_APPROVED_ANNOTATION = 'api-approved.cluster.io';
/** The same in definitions that were written for Kubernetes. */
export const KUBERNETES_API_APPROVED_ANNOTATION = 'api-approved.kubernetes.io';
/** Says which server elected the holder of a Lease. */
export const ELECTED_BY_ANNOTATION = 'coordination.cluster.io/elected-by';
/** Taint of a node that has just been made. */
export const NOT_READY_TAINT = 'node.cluster.io/not-ready';
/** Keys of audit annotations that say what authorization decided; readers of audit logs look for them literally. */
export const AUDIT_DECISION_ANNOTATION = 'authorization.k8s.io/decision';
export const AUDIT_REASON_ANNOTATION = 'authorization.k8s.io/reason';
/** On the audit events of requests for a version that will go. */
export const AUDIT_DEPRECATED_ANNOTATION = 'k8s.io/deprecated';
/** On audit events that have lost an object for its size. */
export const AUDIT_TRUNCATED_ANNOTATION = 'audit.k8s.io/truncated';
/** What audit policies and events call themselves; the tools that read them know no other name. */
export const AUDIT_API_VERSION = 'audit.k8s.io/v1';
/** Audit annotations that hold patches of webhooks, and so parts of objects, begin with this. */
export const PATCH_AUDIT_PREFIX = 'patch.webhook.admission.cluster.io/';

/** The ServiceCIDR that the server makes of its own configuration. */
export const DEFAULT_SERVICE_CIDR = 'cluster';

// --------------------------------------------------------------- media types

export const MEDIA_TYPE = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  jsonPatch: 'application/json-patch+json',
  mergePatch: 'application/merge-patch+json',
  strategicMergePatch: 'application/strategic-merge-patch+json',
  applyYaml: 'application/apply-patch+yaml',
  openApiV2Protobuf: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
  openApiV3Protobuf: 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
} as const;

// -------------------------------------------------------------------- groups

const NEUTRAL_DOMAIN = '.cluster.io';
const KUBERNETES_DOMAIN = '.k8s.io';

interface TwoNames {
  /** The paths of the group exist under both names. */
  readonly servedUnderBoth?: true;
}

/**
 * First parts of the groups that have two names: every rule, reference and
 * configuration may use either name and means the same group. Some are served
 * under both, because clients ask for them by Kubernetes' own, whatever
 * discovery says (`kubectl auth can-i`, `kubectl create clusterrolebinding`,
 * leader election and event recorders of controllers). A closed list: a custom
 * resource's group such as `gateway.networking.k8s.io` is the user's own.
 */
const GROUPS: ReadonlyMap<string, TwoNames> = new Map<string, TwoNames>([
  ['admission', {}],
  ['admissionregistration', {}],
  ['apidiscovery', {}],
  ['apiextensions', {}],
  ['apiregistration', {}],
  ['audit', {}],
  ['authentication', { servedUnderBoth: true }],
  ['authorization', { servedUnderBoth: true }],
  ['coordination', { servedUnderBoth: true }],
  ['events', { servedUnderBoth: true }],
  ['flowcontrol.apiserver', {}],
  ['internal.apiserver', {}],
  ['meta', {}],
  ['networking', {}],
  ['node', {}],
  ['rbac.authorization', { servedUnderBoth: true }],
  ['resource', {}],
]);

const SERVED_UNDER_BOTH: ReadonlySet<string> = new Set(
  [...GROUPS]
    .filter(([, { servedUnderBoth }]) => servedUnderBoth === true)
    .map(([stem]) => stem + KUBERNETES_DOMAIN),
);

function swapDomain(group: string, from: string, to: string): string {
  if (!group.endsWith(from)) return group;
  const stem = group.slice(0, -from.length);
  return GROUPS.has(stem) ? stem + to : group;
}

/** `coordination.cluster.io` → `coordination.k8s.io`; groups with one name stay as they are. */
export function kubernetesGroup(group: string): string {
  return swapDomain(group, NEUTRAL_DOMAIN, KUBERNETES_DOMAIN);
}

/** `coordination.k8s.io` → `coordination.cluster.io`; groups with one name stay as they are. */
export function neutralGroup(group: string): string {
  return swapDomain(group, KUBERNETES_DOMAIN, NEUTRAL_DOMAIN);
}

/** Is this the second name of a group that is served under both? */
export function isSecondName(group: string): boolean {
  return SERVED_UNDER_BOTH.has(group);
}

/** What is wrong with a definition or APIService in such a group. */
export const RESERVED_GROUP = 'is reserved: it is a name of a group of this server';

/**
 * Is this the second name of a group, served under it or not? Such names are
 * reserved: no definition and no APIService may claim one.
 */
export function isReservedGroup(group: string): boolean {
  return neutralGroup(group) !== group;
}

/** Is this a group in Kubernetes' own domain, known here or not? */
export function isKubernetesGroup(group: string): boolean {
  return group.endsWith(KUBERNETES_DOMAIN);
}

/** {@link kubernetesGroup} for an apiVersion. */
export function kubernetesApiVersion(apiVersion: string): string {
  return mapGroupOf(apiVersion, kubernetesGroup);
}

/** {@link neutralGroup} for an apiVersion. */
export function neutralApiVersion(apiVersion: string): string {
  return mapGroupOf(apiVersion, neutralGroup);
}

function mapGroupOf(apiVersion: string, map: (group: string) => string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? apiVersion : map(apiVersion.slice(0, slash)) + apiVersion.slice(slash);
}

/** Groups of the project itself: a CRD in one needs {@link API_APPROVED_ANNOTATION}. */
export function isProtectedGroup(group: string): boolean {
  return ['cluster.io', 'k8s.io', 'kubernetes.io'].some(
    (domain) => group === domain || group.endsWith(`.${domain}`),
  );
}

// --------------------------------------------------------- fields of a node

/** Fields that name the node agent, by their neutral name. */
export const KUBERNETES_NODE_FIELDS: Readonly<Record<string, string>> = {
  nodeAgentVersion: 'kubeletVersion',
  proxyVersion: 'kubeProxyVersion',
  nodeAgentEndpoint: 'kubeletEndpoint',
  nodeAgentConfigKey: 'kubeletConfigKey',
};

// ---------------------------------------------------- extensions of a schema

/** Where client-side apply keeps what it applied last. kubectl itself writes this name. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** Which of the two spellings to write. */
export type Dialect = 'neutral' | 'kubernetes';

export const KUBERNETES_EXTENSION = 'x-kubernetes-';

const EXTENSION_PREFIX: Readonly<Record<Dialect, string>> = {
  neutral: 'x-cluster-',
  kubernetes: KUBERNETES_EXTENSION,
};

/** `x-kubernetes-list-type` ↔ `x-cluster-list-type`; other keys stay as they are. */
export function extensionKey(key: string, to: Dialect): string {
  const from = EXTENSION_PREFIX[to === 'neutral' ? 'kubernetes' : 'neutral'];
  return key.startsWith(from) ? EXTENSION_PREFIX[to] + key.slice(from.length) : key;
}

/** Keywords whose value maps names of the user's choice to schemas. */
const SCHEMA_MAPS = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);
/** Keywords whose value is a schema, or a list of them. */
const SCHEMAS = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
]);

/**
 * The schema with the extension keys of every level in the other spelling.
 * Only keywords are renamed: never the name of a property, and nothing inside
 * `default`, `enum`, `example` or the value of an extension. Where a schema has
 * both spellings of a key, the one asked for stays. A schema that needs no
 * change is returned as it is; the depth is bounded by the parser's limit.
 */
export function mapSchemaExtensions(schema: JsonObject, to: Dialect): JsonObject {
  const mapped: JsonObject = {};
  let isChanged = false;
  for (const key of Object.keys(schema)) {
    const value = schema[key] as JsonValue;
    const name = extensionKey(key, to);
    const item = mapKeyword(key, value, to);
    isChanged ||= name !== key || item !== value;
    if (name === key || !hasOwn(schema, name)) setOwn(mapped, name, item);
  }
  return isChanged ? mapped : schema;
}

function mapKeyword(key: string, value: JsonValue, to: Dialect): JsonValue {
  if (SCHEMAS.has(key)) {
    return Array.isArray(value)
      ? sameOr(
          value,
          value.map((item) => mapSchema(item, to)),
        )
      : mapSchema(value, to);
  }
  if (!SCHEMA_MAPS.has(key) || !isObject(value)) return value;
  const mapped: JsonObject = {};
  let isChanged = false;
  for (const name of Object.keys(value)) {
    const schema = value[name] as JsonValue;
    const item = mapSchema(schema, to);
    isChanged ||= item !== schema;
    setOwn(mapped, name, item);
  }
  return isChanged ? mapped : value;
}

/** Where a schema may stand there may also be a boolean, or a list of names. */
function mapSchema(value: JsonValue, to: Dialect): JsonValue {
  return isObject(value) ? mapSchemaExtensions(value, to) : value;
}

function sameOr(before: JsonValue[], after: JsonValue[]): JsonValue[] {
  return after.some((item, i) => item !== before[i]) ? after : before;
}
