/**
 * Section 4 of each document of the specification: the paths of the kinds and
 * the operations on them, with their parameters where it shows any. For tests.
 */

/** Codes of operations: get, get status, list or watch, create, update, … delete, deletecollection. */
export type Code = 'G' | 'GS' | 'L' | 'C' | 'U' | 'US' | 'P' | 'PS' | 'D' | 'DC';

export interface SpecifiedKind {
  readonly collection: string;
  readonly allNamespaces?: string;
  readonly operations: Readonly<Partial<Record<Code, readonly string[]>>>;
  /** DELETE answers the object. */
  readonly deleteAnswersObject?: boolean;
  /** PUT item/finalize. */
  readonly finalize?: readonly string[];
}

/** What each code means (4.1): method, what is appended to the item or collection path, body, codes of success. */
export const SHAPES: Readonly<
  Record<
    Code,
    {
      readonly method: string;
      readonly on: 'collection' | 'item';
      readonly suffix?: string;
      readonly body?: 'object' | 'Patch' | 'DeleteOptions';
      readonly codes: readonly string[];
      readonly answer: 'object' | 'list' | 'Status';
    }
  >
> = {
  G: { method: 'GET', on: 'item', codes: ['200'], answer: 'object' },
  GS: { method: 'GET', on: 'item', suffix: '/status', codes: ['200'], answer: 'object' },
  L: { method: 'GET', on: 'collection', codes: ['200'], answer: 'list' },
  C: {
    method: 'POST',
    on: 'collection',
    body: 'object',
    codes: ['200', '201', '202'],
    answer: 'object',
  },
  U: { method: 'PUT', on: 'item', body: 'object', codes: ['200', '201'], answer: 'object' },
  US: {
    method: 'PUT',
    on: 'item',
    suffix: '/status',
    body: 'object',
    codes: ['200', '201'],
    answer: 'object',
  },
  P: { method: 'PATCH', on: 'item', body: 'Patch', codes: ['200', '201'], answer: 'object' },
  PS: {
    method: 'PATCH',
    on: 'item',
    suffix: '/status',
    body: 'Patch',
    codes: ['200', '201'],
    answer: 'object',
  },
  D: {
    method: 'DELETE',
    on: 'item',
    body: 'DeleteOptions',
    codes: ['200', '202'],
    answer: 'Status',
  },
  DC: {
    method: 'DELETE',
    on: 'collection',
    body: 'DeleteOptions',
    codes: ['200'],
    answer: 'Status',
  },
};

const words = (text: string): readonly string[] => text.split(' ');

const W = words('dryRun fieldManager fieldValidation pretty');
const W2 = words('dryRun pretty');
const L2 = words('continue limit pretty watch');
const L_FULL = words(
  'allowWatchBookmarks continue fieldSelector labelSelector limit pretty resourceVersion resourceVersionMatch sendInitialEvents timeoutSeconds watch',
);
const D_FULL = words(
  'dryRun gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential pretty propagationPolicy',
);
const DC_FULL = words(
  'continue dryRun fieldSelector gracePeriodSeconds ignoreStoreReadErrorWithClusterBreakingPotential labelSelector limit pretty propagationPolicy resourceVersion resourceVersionMatch sendInitialEvents timeoutSeconds',
);
const force = (set: readonly string[]): readonly string[] => [...set, 'force'];
/** Of get, and of everything whose parameters are not shown. */
const READ = ['pretty'];
const NOT_SHOWN: readonly string[] = [];

const COMMON = {
  G: READ,
  L: NOT_SHOWN,
  C: NOT_SHOWN,
  U: W,
  P: force(W),
  D: NOT_SHOWN,
  DC: NOT_SHOWN,
} as const;
const WITH_STATUS = { ...COMMON, GS: READ, US: W, PS: force(W) } as const;
const WEBHOOKS = {
  G: READ,
  L: L2,
  C: W2,
  U: W2,
  P: force(W2),
  D: W2,
  DC: words('continue dryRun limit pretty'),
} as const;
const EVENT = words('dryRun pretty');

export const SPECIFIED_OPERATIONS: Readonly<Record<string, SpecifiedKind>> = {
  APIService: {
    collection: '/apis/apiregistration.cluster.io/v1/apiservices',
    operations: WITH_STATUS,
  },
  ComponentStatus: {
    collection: '/api/v1/componentstatuses',
    operations: { G: READ, L: NOT_SHOWN },
  },
  Event: {
    collection: '/apis/events.cluster.io/v1/namespaces/{namespace}/events',
    allNamespaces: '/apis/events.cluster.io/v1/events',
    operations: {
      G: READ,
      L: L2,
      C: EVENT,
      U: EVENT,
      P: force(EVENT),
      D: EVENT,
      DC: words('continue dryRun limit pretty'),
    },
  },
  IPAddress: {
    collection: '/apis/networking.cluster.io/v1/ipaddresses',
    operations: COMMON,
  },
  Lease: {
    collection: '/apis/coordination.cluster.io/v1/namespaces/{namespace}/leases',
    allNamespaces: '/apis/coordination.cluster.io/v1/leases',
    operations: COMMON,
  },
  LeaseCandidate: {
    collection: '/apis/coordination.cluster.io/v1beta1/namespaces/{namespace}/leasecandidates',
    allNamespaces: '/apis/coordination.cluster.io/v1beta1/leasecandidates',
    operations: COMMON,
  },
  Namespace: {
    collection: '/api/v1/namespaces',
    operations: {
      G: READ,
      GS: READ,
      L: L2,
      C: W2,
      U: W2,
      US: W2,
      P: force(W2),
      PS: force(W2),
      D: W2,
    },
    finalize: W2,
  },
  ServiceCIDR: {
    collection: '/apis/networking.cluster.io/v1/servicecidrs',
    operations: WITH_STATUS,
  },
  Node: {
    collection: '/api/v1/nodes',
    operations: WITH_STATUS,
  },
  RuntimeClass: {
    collection: '/apis/node.cluster.io/v1/runtimeclasses',
    operations: { G: READ, L: L_FULL, C: W, U: W, P: force(W), D: D_FULL, DC: DC_FULL },
  },
  CustomResourceDefinition: {
    collection: '/apis/apiextensions.cluster.io/v1/customresourcedefinitions',
    operations: WITH_STATUS,
  },
  DeviceClass: {
    collection: '/apis/resource.cluster.io/v1/deviceclasses',
    operations: COMMON,
    deleteAnswersObject: true,
  },
  MutatingWebhookConfiguration: {
    collection: '/apis/admissionregistration.cluster.io/v1/mutatingwebhookconfigurations',
    operations: WEBHOOKS,
  },
  ValidatingWebhookConfiguration: {
    collection: '/apis/admissionregistration.cluster.io/v1/validatingwebhookconfigurations',
    operations: WEBHOOKS,
  },
};
