import {
  boolean,
  int64,
  list,
  map,
  raw,
  string,
  struct,
  time,
  use,
  type Fields,
  type NumbersOf,
} from './dsl.ts';
import type { ObjectOf, Typed } from './shape.ts';
import type { StructuralSchema } from './structure/structural.ts';

/** What every object and every list begins with. */
const TYPE_META = {
  apiVersion: string({
    description:
      'Group and version of the schema in which this object is written. The server converts what it recognises and refuses the rest.',
  }),
  kind: string({
    description:
      'The REST resource that this object stands for, in CamelCase. The server may take it from the path; it cannot be changed.',
  }),
};

const OwnerReference = struct(
  'io.cluster.meta.v1.OwnerReference',
  {
    apiVersion: string({ required: true, description: 'API version of the owner.' }),
    kind: string({ required: true, description: 'Kind of the owner.' }),
    name: string({ required: true, description: 'Name of the owner.' }),
    uid: string({ required: true, description: 'UID of the owner.' }),
    controller: boolean({
      pointer: true,
      description: 'True for the one owner that manages the object.',
    }),
    blockOwnerDeletion: boolean({
      pointer: true,
      description:
        'True when a deletion of the owner in the foreground has to wait until this reference is gone.',
    }),
  },
  {
    mapType: 'atomic',
    description:
      'Names an object that owns this one. Owner and dependent are in the same namespace, or the owner has none.',
    numbers: { kind: 1, name: 3, uid: 4, apiVersion: 5, controller: 6, blockOwnerDeletion: 7 },
  },
);

const ManagedFieldsEntry = struct(
  'io.cluster.meta.v1.ManagedFieldsEntry',
  {
    manager: string({ description: 'Who manages these fields.' }),
    operation: string({
      enum: ['Apply', 'Update'],
      description: 'How the manager came to own the fields: by apply, or by any other write.',
    }),
    apiVersion: string({ description: 'The version in which the fields are named.' }),
    time: time({
      pointer: true,
      description: 'When the manager last added a field, changed one or gave one up.',
    }),
    fieldsType: string({ description: 'The format of the set of fields; only FieldsV1.' }),
    fieldsV1: raw({
      pointer: true,
      description:
        'The set of fields: each key names a field (`f:`), an item by its key (`k:`), by its value (`v:`) or by its place (`i:`).',
    }),
    subresource: string({
      description: 'The subresource through which the fields were written; empty for the object.',
    }),
  },
  {
    description: 'The set of fields that one manager owns, as it was written in one version.',
    numbers: {
      manager: 1,
      operation: 2,
      apiVersion: 3,
      time: 4,
      fieldsType: 6,
      fieldsV1: 7,
      subresource: 8,
    },
  },
);

/** Metadata of an object, as it stands in its JSON. */
export const ObjectMeta = struct(
  'io.cluster.meta.v1.ObjectMeta',
  {
    name: string({
      description:
        'Unique among the objects of the kind in the namespace. Given at creation, and never changed after it.',
    }),
    generateName: string({
      description:
        'Prefix from which the server makes a unique name when none is given. Some characters may be cut off its end.',
    }),
    namespace: string({
      description: 'The scope in which the name is unique. Empty for objects of the cluster.',
    }),
    selfLink: string({ description: 'No longer set by the server.' }),
    uid: string({
      description:
        'Unique over time and space: another object of the same name has another uid. Set by the server.',
    }),
    resourceVersion: string({
      description:
        'The revision of the store that wrote the object. Clients hand it back unchanged to detect conflicts and to watch from here.',
    }),
    generation: int64({
      description: 'Number of the desired state; grows with every change of it. Set by the server.',
    }),
    creationTimestamp: time({
      omit: 'zero',
      description: 'When the server created the object, in UTC. Set by the server.',
    }),
    deletionTimestamp: time({
      pointer: true,
      description:
        'When deletion was asked for. From then on the object waits for its finalizers, and no finalizer may be added. Set by the server.',
    }),
    deletionGracePeriodSeconds: int64({
      pointer: true,
      description:
        'Seconds that the object was given to end gracefully; may only become shorter. Set by the server.',
    }),
    labels: map(string(), {
      description: 'Keys and values by which objects are organised and selected.',
    }),
    annotations: map(string(), {
      description: 'Keys and values for tools that keep data of their own; not for selecting.',
    }),
    ownerReferences: list(OwnerReference, {
      listType: 'map',
      listMapKeys: ['uid'],
      patchStrategy: 'merge',
      patchMergeKey: 'uid',
      description:
        'The objects on which this one depends. When all of them are gone, it is deleted as well.',
    }),
    finalizers: list(string(), {
      listType: 'set',
      patchStrategy: 'merge',
      description:
        'The object stays, marked as being deleted, until this list is empty. Each entry is removed by the component that it names.',
    }),
    managedFields: list(ManagedFieldsEntry, {
      listType: 'atomic',
      description: 'Who owns which fields, for apply. Kept by the server.',
    }),
  },
  {
    description: 'Metadata that every stored object has.',
    numbers: {
      name: 1,
      generateName: 2,
      namespace: 3,
      selfLink: 4,
      uid: 5,
      resourceVersion: 6,
      generation: 7,
      creationTimestamp: 8,
      deletionTimestamp: 9,
      deletionGracePeriodSeconds: 10,
      labels: 11,
      annotations: 12,
      ownerReferences: 13,
      finalizers: 14,
      managedFields: 17,
    },
  },
);

/** The protobuf number of the metadata of every object. */
const METADATA_NUMBER = 1;

/** A kind of objects: its own fields after apiVersion, kind and metadata. */
export function kind<F extends Fields>(
  name: string,
  fields: F,
  options: { description?: string; numbers?: NumbersOf<Extract<keyof F, string>> } = {},
): Typed<ObjectOf<F>> {
  const schema: StructuralSchema = struct<Fields>(
    name,
    {
      ...TYPE_META,
      metadata: use(ObjectMeta, { description: 'Standard metadata of an object.' }),
      ...fields,
    },
    { ...options, numbers: { metadata: METADATA_NUMBER, ...options.numbers } },
  );
  // metadata is decoded by the schema that ObjectMeta in api/ is the type of
  return schema;
}

export const ListMeta = struct(
  'io.cluster.meta.v1.ListMeta',
  {
    selfLink: string({ description: 'No longer set by the server.' }),
    resourceVersion: string({
      description: 'The revision at which the list was read; a watch may start from it.',
    }),
    continue: string({
      description:
        'Set when there is more: handed back, it brings the next page. It expires after some minutes.',
    }),
    remainingItemCount: int64({
      pointer: true,
      description: 'How many objects follow on later pages, where the server knows it.',
    }),
  },
  {
    description: 'Metadata of a list.',
    numbers: { selfLink: 1, resourceVersion: 2, continue: 3, remainingItemCount: 4 },
  },
);

/** The list kind of `item`: `<name>List`. */
export function listKind(
  name: string,
  item: StructuralSchema,
  options: { description?: string } = {},
): StructuralSchema {
  return struct(
    name,
    {
      ...TYPE_META,
      metadata: use(ListMeta, { description: 'Standard metadata of a list.' }),
      items: list(item, { required: true, description: 'The objects of the list.' }),
    },
    { ...options, numbers: { metadata: METADATA_NUMBER, items: 2 } },
  );
}
