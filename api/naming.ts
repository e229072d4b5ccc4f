/*
 * The only place that knows how the neutral names of this API and the names of
 * Kubernetes correspond. The server works in neutral names; Kubernetes' own are
 * accepted as input and written where stock clients look for them literally.
 */

// ---------------------------------------------------------------- namespaces

export const DEFAULT_NAMESPACE = 'default';
export const SYSTEM_NAMESPACE = 'cluster-system';
const PUBLIC_NAMESPACE = 'cluster-public';
const NODE_LEASE_NAMESPACE = 'cluster-node-lease';
/** What manifests for Kubernetes expect: namespaces of their own, where aliases are listed. */
export const KUBE_SYSTEM_NAMESPACE = 'kube-system';
const KUBE_PUBLIC_NAMESPACE = 'kube-public';
const KUBE_NODE_LEASE_NAMESPACE = 'kube-node-lease';

/** The ServiceAccount that every namespace has. */
export const DEFAULT_SERVICE_ACCOUNT = 'default';

/** Those of {@link systemNamespaces} that cannot be deleted. */
export function immortalNamespaces(names: KubernetesNames): readonly string[] {
  const neutral = [DEFAULT_NAMESPACE, SYSTEM_NAMESPACE, PUBLIC_NAMESPACE];
  return names === 'listed' ? [...neutral, KUBE_SYSTEM_NAMESPACE, KUBE_PUBLIC_NAMESPACE] : neutral;
}

/** Namespaces that exist from the start. */
export function systemNamespaces(names: KubernetesNames): readonly string[] {
  const leases =
    names === 'listed' ? [NODE_LEASE_NAMESPACE, KUBE_NODE_LEASE_NAMESPACE] : [NODE_LEASE_NAMESPACE];
  return [...immortalNamespaces(names), ...leases];
}

// ---------------------------------------------------------------- finalizers

/** In `spec.finalizers` of every namespace until its contents are gone. */
export const NAMESPACE_FINALIZER = 'cluster';
/** The same in manifests that were read from Kubernetes. */
export const KUBERNETES_NAMESPACE_FINALIZER = 'kubernetes';
/** In `metadata.finalizers` while dependents lose their owner reference. */
export const ORPHAN_FINALIZER = 'orphan';
/** In `metadata.finalizers` while dependents are deleted first. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion';
/** On a CustomResourceDefinition while its custom resources are deleted. */
export const CRD_CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.cluster.io';
/** On a ServiceCIDR while addresses of it are in use. */
export const SERVICE_CIDR_FINALIZER = 'networking.cluster.io/service-cidr-finalizer';
/** On a revoked CertificateSigningRequest until its certificate would have expired. */
export const REVOKED_FINALIZER = 'certificates.cluster.io/revoked';

// ---------------------------------------------------- labels and annotations

/** Every namespace carries its name in this label. */
export const METADATA_NAME_LABEL = 'cluster.io/metadata.name';
/** The same as manifests for Kubernetes select by it. */
export const KUBERNETES_METADATA_NAME_LABEL = 'kubernetes.io/metadata.name';
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
/** The same as roles in manifests for Kubernetes have it. */
export const KUBERNETES_RBAC_AGGREGATE_LABEL = 'rbac.authorization.k8s.io/aggregate-to';
/** On the bookmark that ends the initial events of a watch; clients look for it literally. */
export const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';
/** Where client-side apply keeps what it applied last. Written by kubectl itself, so it keeps its name. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
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
/** On the audit events of requests that read several resources: which. */
export const AUDIT_RESOURCES_ANNOTATION = 'query.cluster.io/resources';
/** On audit events that have lost an object for its size. */
export const AUDIT_TRUNCATED_ANNOTATION = 'audit.k8s.io/truncated';
/** What audit policies and events call themselves; the tools that read them know no other name. */
export const AUDIT_API_VERSION = 'audit.k8s.io/v1';
/** Audit annotations that hold patches of webhooks, and so parts of objects, begin with this. */
export const PATCH_AUDIT_PREFIX = 'patch.webhook.admission.cluster.io/';

/** What continue tokens call the form that they are written in. */
export const CONTINUE_TOKEN_VERSION = 'meta.k8s.io/v1';
/** A protocol that begins so carries a bearer token, where a browser cannot set headers. */
export const BEARER_PROTOCOL_PREFIX = 'base64url.bearer.authorization.k8s.io.';

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
} as const;

// -------------------------------------------------------------------- groups

/** What clients are shown of Kubernetes' names: in documents too, only when they ask for them, or nothing. */
export const KUBERNETES_NAMES = ['listed', 'answered', 'off'] as const;
export type KubernetesNames = (typeof KUBERNETES_NAMES)[number];

/** Known by this name only: `kubectl certificate` takes no other. */
export const CERTIFICATES_GROUP = 'certificates.k8s.io';

/** Groups of workloads that have a domain; the neutral name of one has other kinds. */
export const WORKLOAD_DOMAINS = {
  discovery: 'discovery.k8s.io',
  networking: 'networking.k8s.io',
  scheduling: 'scheduling.k8s.io',
  storage: 'storage.k8s.io',
} as const;

const NEUTRAL_DOMAIN = '.cluster.io';
const KUBERNETES_DOMAIN = '.k8s.io';

/**
 * First parts of the groups that have an alias: Kubernetes' name for the same
 * group. Every rule, reference and configuration may use either name and means
 * the same group; what is served under one is served under the other. A closed
 * list: the group of a custom resource such as `gateway.networking.k8s.io` has
 * one name only.
 */
const ALIASED: ReadonlySet<string> = new Set([
  'admission',
  'admissionregistration',
  'apidiscovery',
  'apiextensions',
  'apiregistration',
  'apiserver.config',
  'audit',
  'authentication',
  'authorization',
  'coordination',
  'events',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'meta',
  'networking',
  'node',
  'rbac.authorization',
  'resource',
]);

function swapDomain(group: string, from: string, to: string): string {
  if (!group.endsWith(from)) return group;
  const stem = group.slice(0, -from.length);
  return ALIASED.has(stem) ? stem + to : group;
}

/** `coordination.cluster.io` → `coordination.k8s.io`; groups without an alias stay as they are. */
export function aliasGroup(group: string): string {
  return swapDomain(group, NEUTRAL_DOMAIN, KUBERNETES_DOMAIN);
}

/** `coordination.k8s.io` → `coordination.cluster.io`; other groups stay as they are. */
export function neutralGroup(group: string): string {
  return swapDomain(group, KUBERNETES_DOMAIN, NEUTRAL_DOMAIN);
}

/**
 * Is this the alias of a group? Such names are reserved, also where they are not
 * answered: no definition and no APIService may claim one.
 */
export function isAlias(group: string): boolean {
  return neutralGroup(group) !== group;
}

/**
 * Groups without a domain whose kinds definitions may bring, where the server
 * allows it: those of workloads, and the group without a name, which `spec.group`
 * calls `core`.
 */
const WORKLOAD_GROUPS: ReadonlySet<string> = new Set([
  'apps',
  'autoscaling',
  'batch',
  'core',
  'extensions',
  'policy',
]);
const NAMELESS_GROUP = 'core';

/** Has the group no domain, and may definitions yet bring kinds for it? */
export function isWorkloadGroup(group: string): boolean {
  return WORKLOAD_GROUPS.has(group);
}

/** Is this a group that definitions may use only where built-in groups are allowed? */
export function isBuiltinGroup(group: string): boolean {
  return isWorkloadGroup(group) || isAlias(group);
}

/** The group that serves what a definition with this `spec.group` declares, by its neutral name. */
export function servedGroup(group: string): string {
  return group === NAMELESS_GROUP ? '' : neutralGroup(group);
}

/** What a definition for this group, by its neutral name, may call it in `spec.group`. */
export function definitionGroups(group: string): string[] {
  return group === '' ? [NAMELESS_GROUP] : [group, aliasGroup(group)];
}

/** What is wrong with a definition or APIService in such a group. */
export const RESERVED_GROUP = 'is reserved: it is a name of a group of this server';

/** Is this a group in Kubernetes' own domain, known here or not? */
export function isKubernetesGroup(group: string): boolean {
  return group.endsWith(KUBERNETES_DOMAIN);
}

/** {@link aliasGroup} for an apiVersion. */
export function aliasApiVersion(apiVersion: string): string {
  return mapGroupOf(apiVersion, aliasGroup);
}

/** {@link neutralGroup} for an apiVersion. */
export function neutralApiVersion(apiVersion: string): string {
  return mapGroupOf(apiVersion, neutralGroup);
}

function mapGroupOf(apiVersion: string, map: (group: string) => string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? apiVersion : map(apiVersion.slice(0, slash)) + apiVersion.slice(slash);
}

/** The apiVersions of a configuration file: its group may be named either way. */
export function eitherApiVersion(stem: string, versions: readonly string[]): string[] {
  return [NEUTRAL_DOMAIN, KUBERNETES_DOMAIN].flatMap((domain) =>
    versions.map((version) => `${stem}${domain}/${version}`),
  );
}

/** Groups of the project itself: a CRD in one needs {@link API_APPROVED_ANNOTATION}. */
export function isProtectedGroup(group: string): boolean {
  return ['cluster.io', 'k8s.io', 'kubernetes.io'].some(
    (domain) => group === domain || group.endsWith(`.${domain}`),
  );
}

// ------------------------------------------- resources and fields of a node

/** Domains whose resources, `kubernetes.io/batch`, are the project's own. */
export const NATIVE_DOMAINS = ['cluster.io', 'kubernetes.io'] as const;

/** Fields that name the node agent, by their neutral name. */
export const KUBERNETES_NODE_FIELDS: Readonly<Record<string, string>> = {
  nodeAgentVersion: 'kubeletVersion',
  proxyVersion: 'kubeProxyVersion',
  nodeAgentEndpoint: 'kubeletEndpoint',
  nodeAgentConfigKey: 'kubeletConfigKey',
};
