import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { GroupResource } from '../api/group-version.ts';
import { pathSegmentNameErrors } from '../api/names.ts';
import {
  relativeKey,
  resourceOfPrefix,
  resourcePrefix,
  resourcePrefixOf,
  splitKey,
} from './keys.ts';

/** Neighbouring parts, and tricks; a string that is not a path segment never becomes a key. */
const part = fc
  .oneof(
    fc.constantFrom('a', 'aa', 'a.b', 'b', 'foo', 'foobar', 'foo.bar', '...', '%2f', 'a%2fb', 'A'),
    fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ab./%-_:~ é\u0000') }),
  )
  .filter((text) => pathSegmentNameErrors(text).length === 0);
// Definitions are only taken with a dot in their group, save for a few, and none in their plural.
const group = fc.oneof(
  fc.constantFrom('', 'apps', 'core'),
  part.map((name) => `${name}.io`),
);
const resource = fc.record({
  group,
  resource: part.filter((text) => !text.includes('.')),
});
const object = fc.record({
  resource,
  namespace: fc.oneof(fc.constant(''), part),
  name: part,
});

interface Named {
  readonly resource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

const keyOf = ({ resource: of, namespace, name }: Named): string =>
  resourcePrefix(of) + relativeKey(namespace, name);

describe('CVE-2022-3162, CVE-2015-5305: keys of the store', () => {
  it('a key tells its resource and its object', () => {
    fc.assert(
      fc.property(object, (named) => {
        const prefix = resourcePrefix(named.resource);
        const rest = relativeKey(named.namespace, named.name);
        assert.deepEqual(splitKey(keyOf(named)), { prefix, rest });
        assert.equal(resourcePrefixOf(prefix), prefix);
        assert.deepEqual(resourceOfPrefix(prefix), { ...named.resource });
      }),
    );
    for (const other of ['compact_rev_key', '~tick', '/a', 'a/', 'a.io/', 'a.io/b', '']) {
      assert.equal(splitKey(other), undefined, other);
    }
  });

  it('no two objects have the same key', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        assert.equal(keyOf(a) === keyOf(b), same);
      }),
    );
  });

  it('no object is below the prefix of another resource, however alike they are called', () => {
    fc.assert(
      fc.property(object, resource, (one, other) => {
        const isBelow = keyOf(one).startsWith(resourcePrefix(other));
        const isOwn = JSON.stringify(one.resource) === JSON.stringify(other);
        assert.equal(isBelow, isOwn);
      }),
    );
  });

  it('no object is below the prefix of another namespace', () => {
    fc.assert(
      fc.property(part, part, part, (namespace, name, other) => {
        const isBelow = relativeKey(namespace, name).startsWith(`${other}/`);
        assert.equal(isBelow, namespace === other);
      }),
    );
  });

  it('refuses names that lead out of their prefix', () => {
    for (const name of ['.', '..', 'a/b', '../a', '%2e%2e/a', 'a%2fb', '%']) {
      assert.notDeepEqual(pathSegmentNameErrors(name), [], name);
    }
  });
});
