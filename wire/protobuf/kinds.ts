import {
  CoreEvent,
  EventSeries,
  EventSource,
  Namespace,
  Node,
  ObjectReference,
} from './core-messages.ts';
import { message, type Message } from './message.ts';
import { DeleteOptions, kind, ObjectMeta } from './meta-messages.ts';
import { ClusterRole, Role, RoleBinding } from './rbac-messages.ts';
import {
  SelfSubjectAccessReview,
  SelfSubjectReview,
  SelfSubjectRulesReview,
  SubjectAccessReview,
  TokenReview,
} from './review-messages.ts';

const Lease = kind(
  message({
    holderIdentity: [1, 'string'],
    leaseDurationSeconds: [2, 'int32'],
    acquireTime: [3, 'microTime'],
    renewTime: [4, 'microTime'],
    leaseTransitions: [5, 'int32'],
    strategy: [6, 'string'],
    preferredHolder: [7, 'string'],
  }),
);

const LeaseCandidate = kind(
  message({
    leaseName: [1, 'string'],
    pingTime: [2, 'microTime'],
    renewTime: [3, 'microTime'],
    binaryVersion: [4, 'string'],
    emulationVersion: [5, 'string'],
    strategy: [6, 'string'],
  }),
);

const Event = message({
  metadata: [1, ObjectMeta],
  eventTime: [2, 'microTime'],
  series: [3, EventSeries],
  reportingController: [4, 'string'],
  reportingInstance: [5, 'string'],
  action: [6, 'string'],
  reason: [7, 'string'],
  regarding: [8, ObjectReference],
  related: [9, ObjectReference],
  note: [10, 'string'],
  type: [11, 'string'],
  deprecatedSource: [12, EventSource],
  deprecatedFirstTimestamp: [13, 'time'],
  deprecatedLastTimestamp: [14, 'time'],
  deprecatedCount: [15, 'int32'],
});

const KINDS: ReadonlyMap<string, Message> = new Map([
  ['v1 Namespace', Namespace],
  ['v1 Node', Node],
  ['v1 Event', CoreEvent],
  ['coordination.cluster.io/v1 Lease', Lease],
  ['coordination.cluster.io/v1beta1 LeaseCandidate', LeaseCandidate],
  ['events.cluster.io/v1 Event', Event],
  ['authorization.cluster.io/v1 SelfSubjectAccessReview', SelfSubjectAccessReview],
  ['authorization.cluster.io/v1 SubjectAccessReview', SubjectAccessReview],
  ['authorization.cluster.io/v1 LocalSubjectAccessReview', SubjectAccessReview],
  ['authorization.cluster.io/v1 SelfSubjectRulesReview', SelfSubjectRulesReview],
  ['authentication.cluster.io/v1 SelfSubjectReview', SelfSubjectReview],
  ['authentication.cluster.io/v1beta1 SelfSubjectReview', SelfSubjectReview],
  ['authentication.cluster.io/v1alpha1 SelfSubjectReview', SelfSubjectReview],
  ['authentication.cluster.io/v1 TokenReview', TokenReview],
  ['rbac.authorization.cluster.io/v1 ClusterRole', ClusterRole],
  ['rbac.authorization.cluster.io/v1 ClusterRoleBinding', RoleBinding],
  ['rbac.authorization.cluster.io/v1 Role', Role],
  ['rbac.authorization.cluster.io/v1 RoleBinding', RoleBinding],
]);

/** The message of a kind that clients send as protobuf; `apiVersion` in the neutral spelling. */
export function messageOf(apiVersion: string, kindName: string): Message | undefined {
  // Delete options are the same in every group that lends them its name.
  if (kindName === 'DeleteOptions') return DeleteOptions;
  return KINDS.get(`${apiVersion} ${kindName}`);
}
