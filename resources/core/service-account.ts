import { getPath } from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { boolean, list, string, struct } from '../../schema/dsl.ts';
import { kind } from '../../schema/object-meta.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import type { Column, ResourceDefinition } from '../definition.ts';
import { ObjectReference } from '../object-reference.ts';

const LocalObjectReference = struct(
  'io.cluster.core.v1.LocalObjectReference',
  { name: string({ description: 'The name of an object in the same namespace.' }) },
  {
    mapType: 'atomic',
    description: 'Names an object in the same namespace.',
    numbers: { name: 1 },
  },
);

const schema = kind(
  'io.cluster.core.v1.ServiceAccount',
  {
    secrets: list(ObjectReference, {
      listType: 'map',
      listMapKeys: ['name'],
      patchStrategy: 'merge',
      patchMergeKey: 'name',
      description: 'Secrets in the same namespace that programs of the account may use.',
    }),
    imagePullSecrets: list(LocalObjectReference, {
      listType: 'atomic',
      description: 'Secrets in the same namespace for pulling images.',
    }),
    automountServiceAccountToken: boolean({
      pointer: true,
      description: 'Whether programs of the account get a token without asking for it.',
    }),
  },
  {
    description: 'The identity of a program. Bindings name it as a subject.',
    numbers: { secrets: 2, imagePullSecrets: 3, automountServiceAccountToken: 4 },
  },
);

const secretsColumn: Column = {
  name: 'Secrets',
  type: 'string',
  format: '',
  description: 'How many secrets the account names.',
  priority: 0,
  cell(object) {
    const secrets = getPath(object, 'secrets');
    return Array.isArray(secrets) ? secrets.length : 0;
  },
};

/** Source: behaviours 9.0 and 9.21. */
export const serviceAccountDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  shortNames: ['sa'],
  namespaced: true,
  schema,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
  },
  subresources: { token: true },
  columns: [nameColumn, secretsColumn, ageColumn],
});
