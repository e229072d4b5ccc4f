import type { JsonObject } from '../api/json.ts';
import { canonicalJson } from '../api/json-write.ts';
import { parseJson } from '../api/json-parse.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import { applyConfiguration } from '../patch/apply/apply-configuration-at-once.ts';
import { updateManagers } from '../patch/apply/update-managers-at-once.ts';
import type { ManagedKind } from '../patch/apply/versions.ts';
import { parseJsonPatch } from '../patch/json-patch-parse.ts';
import { applyJsonPatch } from '../patch/json-patch-at-once.ts';
import { mergeSchemaOf } from '../patch/merge-schema-of.ts';
import { applyMergePatch } from '../patch/merge-patch-at-once.ts';
import { applyStrategicMergePatch } from '../patch/strategic-at-once.ts';
import { schemaFromJson } from '../schema/from-json.ts';

/**
 * What patches and managed fields cost, in microseconds of CPU, for objects of
 * about 1, 2 and 100 KB. Every round starts from freshly parsed objects, as a
 * request does; parsing itself is not counted.
 *
 *   node --import=tsx bench/patch.ts
 */
const VERSION = 'example.com/v1';
const text = { type: 'string' };

const schema = mergeSchemaOf(
  schemaFromJson({
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          image: text,
          env: { type: 'object', additionalProperties: text },
          containers: {
            type: 'array',
            'x-cluster-list-type': 'map',
            'x-cluster-list-map-keys': ['name'],
            items: {
              type: 'object',
              properties: {
                name: text,
                image: text,
                command: { type: 'array', items: text },
                ports: {
                  type: 'array',
                  'x-cluster-list-type': 'map',
                  'x-cluster-list-map-keys': ['port', 'protocol'],
                  items: {
                    type: 'object',
                    properties: {
                      port: { type: 'integer' },
                      protocol: { type: 'string', default: 'TCP' },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  }),
);

const kind: ManagedKind = {
  apiVersion: VERSION,
  kind: 'App',
  subresource: '',
  schemaFor: () => schema,
  convert: (object) => ({ kind: 'converted', object }),
  empty: { apiVersion: VERSION, kind: 'App' },
  resetFields: new Map(),
};

function configuration(containers: number): JsonObject {
  return {
    apiVersion: VERSION,
    kind: 'App',
    metadata: {
      name: 'web',
      labels: { app: 'web', tier: 'front' },
      annotations: { note: 'x'.repeat(100) },
    },
    spec: {
      replicas: 3,
      image: 'registry.example.com/shop:1.2.3',
      env: { MODE: 'production', LOG: 'info', REGION: 'west' },
      containers: Array.from({ length: containers }, (_, i) => ({
        name: `container-${i}`,
        image: `registry.example.com/image-${i}:1.0`,
        command: ['run', '--verbose', `--index=${i}`],
        ports: [{ port: 8000 + i, protocol: 'TCP' }],
      })),
    },
  };
}

/** The object as stored after one apply and `others` managers that each own a variable. */
function stored(containers: number, others: number): JsonObject {
  let live: JsonObject | undefined;
  const apply = (applied: JsonObject, manager: string): void => {
    const outcome = applyConfiguration({ kind, live, applied, manager, force: false, now: 0 });
    if (!outcome.ok) throw outcome.error;
    live = withEntries(outcome.object, outcome.managedFields);
  };
  apply(configuration(containers), 'deployer');
  for (let i = 0; i < others; i++) {
    const spec = { env: { [`EXTRA_${i}`]: 'x' } };
    apply({ apiVersion: VERSION, kind: 'App', metadata: { name: 'web' }, spec }, `manager-${i}`);
  }
  return live ?? {};
}

function withEntries(object: JsonObject, entries: ManagedFieldsEntry[]): JsonObject {
  const metadata = {
    ...(object['metadata'] as JsonObject),
    managedFields: entries as unknown as JsonObject[],
  };
  return { ...object, metadata };
}

function measure(
  name: string,
  text: string,
  run: (live: JsonObject, next: JsonObject) => unknown,
): void {
  const rounds = Math.max(50, Math.min(5000, Math.round(2e7 / text.length)));
  const fresh = (): JsonObject => parseJson(text).value as JsonObject;
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const [live, next] = [fresh(), fresh()];
    const start = performance.now();
    run(live, next);
    times.push(performance.now() - start);
  }
  const sorted = times.slice(rounds / 5).sort((a, b) => a - b);
  const at = (p: number): string =>
    ((sorted[Math.floor(sorted.length * p)] ?? 0) * 1000).toFixed(1).padStart(9);
  console.log(`${name.padEnd(46)} p50 ${at(0.5)} µs  p99 ${at(0.99)} µs`);
}

function changed(object: JsonObject): JsonObject {
  (object['spec'] as JsonObject)['image'] = 'registry.example.com/shop:1.2.4';
  return object;
}

for (const [label, containers, others] of [
  ['1 KB', 1, 0],
  ['2 KB', 3, 1],
  ['2 KB, 10 managers', 3, 9],
  ['100 KB', 270, 1],
  ['100 KB, 10 managers', 270, 9],
] as const) {
  const live = canonicalJson(stored(containers, others));
  const body = canonicalJson(configuration(containers));
  console.log(`\n${label}: ${live.length} bytes stored, ${body.length} applied`);
  const write = { kind, manager: 'editor', now: 60_000 };
  measure('managed fields, nothing changed', live, (a, b) =>
    updateManagers({ ...write, live: a, next: b }),
  );
  measure('managed fields, one value changed', live, (a, b) =>
    updateManagers({ ...write, live: a, next: changed(b) }),
  );
  measure('managed fields of a new object', live, (_, b) =>
    updateManagers({ ...write, live: undefined, next: b }),
  );
  measure('merge patch of one value, with managed fields', live, (a) => {
    const next = applyMergePatch(a, { spec: { image: 'other' } }) as JsonObject;
    return updateManagers({ ...write, live: a, next });
  });
  const patch = parseJsonPatch('[{"op":"replace","path":"/spec/image","value":"other"}]');
  measure('JSON patch of one value', live, (a) => patch.ok && applyJsonPatch(a, patch.operations));
  measure('strategic merge patch of one value', live, (a) =>
    applyStrategicMergePatch(schema, a, { spec: { image: 'other' } }),
  );
  const apply = (name: string, manager: string, edit: (config: JsonObject) => JsonObject): void => {
    const config = JSON.stringify(edit(JSON.parse(body) as JsonObject));
    measure(name, live, (a) => {
      const applied = JSON.parse(config) as JsonObject;
      return applyConfiguration({ kind, live: a, applied, manager, force: true, now: 60_000 });
    });
  };
  apply('apply, nothing changed (with parsing the body)', 'deployer', (config) => config);
  apply('apply, one value changed (with parsing)', 'deployer', changed);
  apply('apply, one value given up (with parsing)', 'deployer', (config) => {
    delete (config['spec'] as JsonObject)['image'];
    return config;
  });
  apply('apply by a new manager, all shared', 'second', (config) => config);
}
