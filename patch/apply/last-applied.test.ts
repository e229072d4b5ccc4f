import assert from 'node:assert/strict';
import { getPath, type JsonObject } from '../../api/json.ts';
import { ManagedObject, mergeSchema, testKind, V1 } from '../testing.ts';
import { LAST_APPLIED_ANNOTATION } from '../../api/naming.ts';

const kind = testKind(
  mergeSchema({ properties: { replicas: { type: 'integer' }, image: { type: 'string' } } }),
);

/** An object as kubectl's client-side apply makes it. */
function clientSide(spec: JsonObject, remembered: JsonObject | string = spec): ManagedObject {
  const text =
    typeof remembered === 'string'
      ? remembered
      : JSON.stringify({ apiVersion: V1, kind: 'App', metadata: { name: 'a' }, spec: remembered });
  return new ManagedObject(kind).update('kubectl-client-side-apply', (object) => {
    object['metadata'] = { name: 'a', annotations: { [LAST_APPLIED_ANNOTATION]: text } };
    object['spec'] = spec;
  });
}

const annotation = (o: ManagedObject): unknown =>
  getPath(o.object, 'metadata', 'annotations', LAST_APPLIED_ANNOTATION);

describe('from client-side to server-side apply', () => {
  it('kubectl takes fields of the annotation without force, and keeps the annotation up to date', () => {
    const o = clientSide({ replicas: 2, image: 'x' }).apply('kubectl', {
      spec: { replicas: 3, image: 'a<b' },
    });
    assert.deepEqual(o.spec, { replicas: 3, image: 'a<b' });
    assert.equal(
      annotation(o),
      '{"apiVersion":"example.com/v1","kind":"App","metadata":{"name":"a"},"spec":{"image":"a\\u003cb","replicas":3}}\n',
    );
  });

  it('another manager does not', () => {
    assert.deepEqual(clientSide({ replicas: 2 }).conflicts('tool', { spec: { replicas: 3 } }), [
      '.spec.replicas',
    ]);
  });

  it('fields outside of the annotation are conflicts, and only those', () => {
    const o = clientSide({ replicas: 2, image: 'x' }, { image: 'x' });
    assert.deepEqual(o.conflicts('kubectl', { spec: { replicas: 3, image: 'y' } }), [
      '.spec.replicas',
    ]);
  });

  it('fields changed since are conflicts', () => {
    const o = clientSide({ replicas: 2, image: 'x' }).apply(
      'tool',
      { spec: { replicas: 9 } },
      { force: true },
    );
    assert.deepEqual(o.conflicts('kubectl', { spec: { replicas: 3, image: 'x' } }), [
      '.spec.replicas',
    ]);
  });

  for (const [what, text] of [
    ['no JSON', 'nothing'],
    ['no object', '[]'],
    ['of another version', '{"apiVersion":"example.com/v9","kind":"App","spec":{"replicas":2}}'],
    [
      'with a field that is unknown',
      `{"apiVersion":"${V1}","kind":"App","spec":{"replicas":2,"colour":1}}`,
    ],
    ['empty', ''],
  ] as const) {
    it(`an annotation that is ${what} allows nothing`, () => {
      assert.deepEqual(
        clientSide({ replicas: 2 }, text).conflicts('kubectl', { spec: { replicas: 3 } }),
        ['.spec.replicas'],
      );
    });
  }

  it('a forced apply rewrites an annotation that cannot be read', () => {
    const o = clientSide({ replicas: 2 }, 'nothing').apply(
      'kubectl',
      { spec: { replicas: 3 } },
      { force: true },
    );
    assert.match(String(annotation(o)), /^\{"apiVersion"/);
  });

  it('the annotation leaves itself out', () => {
    const o = new ManagedObject(kind).apply('kubectl', {
      metadata: { name: 'a', annotations: { [LAST_APPLIED_ANNOTATION]: 'x', b: 'c' } },
    });
    assert.equal(
      annotation(o),
      '{"apiVersion":"example.com/v1","kind":"App","metadata":{"annotations":{"b":"c"},"name":"a"}}\n',
    );
  });

  it('objects without it do not get it', () => {
    const o = new ManagedObject(kind).apply('kubectl', { spec: { replicas: 1 } });
    assert.equal(annotation(o), undefined);
  });

  it('it is dropped when the annotations become too large by it', () => {
    const o = clientSide({ replicas: 2 }).apply('kubectl', {
      spec: { replicas: 2, image: 'x'.repeat(300_000) },
    });
    assert.equal(annotation(o), undefined);
  });
});
