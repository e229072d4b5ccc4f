import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { ManagedObject, mergeSchema, testKind, V1 } from '../testing.ts';

const schema = mergeSchema({
  properties: {
    replicas: { type: 'integer' },
    image: { type: 'string' },
    paused: { type: 'boolean' },
  },
});
const app = (): ManagedObject => new ManagedObject(testKind(schema));
const change = (values: JsonObject) => (object: JsonObject) => {
  object['spec'] = { ...(object['spec'] as JsonObject), ...values };
};
const setEntries = (entries: JsonObject['x']) => (object: JsonObject) => {
  (object['metadata'] as JsonObject)['managedFields'] = entries ?? null;
};

describe('plain writes: entries that clients write', () => {
  const entry = (more: JsonObject = {}): JsonObject => ({
    manager: 'bob',
    operation: 'Apply',
    apiVersion: V1,
    time: '2020-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    ...more,
  });
  const start = (): ManagedObject => app().apply('alice', { spec: { replicas: 1, image: 'x' } });

  it('[{}] forgets all managers, and nothing is tracked until the next apply', () => {
    const o = start().update('e', setEntries([{}]));
    assert.deepEqual(o.entries, []);
    assert.deepEqual(o.update('e', change({ replicas: 2 })).entries, []);
    o.apply('alice', { spec: { replicas: 2 } });
    assert.deepEqual(Object.keys(o.owners), ['alice Apply', 'before-first-apply Update']);
  });

  for (const [what, entries] of [
    ['none', null],
    ['an empty list', []],
    ['an unknown operation', [entry({ operation: 'Create' })]],
    ['no operation', [entry({ operation: null })]],
    ['no version', [entry({ apiVersion: '' })]],
    ['another format', [entry({ fieldsType: 'FieldsV2' })]],
    ['no format', [entry({ fieldsType: '' })]],
    ['fields that are none', [entry({ fieldsV1: 'spec' })]],
    ['a broken element', [entry({ fieldsV1: { 'k:{': {} } })]],
    ['a time that is none', [entry({ time: 'now' })]],
    ['one good and one bad entry', [entry(), entry({ operation: 'x' })]],
    ['an entry that is not an object', ['x']],
    ['two empty entries', [{}, {}]],
  ] as [string, JsonObject['x']][]) {
    it(`${what}: the stored ones are kept`, () => {
      const o = start();
      const before = o.entries;
      assert.deepEqual(o.update('e', setEntries(entries)).entries, before);
    });
  }

  it('valid ones replace the stored ones', () => {
    const o = start().update('e', setEntries([entry()]));
    assert.deepEqual(o.entries, [entry()]);
    assert.deepEqual(o.conflicts('alice', { spec: { replicas: 9 } }), ['.spec.replicas']);
  });

  it('of several entries of one manager the last one counts', () => {
    const last = entry({ fieldsV1: { 'f:spec': { 'f:image': {} } } });
    assert.deepEqual(start().update('e', setEntries([entry(), last])).entries, [last]);
  });

  it('times are brought to whole seconds in UTC', () => {
    const o = start().update('e', setEntries([entry({ time: '2020-01-01T01:30:00.5+01:30' })]));
    assert.equal(o.entries[0]?.time, '2020-01-01T00:00:00Z');
  });

  it('a field that an entry names and the object lacks is a conflict for the manager that adds it', () => {
    const o = start().update(
      'e',
      setEntries([entry({ fieldsV1: { 'f:spec': { 'f:image': {}, 'f:paused': {} } } })]),
    );
    assert.deepEqual(o.conflicts('alice', { spec: { paused: true } }), ['.spec.paused']);
    assert.deepEqual(o.apply('alice', { spec: { paused: true } }, { force: true }).owners, {
      'alice Apply': { 'f:spec': { 'f:paused': {} } },
      'bob Apply': { 'f:spec': { 'f:image': {} } },
    });
  });

  it('an entry that owns nothing goes', () => {
    assert.deepEqual(start().update('e', setEntries([entry({ fieldsV1: null })])).entries, []);
  });

  it('a new object starts without those of the request', () => {
    const o = app().update('creator', (object) => {
      setEntries([entry()])(object);
      object['spec'] = { replicas: 1 };
    });
    assert.deepEqual(Object.keys(o.owners), ['creator Update']);
  });

  it('an object whose fields are nested too deep for its entries to be read back is not tracked', () => {
    const free = testKind(mergeSchema({ 'x-cluster-preserve-unknown-fields': true }));
    const deep = (levels: number): JsonObject =>
      levels === 0 ? { end: 1 } : { a: deep(levels - 1) };
    const o = new ManagedObject(free).update('creator', (object) => (object['spec'] = deep(900)));
    assert.equal(o.entries.length, 1);
    o.update('editor', (object) => (object['spec'] = deep(995)));
    assert.deepEqual(o.entries, []);
    const applied = new ManagedObject(free).tryApply('alice', { spec: deep(995) });
    assert.equal(applied.ok ? 200 : applied.error.code, 400);
  });

  it('a subresource cannot write them', () => {
    const status = testKind(schema, { subresource: 'status' });
    const o = start();
    const before = o.entries;
    assert.deepEqual(o.update('e', setEntries([{}]), { kind: status }).entries, before);
  });
});
