import assert from 'node:assert/strict';
import { MadeStruct } from '../../cel/types/made-struct.ts';
import type { CelType } from '../../cel/value/cel-type.ts';
import { ArrayList } from '../../cel/value/list.ts';
import type { CelValue } from '../../cel/value/value.ts';
import { madeObject } from './made-object.ts';

function made(name: string, fields: Record<string, CelValue>): MadeStruct {
  const type: CelType = { kind: 'struct', name, params: [], size: 1, open: false };
  return new MadeStruct(type, new Map(Object.entries(fields)));
}
const why = (value: CelValue): string | undefined => {
  const result = madeObject(value);
  return result.ok ? undefined : result.why;
};

describe('the configuration that an expression has made', () => {
  it('is JSON when each part is named after its place', () => {
    const spec = made('Object.spec', {
      replicas: 3n,
      items: new ArrayList([made('Object.spec.items', { name: 'a' })]),
    });
    assert.deepEqual(madeObject(made('Object', { spec })), {
      ok: true,
      value: { spec: { replicas: 3n, items: [{ name: 'a' }] } },
    });
  });

  it('is refused with a part that is named after another place, also in a list', () => {
    const misplaced = made('Object.metadata', {});
    assert.match(
      why(made('Object', { spec: misplaced })) ?? '',
      /^type mismatch: unexpected type name "Object.metadata", expected "Object.spec",/,
    );
    const items = new ArrayList([made('Object.spec.items', {}), misplaced]);
    assert.match(
      why(made('Object', { spec: made('Object.spec', { items }) })) ?? '',
      /expected "Object.spec.items",/,
    );
  });

  it('must be an object', () => {
    for (const value of [3n, 'Object', true, new ArrayList([])]) {
      assert.equal(why(value), 'unexpected evaluation type');
    }
  });
});
