import { boolean, int32, int64, list, map, string, struct, time, use } from './dsl.ts';
import { ListMeta } from './object-meta.ts';

/** Types that several kinds share, and those that requests and answers consist of. */

export const LabelSelectorRequirement = struct(
  'io.cluster.meta.v1.LabelSelectorRequirement',
  {
    key: string({ required: true, description: 'The label that is looked at.' }),
    operator: string({
      required: true,
      description: 'In, NotIn, Exists or DoesNotExist.',
    }),
    values: list(string(), {
      listType: 'atomic',
      description: 'Values for In and NotIn; the other operators have none.',
    }),
  },
  { description: 'One condition on a label.', numbers: { key: 1, operator: 2, values: 3 } },
);

export const LabelSelector = struct(
  'io.cluster.meta.v1.LabelSelector',
  {
    matchLabels: map(string(), {
      description: 'Labels that must have these very values; each is a requirement of its own.',
    }),
    matchExpressions: list(LabelSelectorRequirement, {
      listType: 'atomic',
      description: 'Requirements; all of them must hold.',
    }),
  },
  {
    mapType: 'atomic',
    description: 'Selects objects by their labels. An empty selector selects all.',
    numbers: { matchLabels: 1, matchExpressions: 2 },
  },
);

/** The common shape of a condition. Source: specification 1, section 2.8. */
export const Condition = struct(
  'io.cluster.meta.v1.Condition',
  {
    type: string({ required: true, description: 'What the condition says something about.' }),
    status: string({
      required: true,
      description: 'True, False or Unknown.',
    }),
    observedGeneration: int64({
      description:
        'The generation of the object to which the condition belongs; it is stale when that is smaller than metadata.generation.',
    }),
    lastTransitionTime: time({
      required: true,
      description: 'When the status last changed from one value to another.',
    }),
    reason: string({
      required: true,
      description: 'Why it last changed, in one CamelCase word for programs.',
    }),
    message: string({ required: true, description: 'Details for people; may be empty.' }),
  },
  {
    description: 'One aspect of the state of an object.',
    numbers: {
      type: 1,
      status: 2,
      observedGeneration: 3,
      lastTransitionTime: 4,
      reason: 5,
      message: 6,
    },
  },
);

const Preconditions = struct(
  'io.cluster.meta.v1.Preconditions',
  {
    uid: string({ pointer: true, description: 'The uid that is meant.' }),
    resourceVersion: string({ pointer: true, description: 'The resourceVersion that is meant.' }),
  },
  {
    description: 'What must be true of the object for the operation to go on.',
    numbers: { uid: 1, resourceVersion: 2 },
  },
);

/** The body of a delete. */
export const DeleteOptions = struct(
  'io.cluster.meta.v1.DeleteOptions',
  {
    apiVersion: string({ description: 'Group and version in which these options are written.' }),
    kind: string({ description: 'DeleteOptions.' }),
    gracePeriodSeconds: int64({
      pointer: true,
      description: 'Seconds until the object is removed; 0 means at once.',
    }),
    preconditions: use(Preconditions, {
      pointer: true,
      description: 'The operation fails with a conflict when they do not hold.',
    }),
    orphanDependents: boolean({
      pointer: true,
      description: 'Superseded by propagationPolicy.',
    }),
    propagationPolicy: string({
      pointer: true,
      description: 'What becomes of dependents: Orphan, Background or Foreground.',
    }),
    dryRun: list(string(), {
      listType: 'atomic',
      description: 'All: every step is done except storing the result.',
    }),
    ignoreStoreReadErrorWithClusterBreakingPotential: boolean({
      pointer: true,
      description: 'Removes an object that can no longer be read from the store.',
    }),
  },
  {
    description: 'What a delete may say besides the name of the object.',
    numbers: {
      gracePeriodSeconds: 1,
      preconditions: 2,
      orphanDependents: 3,
      propagationPolicy: 4,
      dryRun: 5,
      ignoreStoreReadErrorWithClusterBreakingPotential: 6,
    },
  },
);

const StatusCause = struct(
  'io.cluster.meta.v1.StatusCause',
  {
    reason: string({ description: 'A machine-readable word for the cause.' }),
    message: string({ description: 'The cause in words.' }),
    field: string({
      description: 'The field that is the cause, such as `name` or `items[0].name`.',
    }),
  },
  { description: 'One of the causes of a failure.', numbers: { reason: 1, message: 2, field: 3 } },
);

const StatusDetails = struct(
  'io.cluster.meta.v1.StatusDetails',
  {
    name: string({ description: 'Name of the object concerned.' }),
    group: string({ description: 'API group of the object concerned.' }),
    kind: string({ description: 'Kind or resource of the object concerned.' }),
    uid: string({ description: 'UID of the object concerned.' }),
    causes: list(StatusCause, {
      listType: 'atomic',
      description: 'More about the failure.',
    }),
    retryAfterSeconds: int32({ description: 'Seconds after which a retry makes sense.' }),
  },
  {
    description: 'Further data about an answer.',
    numbers: { name: 1, group: 2, kind: 3, causes: 4, retryAfterSeconds: 5, uid: 6 },
  },
);

/** The answer to everything that returns no object. */
export const Status = struct(
  'io.cluster.meta.v1.Status',
  {
    apiVersion: string({ description: 'v1.' }),
    kind: string({ description: 'Status.' }),
    metadata: use(ListMeta, { description: 'Standard metadata of a list.' }),
    status: string({ description: 'Success or Failure.' }),
    message: string({ description: 'The answer in words.' }),
    reason: string({
      description: 'A machine-readable word for why the operation failed.',
    }),
    details: use(StatusDetails, {
      pointer: true,
      description: 'Further data; which fields are there depends on the reason.',
    }),
    code: int32({ description: 'The suggested HTTP status code.' }),
  },
  {
    description: 'The answer of an operation that returns no object.',
    numbers: { metadata: 1, status: 2, message: 3, reason: 4, details: 5, code: 6 },
  },
);
