import assert from 'node:assert/strict';
import fc from 'fast-check';
import { deepEqual, type JsonObject, type JsonValue } from './json.ts';
import { parseJson } from './json-parse.ts';
import { isQualifiedName } from './names.ts';
import * as naming from './naming.ts';

const json = (value: object): JsonObject => parseJson(JSON.stringify(value)).value as JsonObject;

describe('naming', () => {
  it('maps groups both ways', () => {
    const pairs: Record<string, string> = {
      'coordination.cluster.io': 'coordination.k8s.io',
      'rbac.authorization.cluster.io': 'rbac.authorization.k8s.io',
      'flowcontrol.apiserver.cluster.io': 'flowcontrol.apiserver.k8s.io',
      'meta.cluster.io': 'meta.k8s.io',
    };
    for (const [neutral, kubernetes] of Object.entries(pairs)) {
      assert.equal(naming.kubernetesGroup(neutral), kubernetes);
      assert.equal(naming.neutralGroup(kubernetes), neutral);
      assert.equal(naming.kubernetesApiVersion(`${neutral}/v1`), `${kubernetes}/v1`);
      assert.equal(naming.neutralApiVersion(`${kubernetes}/v1`), `${neutral}/v1`);
    }
  });

  it('leaves groups alone that have one name', () => {
    const groups = ['', 'autoscaling', 'example.com', 'gateway.networking.k8s.io', 'k8s.io'];
    for (const group of [
      ...groups,
      '.k8s.io',
      '.cluster.io',
      'constructor.k8s.io',
      'x.cluster.io',
    ]) {
      assert.equal(naming.kubernetesGroup(group), group);
      assert.equal(naming.neutralGroup(group), group);
    }
    assert.equal(naming.neutralApiVersion('v1'), 'v1');
  });

  it('protects the groups of the project', () => {
    for (const group of ['a.cluster.io', 'x.y.k8s.io', 'kubernetes.io', 'b.kubernetes.io']) {
      assert.equal(naming.isProtectedGroup(group), true, group);
    }
    for (const group of ['', 'example.com', 'mycluster.io', 'cluster.io.example.com']) {
      assert.equal(naming.isProtectedGroup(group), false, group);
    }
  });

  it('names nothing that its own rules would refuse', () => {
    const { LAST_APPLIED, METADATA_NAME_LABEL, CRD_CLEANUP_FINALIZER } = naming;
    const keys = [LAST_APPLIED, METADATA_NAME_LABEL, CRD_CLEANUP_FINALIZER];
    for (const [name, value] of Object.entries(naming)) {
      if (/_(LABEL|ANNOTATION|FINALIZER|TAINT|END)$/.test(name)) keys.push(value as string);
    }
    assert.ok(keys.length > 15);
    for (const key of keys) assert.deepEqual(isQualifiedName(key), [], key);
  });

  it('renames extension keys of schemas at every level', () => {
    const kubernetes = json({
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        list: { type: 'array', 'x-kubernetes-list-type': 'set', items: { 'x-kubernetes-a': 1 } },
        map: { additionalProperties: { 'x-kubernetes-int-or-string': true } },
        open: { additionalProperties: true },
      },
      patternProperties: { '^x': { 'x-kubernetes-b': 1 } },
      definitions: { d: { 'x-kubernetes-c': 1 } },
      dependencies: { a: ['x-kubernetes-d'], b: { 'x-kubernetes-e': 1 } },
      items: [{ 'x-kubernetes-f': 1 }],
      anyOf: [{ not: { oneOf: [{ allOf: [{ 'x-kubernetes-g': 1 }] }] } }],
    });
    const neutral = JSON.parse(
      JSON.stringify(kubernetes)
        .replaceAll('x-kubernetes-', 'x-cluster-')
        .replace('["x-cluster-d"]', '["x-kubernetes-d"]'), // names of properties, not keywords
    ) as JsonObject;
    assert.deepEqual(naming.mapSchemaExtensions(kubernetes, 'neutral'), neutral);
    assert.deepEqual(naming.mapSchemaExtensions(neutral, 'kubernetes'), kubernetes);
    assert.equal(naming.mapSchemaExtensions(neutral, 'neutral'), neutral);
  });

  it('touches no data of the user', () => {
    const schema = json({
      properties: {
        'x-kubernetes-own': { type: 'string', default: { 'x-kubernetes-a': 1 } },
        properties: { enum: [{ 'x-kubernetes-b': 1 }], example: { 'x-kubernetes-c': 1 } },
        default: { type: 'object', const: { items: { 'x-kubernetes-d': 1 } } },
      },
      required: ['x-kubernetes-own'],
      'x-cluster-validations': [{ rule: 'true', message: { 'x-kubernetes-e': 1 } }],
    });
    assert.equal(naming.mapSchemaExtensions(schema, 'neutral'), schema);
    const own = naming.mapSchemaExtensions(
      parseJson('{"x-kubernetes-a":1,"properties":{"__proto__":{"x-kubernetes-b":2}}}')
        .value as JsonObject,
      'neutral',
    );
    assert.equal(
      JSON.stringify(own),
      '{"x-cluster-a":1,"properties":{"__proto__":{"x-cluster-b":2}}}',
    );
  });

  it('prefers the spelling asked for when a schema has both', () => {
    for (const text of [
      '{"x-cluster-list-type":"set","x-kubernetes-list-type":"map"}',
      '{"x-kubernetes-list-type":"map","x-cluster-list-type":"set"}',
    ]) {
      assert.deepEqual(naming.mapSchemaExtensions(parseJson(text).value as JsonObject, 'neutral'), {
        'x-cluster-list-type': 'set',
      });
    }
  });

  it('comes back to the same schema (property)', () => {
    const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.dictionary(
        fc.constantFrom(
          'type',
          'x-cluster-a',
          'x-cluster-list-type',
          'default',
          'properties',
          'items',
        ),
        fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          fc.constantFrom<JsonValue>('x', 1, true),
          tie('schema'),
          fc.array(tie('schema'), { maxLength: 2 }),
        ),
        { noNullPrototype: true },
      ),
    }));
    fc.assert(
      fc.property(schema, (s) => {
        const before = JSON.stringify(s);
        const there = naming.mapSchemaExtensions(s, 'kubernetes');
        assert.ok(deepEqual(naming.mapSchemaExtensions(there, 'neutral'), s));
        assert.equal(JSON.stringify(s), before);
      }),
    );
  });

  it('knows the extension keys of one level', () => {
    assert.equal(naming.extensionKey('x-kubernetes-map-type', 'neutral'), 'x-cluster-map-type');
    assert.equal(naming.extensionKey('x-cluster-map-type', 'kubernetes'), 'x-kubernetes-map-type');
    assert.equal(naming.extensionKey('x-other', 'neutral'), 'x-other');
  });
});
