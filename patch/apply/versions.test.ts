import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { GROUP, ManagedObject, members, mergeSchema, testKind, V1 } from '../testing.ts';
import { applyConfiguration } from './apply-configuration-at-once.ts';
import { withConversions } from './conversion.ts';
import type { Conversion } from './versions.ts';

const V2 = `${GROUP}/v2`;
const number = { type: 'integer' };
const both = mergeSchema({ properties: { replicas: number, image: { type: 'string' } } });
const schemas = { v1: both, v2: both };
const v1 = testKind(schemas);
const v2 = testKind(schemas, { apiVersion: V2 });
const spec = (value: JsonObject): JsonObject => ({ spec: value });
const versionOf = (o: ManagedObject, manager: string): (string | undefined)[] =>
  o.entries.filter((e) => e.manager === manager).map((e) => e.apiVersion);

describe('apply across versions', () => {
  it('a manager of another version is in conflict all the same', () => {
    const o = new ManagedObject(v1).apply('alice', spec({ replicas: 1 }));
    assert.deepEqual(o.conflicts('bob', spec({ replicas: 2 }), { kind: v2 }), ['.spec.replicas']);
  });

  it('an apply entry moves to the version of the last apply, updates in two versions have two', () => {
    const o = new ManagedObject(v1)
      .apply('alice', spec({ replicas: 1 }))
      .apply('alice', spec({ replicas: 2 }), { kind: v2 })
      .update('e', (object) => Object.assign(object['spec'] as JsonObject, { image: 'x' }), {
        kind: v1,
      })
      .update(
        'e',
        (object) =>
          (object['metadata'] = {
            name: 'a',
            labels: { l: '1' },
            ...(object['metadata'] as JsonObject),
          }),
        { kind: v2 },
      );
    assert.deepEqual(versionOf(o, 'alice'), [V2]);
    assert.deepEqual(versionOf(o, 'e'), [V1, V2]);
  });

  it('what was applied in one version is given up in another', () => {
    const o = new ManagedObject(v1)
      .apply('alice', spec({ replicas: 1, image: 'x' }))
      .apply('alice', spec({ image: 'x' }), { kind: v2 });
    assert.deepEqual(o.spec, { image: 'x' });
  });

  it('an object that does not fit the version of another manager cannot be applied to', () => {
    const more = mergeSchema({ properties: { replicas: number, weight: number } });
    const few = mergeSchema({ properties: { replicas: number } });
    const kinds = { v1: few, v2: more };
    const o = new ManagedObject(testKind(kinds)).apply('bob', spec({ replicas: 1 }));
    const outcome = o.tryApply('alice', spec({ weight: 5 }), {
      kind: testKind(kinds, { apiVersion: V2 }),
    });
    assert.ok(!outcome.ok);
    assert.equal(outcome.error.code, 400);
    assert.match(
      outcome.error.message,
      /managed fields of version example.com\/v1 cannot be compared: .spec.weight: field not declared/,
    );
  });

  it('entries of a version that is gone make an apply fail until they are reset', () => {
    const o = new ManagedObject(v1).apply('alice', spec({ replicas: 1 }));
    const gone = testKind({ v2: both }, { apiVersion: V2 });
    assert.equal(o.tryApply('bob', spec({ image: 'x' }), { kind: gone }).ok, false);
    o.update('e', (object) => ((object['metadata'] as JsonObject)['managedFields'] = [{}]), {
      kind: gone,
    });
    o.apply('bob', spec({ image: 'x' }), { kind: gone });
    assert.deepEqual(Object.keys(o.owners), ['bob Apply', 'before-first-apply Update']);
  });
});

describe('conversion by a webhook', () => {
  /** `spec.size` of v1 is `spec.width` of v2. */
  const renamed = {
    v1: mergeSchema({ properties: { size: number } }),
    v2: mergeSchema({ properties: { width: number } }),
  };
  const rename = (object: JsonObject, apiVersion: string): Conversion => {
    const { size, width } = (object['spec'] ?? {}) as { size?: number; width?: number };
    const value = size ?? width;
    const converted =
      value === undefined ? {} : { spec: apiVersion === V1 ? { size: value } : { width: value } };
    return { kind: 'converted', object: { ...object, apiVersion, ...converted } };
  };
  const kind2 = testKind(renamed, { apiVersion: V2, convert: rename });

  it('fields are compared under the name that each manager knows', () => {
    const o = new ManagedObject(testKind(renamed, { convert: rename })).apply(
      'alice',
      spec({ size: 1 }),
    );
    o.object =
      rename(o.object as JsonObject, V2).kind === 'converted'
        ? { ...o.object, spec: { width: 1 } }
        : o.object;
    assert.deepEqual(o.conflicts('bob', spec({ width: 2 }), { kind: kind2 }), ['.spec.size']);
    o.apply('bob', spec({ width: 2 }), { kind: kind2, force: true });
    assert.deepEqual(o.owners, { 'bob Apply': { 'f:spec': members('width') } });
  });

  it('a slow conversion is made once for each object, and the result is the same', async () => {
    const o = new ManagedObject(testKind(renamed, { convert: rename })).apply(
      'alice',
      spec({ size: 1 }),
    );
    const live = { ...o.object, apiVersion: V2, spec: { width: 1 } };
    const applied = { apiVersion: V2, kind: 'App', metadata: { name: 'a' }, spec: { width: 2 } };
    const apply = { live, applied, manager: 'bob', force: true, now: 0 };
    const calls: string[] = [];
    const slow = async (object: JsonObject, apiVersion: string): Promise<Conversion> => {
      calls.push(`${JSON.stringify(object['spec'])} ${apiVersion}`);
      await Promise.resolve();
      return rename(object, apiVersion);
    };
    const outcome = await withConversions(slow, (convert) =>
      applyConfiguration({ ...apply, kind: { ...kind2, convert } }),
    );
    assert.deepEqual(outcome, applyConfiguration({ ...apply, kind: kind2 }));
    assert.deepEqual(calls, [`{"width":1} ${V1}`, `{"width":2} ${V1}`]);
  });

  it('a failed conversion is reported to the client', async () => {
    const o = new ManagedObject(testKind(renamed, { convert: rename })).apply(
      'alice',
      spec({ size: 1 }),
    );
    const outcome = await withConversions(
      () => Promise.resolve({ kind: 'failed', message: 'no answer' }),
      (convert) =>
        applyConfiguration({
          kind: { ...kind2, convert },
          live: { ...o.object, apiVersion: V2, spec: { width: 1 } },
          applied: { apiVersion: V2, kind: 'App', spec: { width: 2 } },
          manager: 'bob',
          force: false,
          now: 0,
        }),
    );
    assert.ok(!outcome.ok);
    assert.match(outcome.error.message, /no answer/);
  });

  it('the number of conversions is bounded', async () => {
    let n = 0;
    await assert.rejects(
      withConversions(
        () => Promise.resolve({ kind: 'unknown-version' }),
        (convert) => convert({ n: n++ }, V1),
      ),
      /more than 100 conversions/,
    );
  });
});

describe('apply after the schema has changed', () => {
  const item = { type: 'object', properties: { name: { type: 'string' }, port: number } };
  const keyed = {
    type: 'array',
    items: item,
    'x-cluster-list-type': 'map',
    'x-cluster-list-map-keys': ['name'],
  };
  const kindOf = (rules: JsonObject): ReturnType<typeof testKind> =>
    testKind(mergeSchema({ properties: { rules, image: { type: 'string' } } }));
  const granular = kindOf(keyed);
  const atomic = kindOf({ type: 'array', items: item });
  const rules = (...ports: number[]): JsonObject =>
    spec({ rules: ports.map((port) => ({ name: `n${port}`, port })) });

  it('owners of parts of a list that became atomic own the whole', () => {
    const o = new ManagedObject(granular).apply('alice', rules(1)).apply('bob', rules(2));
    o.kind = atomic;
    o.apply('carol', spec({ image: 'x' }));
    assert.deepEqual(o.owners, {
      'alice Apply': { 'f:spec': members('rules') },
      'bob Apply': { 'f:spec': members('rules') },
      'carol Apply': { 'f:spec': members('image') },
    });
    assert.deepEqual(o.conflicts('alice', rules(1)), ['.spec.rules']);
    o.apply('alice', rules(1, 2));
  });

  it('the owner of a list that became granular owns just the place until it applies again', () => {
    const o = new ManagedObject(atomic).apply('alice', rules(1, 2));
    o.kind = granular;
    o.apply('bob', rules(3)).apply('carol', spec({ rules: [{ name: 'n1', port: 9 }] }));
    assert.deepEqual(o.spec, {
      rules: [
        { name: 'n1', port: 9 },
        { name: 'n2', port: 2 },
        { name: 'n3', port: 3 },
      ],
    });
    assert.deepEqual(o.owners['alice Apply'], { 'f:spec': members('rules') });
    assert.deepEqual(o.conflicts('alice', rules(1)), ['.spec.rules[name="n1"].port']);
  });

  it('an atomic map that became granular, and back', () => {
    const map = (type: string): JsonObject => ({
      type: 'object',
      additionalProperties: { type: 'string' },
      'x-cluster-map-type': type,
    });
    const o = new ManagedObject(kindOf(map('granular'))).apply(
      'alice',
      spec({ rules: { a: '1' } }),
    );
    o.kind = kindOf(map('atomic'));
    o.apply('bob', spec({ image: 'x' }));
    assert.deepEqual(o.owners['alice Apply'], { 'f:spec': members('rules') });
    o.kind = kindOf(map('granular'));
    o.apply('bob', spec({ rules: { b: '2' } }));
    assert.deepEqual(o.spec, { rules: { a: '1', b: '2' } });
  });

  it('a list with duplicates that became a set can be applied to, and the duplicates applied away', () => {
    const tags = (more: JsonObject): ReturnType<typeof testKind> =>
      testKind(
        mergeSchema({
          properties: { tags: { type: 'array', items: { type: 'string' }, ...more } },
        }),
      );
    const o = new ManagedObject(tags({})).apply('alice', spec({ tags: ['a', 'a', 'b'] }));
    o.kind = tags({ 'x-cluster-list-type': 'set' });
    assert.deepEqual(o.apply('bob', spec({ tags: ['c'] })).spec, { tags: ['a', 'a', 'b', 'c'] });
    assert.deepEqual(o.apply('alice', spec({ tags: ['a', 'b'] })).spec, { tags: ['a', 'b', 'c'] });
  });

  it('a stored value of another type cannot be applied to', () => {
    const o = new ManagedObject(testKind(both)).apply('alice', spec({ replicas: 1 }));
    o.kind = testKind(
      mergeSchema({ properties: { replicas: { type: 'string' }, image: { type: 'string' } } }),
    );
    const outcome = o.tryApply('bob', spec({ image: 'x' }));
    assert.ok(!outcome.ok);
    assert.match(
      outcome.error.message,
      /the stored object does not fit its schema: .spec.replicas/,
    );
  });
});
