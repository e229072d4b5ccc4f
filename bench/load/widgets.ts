import type { ApiObject } from '../../api/object.ts';
import type { LoadClient } from './client.ts';

/** Group of the kinds that benchmarks define. */
export const BENCH_GROUP = 'bench.example.com';

/** Different values of the label and the fields that are selected by. */
const VALUES = 100;

/** Objects of one namespace: as many as one value has among 100,000. */
const PER_NAMESPACE = 1_000;

const PADDING = 'x'.repeat(470);

/** A custom resource of about 1 KB as a server stores it, with the managers that a client leaves. */
export function widget(kind: string, i: number): ApiObject {
  const value = `v${i % VALUES}`;
  return {
    apiVersion: `${BENCH_GROUP}/v1`,
    kind,
    metadata: {
      name: `widget-${String(i).padStart(7, '0')}`,
      namespace: `ns-${String(Math.floor(i / PER_NAMESPACE)).padStart(4, '0')}`,
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: 'bench', bucket: value },
      managedFields: [
        {
          manager: 'bench',
          operation: 'Update',
          apiVersion: `${BENCH_GROUP}/v1`,
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:bucket': {} } },
            'f:spec': { '.': {}, 'f:color': {}, 'f:note': {}, 'f:priority': {}, 'f:size': {} },
          },
        },
      ],
    },
    spec: {
      color: value,
      size: value,
      // every priority once, in no order of the names
      priority: (i * 7_919) % 1_000_003,
      note: PADDING,
    },
  };
}

/** Defines a kind of such objects and waits until it is served. */
export async function defineWidgets(
  client: LoadClient,
  kind: string,
  plural: string,
): Promise<void> {
  const path = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
  await client.send('POST', path, {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${BENCH_GROUP}` },
    spec: {
      group: BENCH_GROUP,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          selectableFields: [{ jsonPath: '.spec.color' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    color: { type: 'string' },
                    size: { type: 'string' },
                    note: { type: 'string' },
                    priority: { type: 'integer' },
                  },
                },
              },
            },
          },
        },
      ],
    },
  });
  const list = `/apis/${BENCH_GROUP}/v1/${plural}?limit=1`;
  while ((await client.send('GET', list)).status !== 200) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
