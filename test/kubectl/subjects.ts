import { deepClone, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { Kubectl } from '../support/kubectl.ts';

/** An object that kubectl is tried on: of a kind that it knows, of one that it does not, and a custom one. */
interface Subject {
  readonly what: string;
  /** `gadget`: how command lines name the kind. */
  readonly resource: string;
  readonly name: string;
  readonly object: JsonObject;
  /** The way to what commands change. */
  readonly path: readonly [string, ...string[]];
  /** What they change it to. */
  readonly value: (n: number) => string | number;
  /** Whether the kind takes strategic merge patches. */
  readonly strategic: boolean;
}

export const SUBJECTS: readonly Subject[] = [
  {
    what: 'a Node, which kubectl knows',
    resource: 'node',
    name: 'n1',
    object: {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1', labels: { tier: 'a' }, annotations: { level: 'n1' } },
      spec: { podCIDR: '10.1.0.0/24', providerID: 'example://1' },
    },
    path: ['metadata', 'annotations', 'level'],
    value: (n) => `n${n}`,
    strategic: true,
  },
  {
    what: 'a Lease, of a group that kubectl does not know',
    resource: 'lease',
    name: 'l1',
    object: {
      apiVersion: 'coordination.cluster.io/v1',
      kind: 'Lease',
      metadata: { name: 'l1', namespace: 'default', labels: { tier: 'a' } },
      spec: { holderIdentity: 'a', leaseDurationSeconds: 10 },
    },
    path: ['spec', 'leaseDurationSeconds'],
    value: (n) => n,
    strategic: true,
  },
  {
    what: 'a custom resource',
    resource: 'gadget',
    name: 'g1',
    object: {
      apiVersion: 'example.com/v1',
      kind: 'Gadget',
      metadata: { name: 'g1', namespace: 'default', labels: { tier: 'a' } },
      spec: { replicas: 1, parts: [{ name: 'a', size: 1 }] },
    },
    path: ['spec', 'replicas'],
    value: (n) => n,
    strategic: false,
  },
];

/** The subject's object with another value, and with `labels` in place of its own. */
export function changed(
  { object, path, value }: Subject,
  n: number | undefined,
  labels?: JsonObject,
): JsonObject {
  const copy = deepClone(object);
  const parent = getPath(copy, ...path.slice(0, -1));
  const field = path.at(-1) ?? '';
  if (isObject(parent)) {
    if (n === undefined) Reflect.deleteProperty(parent, field);
    else parent[field] = value(n);
  }
  const { metadata } = copy;
  if (labels !== undefined && isObject(metadata)) metadata['labels'] = labels;
  return copy;
}

/** `{ spec: { replicas: 4 } }`: a patch that sets the value. */
export function patchOf({ path, value }: Subject, n: number): JsonObject {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value(n)) as JsonObject;
}

/** The definition of the custom resource, with a scale, a column and descriptions. */
const GADGETS: JsonObject = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget', shortNames: ['gd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A thing that has parts.',
            properties: {
              spec: {
                type: 'object',
                description: 'What it should be.',
                properties: {
                  replicas: { type: 'integer', description: 'How many there should be.' },
                  parts: {
                    type: 'array',
                    description: 'What it is made of.',
                    'x-cluster-list-type': 'map',
                    'x-cluster-list-map-keys': ['name'],
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, size: { type: 'integer' } },
                    },
                  },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
        ],
      },
    ],
  },
};

export async function defineGadgets(kubectl: Kubectl): Promise<void> {
  await kubectl.ok(['create', '-f', '-'], GADGETS);
  await kubectl.definitionsAre('Established', 'gadgets.example.com');
}
