import { message, type Message } from './message.ts';

const OwnerReference = message({
  apiVersion: [5, 'string'],
  kind: [1, 'string'],
  name: [3, 'string'],
  uid: [4, 'string'],
  controller: [6, 'bool'],
  blockOwnerDeletion: [7, 'bool'],
});

const ManagedFieldsEntry = message({
  manager: [1, 'string'],
  operation: [2, 'string'],
  apiVersion: [3, 'string'],
  time: [4, 'time'],
  fieldsType: [6, 'string'],
  fieldsV1: [7, 'json'],
  subresource: [8, 'string'],
});

export const ObjectMeta = message({
  name: [1, 'string'],
  generateName: [2, 'string'],
  namespace: [3, 'string'],
  selfLink: [4, 'string'],
  uid: [5, 'string'],
  resourceVersion: [6, 'string'],
  generation: [7, 'int64'],
  creationTimestamp: [8, 'time'],
  deletionTimestamp: [9, 'time'],
  deletionGracePeriodSeconds: [10, 'int64'],
  labels: [11, 'string', 'map'],
  annotations: [12, 'string', 'map'],
  ownerReferences: [13, OwnerReference, 'many'],
  finalizers: [14, 'string', 'many'],
  managedFields: [17, ManagedFieldsEntry, 'many'],
});

const Preconditions = message({ uid: [1, 'string'], resourceVersion: [2, 'string'] });

export const DeleteOptions = message({
  gracePeriodSeconds: [1, 'int64'],
  preconditions: [2, Preconditions],
  orphanDependents: [3, 'bool'],
  propagationPolicy: [4, 'string'],
  dryRun: [5, 'string', 'many'],
  ignoreStoreReadErrorWithClusterBreakingPotential: [6, 'bool'],
});

/** A requirement of a selector, of labels or fields. */
export const SelectorRequirement = message({
  key: [1, 'string'],
  operator: [2, 'string'],
  values: [3, 'string', 'many'],
});

export const LabelSelector = message({
  matchLabels: [1, 'string', 'map'],
  matchExpressions: [2, SelectorRequirement, 'many'],
});

/** An object with metadata, and spec and status where they are given. */
export function kind(spec?: Message, status?: Message): Message {
  return message({
    metadata: [1, ObjectMeta],
    ...(spec === undefined ? {} : { spec: [2, spec] as const }),
    ...(status === undefined ? {} : { status: [spec === undefined ? 2 : 3, status] as const }),
  });
}
