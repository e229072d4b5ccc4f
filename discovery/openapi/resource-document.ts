import type { GroupVersionKind } from '../../api/group-version.ts';
import type { JsonObject } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { listKind } from '../../schema/object-meta.ts';
import type { BuiltinSchemas } from './builtin-schema.ts';
import { customSchema, objectFields } from './custom-schema.ts';
import { schemaName, schemaRef } from './names.ts';
import { gvk } from './operation.ts';
import { resourcePaths } from './paths.ts';
import type { SharedNames } from './shared-schemas.ts';

/** What one resource adds to a document. */
interface ResourceDocument {
  readonly paths: Map<string, JsonObject>;
  readonly schemas: Map<string, JsonObject>;
}

const GVK = 'x-kubernetes-group-version-kind';

/** Everything about one resource: its paths, the schemas of its kind and of its list. A large schema takes several steps. */
export function* resourceDocument(
  resource: ServedResource,
  builtin: BuiltinSchemas,
  shared: SharedNames,
): Steps<ResourceDocument> {
  const { object, list, schemas } = resource.definition.builtin
    ? builtinKind(resource, builtin)
    : yield* customKind(resource, shared);
  return { paths: resourcePaths(resource, { ...shared, object, list }), schemas };
}

interface KindSchemas {
  readonly object: string;
  readonly list: string;
  readonly schemas: Map<string, JsonObject>;
}

/** Structs of built-in kinds go where all of them are, since kinds share them. */
function builtinKind(resource: ServedResource, all: BuiltinSchemas): KindSchemas {
  const { version, kind, definition } = resource;
  const schema = version.schema();
  const object = all.add(schema, schema.typed?.description);
  identify(all, object, kind);
  // What cannot be listed (a review) has no list.
  if (!definition.verbs.includes('list')) return { object, list: object, schemas: new Map() };
  const list = all.add(
    listKind(`${object}List`, schema),
    `A list of objects of kind ${kind.kind}.`,
  );
  identify(all, list, { ...kind, kind: definition.names.listKind });
  return { object, list, schemas: new Map() };
}

function identify(all: BuiltinSchemas, name: string, kind: GroupVersionKind): void {
  const published = all.all.get(name);
  if (published !== undefined) published[GVK] = [gvk(kind)];
}

function* customKind(resource: ServedResource, shared: SharedNames): Steps<KindSchemas> {
  const { version, kind, definition } = resource;
  const object = schemaName(kind);
  const listOf = { ...kind, kind: definition.names.listKind };
  const list = schemaName(listOf);
  const selectable = selectableFields(resource);
  return {
    object,
    list,
    schemas: new Map([
      [
        object,
        {
          ...(yield* customSchema(version.document?.(), shared.objectMeta)),
          [GVK]: [gvk(kind)],
          ...selectable,
        },
      ],
      [
        list,
        {
          description: `A list of objects of kind ${kind.kind}.`,
          type: 'object',
          required: ['items'],
          properties: {
            ...objectFields(shared.listMeta),
            items: {
              description: 'The objects of the list.',
              type: 'array',
              items: schemaRef(object),
            },
          },
          [GVK]: [gvk(listOf)],
          ...selectable,
        },
      ],
    ]),
  };
}

/** Fields that selectors may name in addition to those of metadata. Source: behaviours 1.9. */
function selectableFields({ version }: ServedResource): JsonObject {
  const paths = [...version.selectableFields.keys()];
  if (paths.length === 0) return {};
  return { 'x-kubernetes-selectable-fields': paths.map((fieldPath) => ({ fieldPath })) };
}
