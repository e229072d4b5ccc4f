import { string, struct } from '../schema/dsl.ts';

export const ObjectReference = struct(
  'io.cluster.core.v1.ObjectReference',
  {
    kind: string({ description: 'The kind of the object.' }),
    namespace: string({ description: 'Its namespace; empty for objects of the cluster.' }),
    name: string({ description: 'Its name.' }),
    uid: string({ description: 'Its uid.' }),
    apiVersion: string({ description: 'The API version in which it is named.' }),
    resourceVersion: string({ description: 'The state of the object that is meant.' }),
    fieldPath: string({
      description: 'The part of the object that is meant, such as `spec.containers{web}`.',
    }),
  },
  {
    mapType: 'atomic',
    description: 'Names another object.',
    numbers: {
      kind: 1,
      namespace: 2,
      name: 3,
      uid: 4,
      apiVersion: 5,
      resourceVersion: 6,
      fieldPath: 7,
    },
  },
);
