import assert from 'node:assert/strict';
import { StructuralSchema } from '../schema/structure/structural.ts';
import { filterPredicate } from './filter.ts';

const INTEGER = new StructuralSchema({ type: 'integer' });
const schema = (): StructuralSchema =>
  new StructuralSchema({ type: 'object', properties: new Map([['n', INTEGER]]) });

describe('filters', () => {
  it('are evaluated once for all requests that ask the same of an object', () => {
    const shared = schema();
    const [entry, object] = [{}, { n: 1 }];
    const [first, second] = [1, 2].map(() => filterPredicate('object.n == 1', shared, true));
    assert.equal(first!.known?.(entry), undefined);
    assert.equal(first!.matches(object, entry), true);
    assert.equal(second!.known?.(entry), true);
    const other = filterPredicate('object.n == 1', schema(), true);
    assert.equal(other.known?.(entry), undefined, 'another schema may mean something else');
  });

  it('stop a list that takes too many steps for all its objects, but not a stream', () => {
    const items = Array.from({ length: 18 }, (_, i) => i).join(',');
    const list = `[${items}]`;
    const text = `${list}.all(a, ${list}.all(b, ${list}.all(c, a + b + c >= 0)))`;
    const object = { metadata: { name: 'x' }, n: 1 };
    const steps = (isStream: boolean): number => {
      const predicate = filterPredicate(text, schema(), isStream);
      for (let i = 0; i < 1_500; i++) {
        try {
          assert.equal(predicate.matches(object, {}), true);
        } catch (error) {
          assert.match(String(error), /for the objects of this request/);
          return i;
        }
      }
      return Infinity;
    };
    assert.ok(steps(false) > 100);
    assert.ok(steps(false) < Infinity);
    assert.equal(steps(true), Infinity);
  });

  it('leave out objects for which the expression fails', () => {
    const predicate = filterPredicate('object.n + 1 > 0', schema(), false);
    assert.equal(predicate.matches({ n: 1 }), true);
    assert.equal(predicate.matches({}), false);
    assert.equal(predicate.matches({ n: 'text' }), false);
  });
});
