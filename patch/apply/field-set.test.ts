import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atOnce } from '../../api/steps.ts';
import {
  EMPTY_SET,
  hasPath,
  intersectionSteps,
  isEmpty,
  isSubset,
  leaves,
  MEMBER,
  recursiveDifference,
  setOfPath,
  withSelf,
  type FieldSet,
} from './field-set.ts';
import { difference, union } from './field-set-at-once.ts';
import { readFieldsV1 } from './fields-v1-at-once.ts';

const intersection = (a: FieldSet, b: FieldSet): FieldSet => atOnce(intersectionSteps(a, b));

/** The naive model: a set of paths as texts. */
type Paths = ReadonlySet<string>;

const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":1}', 'v:"x"');
const path = fc.array(element, { minLength: 1, maxLength: 4 });
const paths = fc.array(path, { maxLength: 12 });

function fromPaths(list: readonly (readonly string[])[]): FieldSet {
  return list.reduce<FieldSet>((set, p) => union(set, setOfPath(...p)), EMPTY_SET);
}

function toPaths(set: FieldSet, prefix = '', out = new Set<string>()): Set<string> {
  for (const [key, node] of Object.entries(set)) {
    if (key === '.') continue;
    if (isEmpty(node) || '.' in node) out.add(`${prefix}/${key}`);
    toPaths(node, `${prefix}/${key}`, out);
  }
  return out;
}

const model = (list: readonly (readonly string[])[]): Set<string> =>
  new Set(list.map((p) => `/${p.join('/')}`));
const isBelow = (p: string, parent: string): boolean => p === parent || p.startsWith(`${parent}/`);
const filtered = (set: Paths, keep: (p: string) => boolean): Set<string> =>
  new Set([...set].filter(keep));

/** No node says the same in two ways: that is what makes equal sets equal as JSON. */
function isCanonical(set: FieldSet): boolean {
  return Object.entries(set).every(
    ([key, node]) =>
      (key === '.' && isEmpty(node)) ||
      (key !== '.' && !(Object.keys(node).length === 1 && '.' in node) && isCanonical(node)),
  );
}

function checkBinary(
  name: string,
  operation: (a: FieldSet, b: FieldSet) => FieldSet,
  expected: (a: Paths, b: Paths) => Set<string>,
): void {
  it(`${name} agrees with sets of paths`, () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const [x, y] = [fromPaths(a), fromPaths(b)];
        const before = JSON.stringify([x, y]);
        const result = operation(x, y);
        assert.deepEqual(toPaths(result), expected(model(a), model(b)));
        assert.ok(isCanonical(result));
        assert.equal(JSON.stringify([x, y]), before, 'sets never change');
      }),
      { numRuns: 500 },
    );
  });
}

describe('field sets', () => {
  it('a set made of paths has these paths', () => {
    fc.assert(
      fc.property(paths, path, (list, other) => {
        const set = fromPaths(list);
        assert.deepEqual(toPaths(set), model(list));
        assert.equal(hasPath(set, other), model(list).has(`/${other.join('/')}`));
        assert.equal(hasPath(set, []), false);
      }),
    );
  });

  checkBinary('union', union, (a, b) => new Set([...a, ...b]));
  checkBinary('intersection', intersection, (a, b) => filtered(a, (p) => b.has(p)));
  checkBinary('difference', difference, (a, b) => filtered(a, (p) => !b.has(p)));
  checkBinary('recursive difference', recursiveDifference, (a, b) =>
    filtered(a, (p) => ![...b].some((parent) => isBelow(p, parent))),
  );

  it('leaves have no member below them', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const all = model(list);
        const expected = filtered(all, (p) => ![...all].some((q) => q !== p && isBelow(q, p)));
        assert.deepEqual(toPaths(leaves(fromPaths(list))), expected);
      }),
    );
  });

  it('subset agrees with sets of paths', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const expected = [...model(a)].every((p) => model(b).has(p));
        assert.equal(isSubset(fromPaths(a), fromPaths(b)), expected);
        assert.ok(isSubset(fromPaths(a), fromPaths([...a, ...b])));
      }),
    );
  });

  it('the order in which members come does not matter', () => {
    fc.assert(
      fc.property(paths, (list) => {
        assert.deepEqual(fromPaths([...list].reverse()), fromPaths(list));
      }),
    );
  });

  it('operations that change nothing return the very set', () => {
    fc.assert(
      fc.property(paths, paths, (a, b) => {
        const x = fromPaths(a);
        assert.equal(union(x, intersection(x, fromPaths(b))), x);
        const other = difference(fromPaths(b), x);
        assert.equal(difference(x, other), x);
      }),
    );
  });

  it('a place is a member by itself or by its mark', () => {
    assert.equal(withSelf(undefined), MEMBER);
    assert.deepEqual(withSelf({ 'f:a': {} }), { '.': {}, 'f:a': {} });
    assert.deepEqual(difference({ 'f:a': { '.': {}, 'f:b': {} } }, setOfPath('f:a', 'f:b')), {
      'f:a': {},
    });
    assert.deepEqual(difference({ 'f:a': { '.': {}, 'f:b': {} } }, setOfPath('f:a')), {
      'f:a': { 'f:b': {} },
    });
  });

  it('is read back from its JSON as it was written', () => {
    fc.assert(
      fc.property(paths, (list) => {
        const set = fromPaths(list);
        const parsed = JSON.parse(JSON.stringify(set)) as FieldSet;
        assert.equal(readFieldsV1(parsed), parsed);
        assert.deepEqual(parsed, set);
      }),
    );
  });
});
