import assert from 'node:assert/strict';
import type { ObjectMeta } from '../api/object.ts';
import { fitName, fitNamespace } from './fit-path.ts';
import type { Target } from './served-resource.ts';

const groupResource = { group: 'node.cluster.io', resource: 'runtimeclasses' };
const target = (namespace: string): Target =>
  ({ resource: { groupResource }, namespace, name: 'a' }) as Target;

function fitted(metadata: ObjectMeta, namespace: string): ObjectMeta {
  fitNamespace(metadata, target(namespace));
  return metadata;
}

describe('the namespace of a body', () => {
  it('is that of the path: completed, kept, or refused', () => {
    assert.deepEqual(fitted({}, 'a'), { namespace: 'a' });
    assert.deepEqual(fitted({ namespace: '' }, 'a'), { namespace: 'a' });
    assert.deepEqual(fitted({ namespace: 'a' }, 'a'), { namespace: 'a' });
    assert.throws(() => fitted({ namespace: 'b' }, 'a'), { code: 400 });
  });

  it('is dropped where the kind lies in no namespace', () => {
    assert.deepEqual(fitted({ namespace: 'a' }, ''), {});
  });
});

describe('the name of a body', () => {
  it('is that of the path, and must be there', () => {
    fitName({ name: 'x' }, 'x');
    assert.throws(() => fitName({}, 'x'), /undeterminable/);
    assert.throws(() => fitName({ name: 'y' }, 'x'), /\(y\) does not match .*\(x\)/);
  });
});
