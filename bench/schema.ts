/**
 * What schemas cost: `node --expose-gc --import=tsx bench/schema.ts`.
 * Figures are medians of several rounds; memory needs --expose-gc.
 */
import { FieldPath } from '../api/field-path.ts';
import { deepClone, type JsonObject, type JsonValue } from '../api/json.ts';
import { checkSchema } from '../schema/check/check.ts';
import { applyDefaults } from '../schema/default.ts';
import { int32, microTime, string, struct, use } from '../schema/dsl.ts';
import { schemaFromJson } from '../schema/from-json.ts';
import { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { LazySchema } from '../schema/lazy.ts';
import { decodeMetadata } from '../schema/metadata.ts';
import { needsWork } from '../schema/needs-work.ts';
import { kind } from '../schema/object-meta.ts';
import { prune } from '../schema/prune.ts';
import { RuleChecker } from '../schema/rules/checker.ts';
import { buildRules } from '../schema/rules/rule-set.ts';
import { validateRules } from '../schema/rules/validate.ts';
import { decodeTyped } from '../schema/typed/decode-at-once.ts';
import { validateResource } from '../schema/validate/validate.ts';
import { print, ROUNDS, time } from './load/cpu.ts';

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

const words = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy.';
const name = { type: 'string', maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
const container: JsonObject = {
  type: 'object',
  description: words,
  required: ['name'],
  properties: {
    name,
    image: { type: 'string', description: words },
    port: { 'x-cluster-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 100, default: 1 },
    mode: { type: 'string', enum: ['Always', 'Never', 'IfNeeded'], default: 'Always' },
    args: { type: 'array', items: { type: 'string' } },
    env: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name, value: { type: 'string' } },
        required: ['name'],
      },
      'x-cluster-list-type': 'map',
      'x-cluster-list-map-keys': ['name'],
    },
    resources: { type: 'object', additionalProperties: { type: 'string' } },
    address: { type: 'string', format: 'ipv4' },
    started: { type: 'string', format: 'date-time' },
  },
};

/** A definition of about 50 KB: many fields of that shape. */
function definition(): { json: JsonObject; bytes: Uint8Array; schema: JsonObject } {
  const spec: Record<string, JsonValue> = {};
  for (let i = 0; i < 34; i++) spec[`part${i}`] = { type: 'array', items: container };
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', description: words, properties: spec } },
  };
  const json = { spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] } };
  return { json, bytes: Buffer.from(JSON.stringify(json)), schema };
}

/** A custom resource of about 2 KB. */
function object(): JsonObject {
  const part = (i: number): JsonObject => ({
    name: `container-${i}`,
    image: `registry.example.com/team/app:${i}`,
    port: i % 2 === 0 ? 8080 : 'http',
    replicas: 3,
    mode: 'Always',
    args: ['--verbose', '--config=/etc/app.yaml'],
    env: Array.from({ length: 4 }, (_, n) => ({ name: `var-${n}`, value: `value ${n}` })),
    resources: { cpu: '100m', memory: '128Mi' },
    address: '10.0.0.1',
    started: '2024-01-02T03:04:05Z',
  });
  const spec: Record<string, JsonValue> = {};
  for (let i = 0; i < 4; i++) spec[`part${i}`] = [part(i)];
  return {
    apiVersion: 'bench.example.com/v1',
    kind: 'App',
    metadata: {
      name: 'app',
      namespace: 'default',
      uid: '123e4567-e89b-12d3-a456-426614174000',
      labels: { app: 'x', tier: 'backend' },
      creationTimestamp: '2024-01-02T03:04:05Z',
    },
    spec,
  };
}

function benchCustom(): void {
  const { bytes, schema: json } = definition();
  const schema = schemaFromJson(json);
  const sample = object();
  const kilobytes = JSON.stringify(sample).length / 1024;
  print('custom resource', kilobytes, 'KB');
  // copies are made beforehand: the work is done in place
  const copies = Array.from({ length: 14_000 }, () => deepClone(sample));
  let next = 0;
  print(
    'write: default, metadata, prune, validate',
    time(copies.length / ROUNDS, () => {
      const copy = copies[next++ % copies.length]!;
      applyDefaults(copy, schema);
      decodeMetadata(copy, schema, { isRoot: true });
      prune(copy, schema, { isRoot: true });
      return validateResource(copy, schema);
    }),
    'µs',
  );
  const old = deepClone(sample);
  print(
    'validate only',
    time(2000, () => validateResource(sample, schema)),
    'µs',
  );
  print(
    'validate an update',
    time(2000, () => validateResource(sample, schema, { old })),
    'µs',
  );
  print('read: needsWork, per KB', time(20_000, () => needsWork(sample, schema)) / kilobytes, 'µs');
  print('definition', bytes.length / 1024, 'KB');
  print(
    'build its schema from bytes',
    time(20, () => LazySchema.ofDefinition(bytes, 'v1').schema),
    'µs',
  );
  const props = decodeTyped(json, JSONSchemaProps).value as JsonObject;
  print(
    'decode it (JSONSchemaProps)',
    time(20, () => decodeTyped(json, JSONSchemaProps)),
    'µs',
  );
  print(
    'check it',
    time(20, () => checkSchema(props, FieldPath.of('schema'), { hasStatus: true })),
    'µs',
  );
  benchMemory(bytes);
}

function benchMemory(bytes: Uint8Array): void {
  const before = heap();
  const lazy = Array.from({ length: 1000 }, () => LazySchema.ofDefinition(bytes, 'v1'));
  print('1,000 definitions, none used', (heap() - before) / 1024, 'KB');
  const used = lazy.slice(0, 100).map((one) => one.schema);
  print('each one that is used', (heap() - before) / 1024 / 100, 'KB');
  if (lazy.length + used.length === 0) throw new Error('kept until here');
}

function benchTyped(): void {
  const Lease = kind('bench.v1.Lease', {
    spec: use(
      struct('bench.v1.LeaseSpec', {
        holderIdentity: string({ pointer: true }),
        leaseDurationSeconds: int32({ pointer: true }),
        acquireTime: microTime({ pointer: true }),
        renewTime: microTime({ pointer: true }),
        leaseTransitions: int32({ pointer: true }),
      }),
      {},
    ),
  });
  const lease: JsonObject = {
    apiVersion: 'coordination.cluster.io/v1',
    kind: 'Lease',
    metadata: object()['metadata']!,
    spec: {
      holderIdentity: 'node-1',
      leaseDurationSeconds: 40,
      renewTime: '2024-01-02T03:04:05.123456Z',
    },
  };
  print(
    'decode a Lease',
    time(10_000, () => decodeTyped(lease, Lease)),
    'µs',
  );
}

/** A dozen rules as projects write them. */
function benchRules(): void {
  const rules = [
    'self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas',
    'self.names.all(x, x.startsWith(self.prefix))',
    "!has(self.mode) || self.mode in ['Auto', 'Manual']",
    'has(oldSelf.prefix) == has(self.prefix) && self.prefix == oldSelf.prefix',
  ];
  const json: JsonObject = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          minReplicas: { type: 'integer' },
          maxReplicas: { type: 'integer' },
          names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } },
          prefix: { type: 'string', maxLength: 20 },
          mode: { type: 'string' },
        },
        'x-cluster-validations': [...rules, ...rules, ...rules].map((rule) => ({ rule })),
      },
    },
  };
  const schema = schemaFromJson(json);
  const built = buildRules(schema)!;
  const names = Array.from({ length: 5 }, (_, i) => `app-${i}`);
  const spec = { replicas: 3, minReplicas: 1, maxReplicas: 5, prefix: 'app-', mode: 'Auto', names };
  print(
    'compile 12 rules',
    time(100, () => buildRules(schema)),
    'µs',
  );
  print(
    'check a schema with 12 rules',
    time(100, () =>
      checkSchema(json, FieldPath.of('s'), { hasStatus: false, rules: new RuleChecker() }),
    ),
    'µs',
  );
  print(
    'run 12 rules on an update',
    time(3000, () => validateRules(built, { spec }, { old: { spec } })),
    'µs',
  );
  const before = heap();
  const kept = Array.from({ length: 100 }, () => buildRules(schema));
  print('12 compiled rules', (heap() - before) / 1024 / kept.length, 'KB');
}

benchCustom();
benchTyped();
benchRules();
