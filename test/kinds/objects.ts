import type { JsonObject } from '../../api/json.ts';
import { SAMPLES } from '../../resources/testing/samples.ts';
import type { ServedResource } from '../../registry/served-resource.ts';

/** The namespace that samples name. */
export const NAMESPACE = 'team';
export const NAMESPACE_OBJECT: JsonObject = {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: NAMESPACE },
};

const CRD: JsonObject = {
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['gd'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', minimum: 0 } } },
              status: { type: 'object', properties: { ready: { type: 'boolean' } } },
            },
          },
        },
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
        selectableFields: [{ jsonPath: '.spec.size' }],
      },
    ],
  },
};

/** Where the sample of a kind is made for a checker that knows a few words only, one for the real one. */
const REAL: Readonly<Record<string, JsonObject>> = {
  CustomResourceDefinition: CRD,
  MutatingAdmissionPolicy: {
    spec: {
      matchConstraints: { resourceRules: [ruleOf()] },
      variables: [{ name: 'a', expression: "'x'" }],
      mutations: [
        {
          patchType: 'ApplyConfiguration',
          applyConfiguration: {
            expression: 'Object{metadata: Object.metadata{labels: {"a": variables.a}}}',
          },
        },
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: '[JSONPatch{op: "test", path: "/kind", value: "Gadget"}]' },
        },
      ],
      failurePolicy: 'Ignore',
      reinvocationPolicy: 'Never',
    },
  },
  ValidatingAdmissionPolicy: {
    spec: {
      matchConstraints: { resourceRules: [ruleOf()] },
      variables: [{ name: 'a', expression: 'object.spec' }],
      validations: [{ expression: 'has(variables.a.size)', message: 'no', reason: 'Forbidden' }],
      auditAnnotations: [{ key: 'a', valueExpression: '"checked"' }],
      failurePolicy: 'Ignore',
    },
  },
};

function ruleOf(): JsonObject {
  return {
    apiGroups: ['example.com'],
    apiVersions: ['v1'],
    operations: ['CREATE'],
    resources: ['gadgets'],
  };
}

/** A valid object of a kind as a client would send it. */
export function objectOf({ kind, apiVersion, definition }: ServedResource): JsonObject {
  const { metadata, ...rest } = { ...(REAL[kind.kind] ?? SAMPLES[kind.kind]) };
  return {
    apiVersion,
    kind: kind.kind,
    metadata: {
      name: 'sample',
      ...(definition.namespaced ? { namespace: NAMESPACE } : {}),
      ...(metadata as JsonObject | undefined),
      ...(kind.kind === 'Namespace' ? { name: 'sample' } : {}),
    },
    ...rest,
  };
}

/** The path of the kind's objects: those of one namespace when it has any. */
export function collectionOf({ kind, definition }: ServedResource): string {
  const root = kind.group === '' ? '/api/v1' : `/apis/${kind.group}/${kind.version}`;
  const { plural } = definition.names;
  return definition.namespaced ? `${root}/namespaces/${NAMESPACE}/${plural}` : `${root}/${plural}`;
}

export function itemOf(resource: ServedResource, name: string): string {
  return `${collectionOf(resource)}/${name}`;
}
