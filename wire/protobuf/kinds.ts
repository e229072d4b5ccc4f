import { apiVersionOf } from '../../api/group-version.ts';
import { coreEventSchema } from '../../resources/events/core-event.ts';
import { tokenRequestDefinition } from '../../resources/authentication/token-request.ts';
import { builtinDefinitions } from '../../resources/builtin.ts';
import { ALL_FEATURE_GATES } from '../../resources/feature-gates.ts';
import { REVIEW_DEFINITIONS } from '../../resources/reviews.ts';
import { DeleteOptions, Status } from '../../schema/meta-types.ts';
import { kind, listKind } from '../../schema/object-meta.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { workloadSchema } from './workload-kinds.ts';

let known: ReadonlyMap<string, StructuralSchema> | undefined;

/** The schema of a kind that has a message; `apiVersion` in the neutral spelling. */
export function schemaOf(apiVersion: string, kind: string): StructuralSchema | undefined {
  // These are the same in every group and version that lends them its name.
  const meta = META_KINDS.get(kind);
  if (meta !== undefined) return meta;
  known ??= builtinSchemas();
  // First: of a kind that is built in as an empty view nothing but its metadata is known.
  return workloadSchema(apiVersion, kind) ?? known.get(`${apiVersion} ${kind}`);
}

const PartialObjectMetadata = kind('io.cluster.meta.v1.PartialObjectMetadata', {});

const META_KINDS: ReadonlyMap<string, StructuralSchema> = new Map([
  ['DeleteOptions', DeleteOptions],
  ['Status', Status],
  ['PartialObjectMetadata', PartialObjectMetadata],
  [
    'PartialObjectMetadataList',
    listKind('io.cluster.meta.v1.PartialObjectMetadataList', PartialObjectMetadata),
  ],
]);

function builtinSchemas(): ReadonlyMap<string, StructuralSchema> {
  const definitions = [
    ...builtinDefinitions(ALL_FEATURE_GATES),
    ...REVIEW_DEFINITIONS,
    tokenRequestDefinition,
  ];
  const schemas = new Map<string, StructuralSchema>();
  const add = (apiVersion: string, names: KindNames, schema: StructuralSchema): void => {
    schemas.set(`${apiVersion} ${names.kind}`, schema);
    schemas.set(`${apiVersion} ${names.listKind}`, listKind(names.listKind, schema));
  };
  add('v1', { kind: 'Event', listKind: 'EventList' }, coreEventSchema);
  for (const { group, names, versions } of definitions) {
    for (const version of versions) {
      add(apiVersionOf({ group, version: version.name }), names, version.schema());
    }
  }
  return schemas;
}

interface KindNames {
  readonly kind: string;
  readonly listKind: string;
}
