import type { GroupVersion } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import { int32, string, struct, use } from '../../schema/dsl.ts';
import { tokenRequestDefinition } from '../../resources/authentication/token-request.ts';
import { DeleteOptions, Status } from '../../schema/meta-types.ts';
import { kind, ListMeta, ObjectMeta } from '../../schema/object-meta.ts';
import type { BuiltinSchemas } from './builtin-schema.ts';
import { gvk } from './operation.ts';

/** Names of the schemas that the operations of all resources refer to. */
export interface SharedNames {
  readonly objectMeta: string;
  readonly listMeta: string;
  readonly status: string;
  readonly deleteOptions: string;
  readonly patch: string;
  readonly scale: string;
  readonly tokenRequest: string;
}

const PATCH = 'io.cluster.meta.v1.Patch';
const TOKEN_REQUEST = 'io.cluster.authentication.v1.TokenRequest';

const ScaleSpec = struct('io.cluster.autoscaling.v1.ScaleSpec', {
  replicas: int32({ description: 'How many are wanted.' }),
});

const ScaleStatus = struct('io.cluster.autoscaling.v1.ScaleStatus', {
  replicas: int32({ required: true, description: 'How many there are.' }),
  selector: string({
    description: 'What is counted, as a label selector in the form of a query parameter.',
  }),
});

/** Source: specification 3, section 2.1, subresource scale. */
const Scale = kind(
  'io.cluster.autoscaling.v1.Scale',
  {
    spec: use(ScaleSpec, { description: 'The wanted state.' }),
    status: use(ScaleStatus, { description: 'The observed state. Set by the server.' }),
  },
  { description: 'How many of something there are to be, whatever its kind is.' },
);

/** Adds the schemas that all resources share; `versions` are the groups and versions of the document. */
export function addSharedSchemas(
  schemas: BuiltinSchemas,
  versions: readonly GroupVersion[],
  options: { readonly scale: boolean; readonly tokens: boolean },
): SharedNames {
  const names: SharedNames = {
    objectMeta: schemas.add(ObjectMeta, 'Metadata that every stored object has.'),
    listMeta: schemas.add(ListMeta, 'Metadata of a list.'),
    status: schemas.add(Status, 'The answer of an operation that returns no object.'),
    deleteOptions: schemas.add(
      DeleteOptions,
      'What a delete may say besides the name of the object.',
    ),
    patch: PATCH,
    scale: 'io.cluster.autoscaling.v1.Scale',
    tokenRequest: TOKEN_REQUEST,
  };
  schemas.all.set(PATCH, {
    description: 'A change of an object, in one of the forms that the operation lists.',
    type: 'object',
  });
  identify(schemas, names.status, [gvk({ group: '', version: 'v1', kind: 'Status' })]);
  identify(
    schemas,
    names.deleteOptions,
    versions.map(({ group, version }) => gvk({ group, version, kind: 'DeleteOptions' })),
  );
  if (options.scale) {
    schemas.add(Scale, 'How many of something there are to be, whatever its kind is.');
    identify(schemas, names.scale, [gvk({ group: 'autoscaling', version: 'v1', kind: 'Scale' })]);
  }
  const [tokenRequest] = tokenRequestDefinition.versions;
  if (options.tokens && tokenRequest !== undefined) {
    schemas.add(tokenRequest.schema(), 'Asks for a token of a service account.');
    const { group } = tokenRequestDefinition;
    identify(schemas, TOKEN_REQUEST, [gvk({ group, version: 'v1', kind: 'TokenRequest' })]);
  }
  return names;
}

/** Says which kinds of the API a schema is the root of; clients find schemas by it. */
function identify(schemas: BuiltinSchemas, name: string, kinds: JsonObject[]): void {
  const schema = schemas.all.get(name);
  if (schema !== undefined) schema['x-kubernetes-group-version-kind'] = kinds;
}
