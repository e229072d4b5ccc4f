import assert from 'node:assert/strict';
import fc from 'fast-check';
import { exactText } from '../../client/exact.ts';
import { pathText, sameData, withData, without, type Data, type Path } from './data.ts';
import { parseFieldPath } from './field-path.ts';
import { changesOf, clashesOf, merged } from './merge.ts';
import { planOf } from './plan.ts';

const keysOf = (path: Path): string[] | undefined =>
  path.at(-1) === 'users' ? ['name'] : undefined;
const base = {
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'a', namespace: 'n', labels: { one: '1' } },
  spec: { size: 1, users: [{ name: 'app' }, { name: 'admin', admin: true }], list: [1, 2] },
};
const edited = (change: (copy: any) => void): Data => {
  const copy = structuredClone(base);
  change(copy);
  return copy;
};

describe('an edit', () => {
  it('consists of the smallest values that differ, with list items by key', () => {
    const now = edited((x) => {
      x.spec.size = 2;
      x.spec.users[1].admin = false;
      x.spec.users.push({ name: 'new' });
      x.spec.list = [2];
      delete x.metadata.labels.one;
    });
    const changes = changesOf(base, now, keysOf).map(({ path }) => pathText(path));
    assert.deepEqual(changes.toSorted(), [
      'metadata.labels.one',
      'spec.list',
      'spec.size',
      'spec.users[name="admin"].admin',
      'spec.users[name="new"]',
    ]);
  });

  it('keeps concurrent changes, and asks where both sides changed the same field', () => {
    const mine = edited((x) => {
      x.spec.size = 2;
      x.spec.users[0].admin = true;
    });
    const theirs = edited((x) => {
      x.spec.size = 3;
      x.metadata.labels.two = '2';
    });
    const clashes = clashesOf(base, mine, theirs, keysOf);
    assert.deepEqual(
      clashes.map(({ path }) => pathText(path)),
      ['spec.size'],
    );
    for (const [isMine, size] of [
      [true, 2],
      [false, 3],
    ] as const) {
      const both = merged(base, mine, theirs, keysOf, () => isMine) as typeof base;
      assert.equal(both.spec.size, size);
      assert.deepEqual(both.metadata.labels, { one: '1', two: '2' });
      assert.deepEqual(both.spec.users[0], { name: 'app', admin: true });
    }
  });

  it('made of any two documents transforms one into the other', () => {
    const data = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Data>;
    fc.assert(
      fc.property(data, data, (before, after) => {
        const made = changesOf(before, after, () => undefined).reduce<Data>(
          (here, { path, after: next }) => withData(here, path, next),
          before,
        );
        // 0 and -0 are the same number
        assert.ok(sameData(made, after) || exactText(made) === exactText(after));
      }),
    );
  });

  it('keeps every digit', () => {
    const size = 9007199254740993n;
    assert.equal(exactText({ size }), '{"size":9007199254740993}');
    assert.deepEqual(changesOf({ size }, { size: 9007199254740992n }, keysOf).length, 1);
    assert.ok(sameData(1n, 1));
  });
});

describe('the plan of an edit', () => {
  it('applies changed fields and those the console already owns', () => {
    const now = edited((x) => {
      x.spec.users[1].admin = false;
    });
    const owned = { 'f:spec': { 'f:size': {} } };
    assert.deepEqual(planOf(base, now, owned, keysOf), {
      kind: 'apply',
      config: {
        apiVersion: 'v1',
        kind: 'X',
        metadata: { name: 'a', namespace: 'n' },
        spec: { size: 1, users: [{ name: 'admin', admin: false }] },
      },
    });
  });

  it('replaces the object when a field is removed, and does nothing without a change', () => {
    const now = edited((x) => {
      delete x.spec.list;
    });
    assert.deepEqual(planOf(base, now, {}, keysOf), { kind: 'replace', object: now });
    assert.deepEqual(planOf(base, base, {}, keysOf), { kind: 'nothing' });
  });
});

describe('the path of a conflict', () => {
  it('names fields, items and keys with points', () => {
    const has = (path: Path, name: string): boolean => path.at(-1) === 'labels' && name === 'a.b/c';
    const cases: [string, Path | undefined][] = [
      ['.spec.size', ['spec', 'size']],
      ['.metadata.labels.a.b/c', ['metadata', 'labels', 'a.b/c']],
      ['.spec.users[name="x.y"].admin', ['spec', 'users', { keys: { name: 'x.y' } }, 'admin']],
      [
        '.spec.ports[port=80,protocol="TCP"].name',
        ['spec', 'ports', { keys: { port: 80, protocol: 'TCP' } }, 'name'],
      ],
      ['.spec.list[3]', ['spec', 'list', 3]],
      ['.spec[=]', undefined],
    ];
    for (const [text, path] of cases) assert.deepEqual(parseFieldPath(text, has), path, text);
  });

  it('can be excluded from the apply', () => {
    const path: Path = ['spec', 'users', { keys: { name: 'admin' } }, 'admin'];
    assert.deepEqual((without(base, path) as typeof base).spec.users[1], { name: 'admin' });
  });
});
