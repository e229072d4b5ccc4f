import type { JsonObject } from '../../api/json.ts';
import {
  boolean,
  int32,
  list,
  string,
  struct,
  use,
  type FieldOptions,
  type StringOptions,
} from '../../schema/dsl.ts';
import { JSONSchemaProps } from '../../schema/json-schema-props.ts';
import { kind } from '../../schema/object-meta.ts';
import type { Typed, ValueOf } from '../../schema/shape.ts';
import type { StructuralSchema } from '../../schema/structure/structural.ts';
import { conditionFields } from '../conditions.ts';
import { Conversion } from './crd-conversion-schema.ts';

const GROUP = 'io.cluster.apiextensions.v1';

const atomic = <S extends StructuralSchema, const O extends FieldOptions>(
  items: S,
  options: O,
): Typed<ValueOf<S>[], 'nothing', O> => list(items, { ...options, listType: 'atomic' });

const required = (
  description: string,
  options: StringOptions = {},
): Typed<string, 'empty', { required: true }> =>
  string({ ...options, required: true, description });

/** Schemas are read as any JSON: this room looks for what it needs in them. */
const SchemaProps: Typed<JsonObject, 'struct'> = JSONSchemaProps;

const Names = struct(
  `${GROUP}.CustomResourceDefinitionNames`,
  {
    plural: required(
      'The plural name: objects are served under `/apis/<group>/<version>/.../<plural>`. Must match the name of the definition, all in lower case.',
    ),
    singular: string({
      description: 'The singular name, all in lower case. The kind in lower case unless said.',
    }),
    shortNames: atomic(string(), {
      description: 'Short names for command lines, all in lower case.',
    }),
    kind: required('The `kind` of the objects; CamelCase and singular, normally.'),
    listKind: string({ description: 'The kind of lists. `<kind>List` unless said.' }),
    categories: atomic(string(), {
      description: 'Groups of resources that it belongs to, such as `all`; clients list by them.',
    }),
  },
  {
    description: 'The names of a custom resource.',
    numbers: { plural: 1, singular: 2, shortNames: 3, kind: 4, listKind: 5, categories: 6 },
  },
);

const Column = struct(
  `${GROUP}.CustomResourceColumnDefinition`,
  {
    name: required('The heading.'),
    type: required('An OpenAPI type: integer, number, string, boolean or date.'),
    format: string({
      description: 'An OpenAPI format; `name` marks the column that identifies the object.',
    }),
    description: string({ description: 'What the column shows.' }),
    priority: int32({
      description: 'Lower is more important. Columns above 0 may be dropped for want of space.',
    }),
    jsonPath: required('A simple JSON path to the value, evaluated on each object.'),
  },
  {
    description: 'A column of the table form.',
    numbers: { name: 1, type: 2, format: 3, description: 4, priority: 5, jsonPath: 6 },
  },
);

const SelectableField = struct(
  `${GROUP}.SelectableField`,
  {
    jsonPath: required(
      'A simple JSON path without array notation to a field of type string, boolean or integer outside of metadata. A missing field reads as the empty string.',
    ),
  },
  { description: 'A field that field selectors may name.', numbers: { jsonPath: 1 } },
);

const Scale = struct(
  `${GROUP}.CustomResourceSubresourceScale`,
  {
    specReplicasPath: required(
      'The JSON path of `spec.replicas`: under `.spec`, without array notation.',
    ),
    statusReplicasPath: required(
      'The JSON path of `status.replicas`: under `.status`, without array notation. A missing value reads as 0.',
    ),
    labelSelectorPath: string({
      pointer: true,
      description:
        'The JSON path of `status.selector`: under `.spec` or `.status`, to a string that holds a label selector.',
    }),
  },
  {
    description: 'How a scale subresource finds its values.',
    numbers: { specReplicasPath: 1, statusReplicasPath: 2, labelSelectorPath: 3 },
  },
);

const Subresources = struct(
  `${GROUP}.CustomResourceSubresources`,
  {
    status: use(
      struct(
        `${GROUP}.CustomResourceSubresourceStatus`,
        {},
        {
          description: 'Says nothing beyond being there.',
        },
      ),
      {
        pointer: true,
        description:
          'Serves `/status`. Requests for the object itself then ignore changes of status, and requests for `/status` every other change.',
      },
    ),
    scale: use(Scale, { pointer: true, description: 'Serves `/scale`.' }),
  },
  { description: 'The subresources of a custom resource.', numbers: { status: 1, scale: 2 } },
);

const Version = struct(
  `${GROUP}.CustomResourceDefinitionVersion`,
  {
    name: required('The name of the version, `v1` or `v2beta1` for instance.'),
    served: boolean({ required: true, description: 'Whether the version can be used.' }),
    storage: boolean({
      required: true,
      description: 'Whether objects are stored in it. True for exactly one version.',
    }),
    deprecated: boolean({
      description: 'Requests for the version get a warning in a header of the answer.',
    }),
    deprecationWarning: string({
      pointer: true,
      description: 'Replaces the text of that warning. Only where `deprecated` is true.',
    }),
    schema: use(
      struct(
        `${GROUP}.CustomResourceValidation`,
        {
          openAPIV3Schema: use(SchemaProps, {
            pointer: true,
            description: 'The schema by which objects are validated, pruned and completed.',
          }),
        },
        { description: 'What objects of a version look like.', numbers: { openAPIV3Schema: 1 } },
      ),
      { pointer: true, description: 'What objects of the version look like.' },
    ),
    subresources: use(Subresources, {
      pointer: true,
      description: 'Subresources that the version has.',
    }),
    additionalPrinterColumns: atomic(Column, {
      description:
        'Columns of the table in addition to the name. Without them the table shows the age.',
    }),
    selectableFields: atomic(SelectableField, {
      description: 'Fields that field selectors may name, eight at most.',
    }),
  },
  {
    description: 'A version of a custom resource.',
    numbers: {
      name: 1,
      served: 2,
      storage: 3,
      schema: 4,
      subresources: 5,
      additionalPrinterColumns: 6,
      deprecated: 7,
      deprecationWarning: 8,
      selectableFields: 9,
    },
  },
);

const Spec = struct(
  `${GROUP}.CustomResourceDefinitionSpec`,
  {
    group: required(
      'The API group: objects are served under `/apis/<group>/...`. Must match the name of the definition.',
    ),
    names: use(Names, { required: true, description: 'The names of the resource.' }),
    scope: required('`Cluster` or `Namespaced`.', {
      enum: ['Cluster', 'Namespaced'],
    }),
    versions: atomic(Version, {
      required: true,
      description:
        'All versions. In discovery they are ordered by their names: v10, v2, v1, v11beta2, v10beta3, v3beta1, v12alpha1, v11alpha2, foo1, foo10.',
    }),
    conversion: use(Conversion, {
      pointer: true,
      description: 'How objects get from one version to another.',
    }),
    preserveUnknownFields: boolean({
      description:
        'Must be false; use `x-cluster-preserve-unknown-fields: true` in the schema instead.',
    }),
  },
  {
    description: 'What a custom resource is.',
    numbers: {
      group: 1,
      names: 3,
      scope: 4,
      versions: 7,
      conversion: 9,
      preserveUnknownFields: 10,
    },
  },
);

const Status = struct(
  `${GROUP}.CustomResourceDefinitionStatus`,
  {
    conditions: list(
      struct(`${GROUP}.CustomResourceDefinitionCondition`, conditionFields(), {
        numbers: {
          type: 1,
          status: 2,
          lastTransitionTime: 3,
          reason: 4,
          message: 5,
        },
      }),
      {
        listType: 'map',
        listMapKeys: ['type'],
        patchStrategy: 'merge',
        patchMergeKey: 'type',
        omit: 'never',
        description: 'Established, NamesAccepted and Terminating.',
      },
    ),
    acceptedNames: use(Names, {
      omit: 'never',
      description: 'The names that are in use, which may differ from those in the spec.',
    }),
    storedVersions: atomic(string(), {
      omit: 'never',
      description:
        'Every version in which objects were ever stored. A version in this list cannot be removed from the spec; once all objects are stored in another one, take it from the list.',
    }),
  },
  {
    description: 'What has become of a definition.',
    numbers: { conditions: 1, acceptedNames: 2, storedVersions: 3 },
  },
);

/** Source of the fields: specification 3, section 2.1. */
export const customResourceDefinitionSchema = kind(
  `${GROUP}.CustomResourceDefinition`,
  {
    spec: use(Spec, { required: true, description: 'What the resource is.' }),
    status: use(Status, { description: 'The observed state. Written by the system.' }),
  },
  {
    description: 'Declares a resource that the server then serves. Named `<plural>.<group>`.',
    numbers: { spec: 2, status: 3 },
  },
);
