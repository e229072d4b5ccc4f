import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { type ManagedObject, members } from '../testing.ts';
import { app, owned, spec } from './app-testing.ts';

const names = (...list: string[]): JsonObject[] => list.map((name) => ({ name }));

describe('apply: lists', () => {
  it('an atomic list is one field, duplicates and all', () => {
    const o = app().apply('alice', spec({ plain: ['a', 'a'] }));
    assert.deepEqual(owned(o, 'alice'), members('plain'));
    assert.deepEqual(o.conflicts('bob', spec({ plain: ['a', 'a', 'b'] })), ['.spec.plain']);
  });

  it('a set merges by value', () => {
    const o = app()
      .apply('alice', spec({ tags: ['a', 'b'] }))
      .apply('bob', spec({ tags: ['b', 'c'] }));
    assert.deepEqual(o.spec, { tags: ['a', 'b', 'c'] });
    assert.deepEqual(owned(o, 'bob'), { 'f:tags': { 'v:"b"': {}, 'v:"c"': {} } });
    assert.deepEqual(o.apply('alice', spec({})).spec, { tags: ['b', 'c'] });
  });

  it('a set may hold atomic objects, told apart by their whole value', () => {
    const o = app()
      .apply('alice', spec({ pairs: [{ a: 1 }] }))
      .apply('bob', spec({ pairs: [{ a: 2 }, { a: 1 }] }));
    assert.deepEqual(o.spec, { pairs: [{ a: 2 }, { a: 1 }] });
    assert.deepEqual(owned(o, 'bob'), { 'f:pairs': { 'v:{"a":1}': {}, 'v:{"a":2}': {} } });
  });

  it('a list with a key merges item by item', () => {
    const o = app()
      .apply(
        'alice',
        spec({
          containers: [
            { name: 'web', image: 'a' },
            { name: 'log', image: 'b' },
          ],
        }),
      )
      .apply('bob', spec({ containers: [{ name: 'sync' }, { name: 'log', limits: { cpu: 1 } }] }));
    assert.deepEqual(o.spec, {
      containers: [
        { name: 'web', image: 'a' },
        { name: 'sync' },
        { name: 'log', image: 'b', limits: { cpu: 1 } },
      ],
    });
    assert.deepEqual(owned(o, 'bob'), {
      'f:containers': {
        'k:{"name":"log"}': { '.': {}, 'f:limits': { 'f:cpu': {} }, 'f:name': {} },
        'k:{"name":"sync"}': { '.': {}, 'f:name': {} },
      },
    });
  });

  it('an item that its owners leave out is removed, others keep what is theirs', () => {
    const o = app()
      .apply(
        'alice',
        spec({
          containers: [
            { name: 'web', image: 'a' },
            { name: 'log', image: 'b' },
          ],
        }),
      )
      .apply('bob', spec({ containers: [{ name: 'log', limits: { cpu: 1 } }] }))
      .apply('alice', spec({}));
    assert.deepEqual(o.spec, { containers: [{ name: 'log', limits: { cpu: 1 } }] });
  });

  it('lists in items of lists merge as well', () => {
    const o = app()
      .apply('alice', spec({ containers: [{ name: 'web', env: [{ name: 'A', value: '1' }] }] }))
      .apply('bob', spec({ containers: [{ name: 'web', env: [{ name: 'B', value: '2' }] }] }));
    assert.deepEqual(o.spec, {
      containers: [
        {
          name: 'web',
          env: [
            { name: 'A', value: '1' },
            { name: 'B', value: '2' },
          ],
        },
      ],
    });
    assert.deepEqual(
      o.conflicts('bob', spec({ containers: [{ name: 'web', env: [{ name: 'A', value: '9' }] }] })),
      ['.spec.containers[name="web"].env[name="A"].value'],
    );
  });

  it('a key with a default may be left out', () => {
    const o = app().apply('alice', spec({ ports: [{ port: 80, name: 'http' }] }));
    assert.deepEqual(owned(o, 'alice'), {
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:name': {}, 'f:port': {} } },
    });
    o.apply(
      'bob',
      spec({
        ports: [
          { port: 80, protocol: 'TCP' },
          { port: 80, protocol: 'UDP' },
        ],
      }),
    );
    assert.equal((o.spec as { ports: unknown[] }).ports.length, 2);
  });

  for (const [what, value, message] of [
    [
      'a value twice in a set',
      { tags: ['a', 'a'] },
      '.spec.tags: duplicate entries for key [="a"]',
    ],
    [
      'an item twice',
      { containers: names('a', 'a') },
      '.spec.containers: duplicate entries for key [name="a"]',
    ],
    [
      'an item twice, once by default',
      { ports: [{ port: 1 }, { port: 1, protocol: 'TCP' }] },
      '.spec.ports: duplicate entries for key [port=1,protocol="TCP"]',
    ],
    [
      'an item without key',
      { containers: [{ image: 'a' }] },
      '.spec.containers: element 0: associative list with keys has an element that omits all key fields ["name"]',
    ],
    [
      'a null item',
      { containers: [null] },
      '.spec.containers: element 0: associative list with keys may not have a null element',
    ],
    [
      'an item that is not an object',
      { containers: ['a'] },
      '.spec.containers: element 0: associative list with keys may not have non-map elements',
    ],
    [
      'null in a set',
      { tags: [null] },
      '.spec.tags: element 0: associative list without keys has an element that is an explicit null',
    ],
  ] as [string, JsonObject, string][]) {
    it(`refuses ${what}`, () => {
      const outcome = app().tryApply('alice', spec(value));
      assert.ok(!outcome.ok);
      assert.equal(outcome.error.code, 400);
      assert.ok(outcome.error.message.includes(message), outcome.error.message);
    });
  }
});

describe('apply: the order of a merged list', () => {
  const order = (o: ManagedObject): string =>
    (o.spec as { containers: { name: string }[] }).containers.map(({ name }) => name).join('');
  const merge = (...lists: string[]): string => {
    const o = app();
    lists.forEach((list, i) =>
      o.apply(`m${i}`, spec({ containers: names(...Array.from(list)) }), { force: true }),
    );
    return order(o);
  };

  for (const [lists, expected] of [
    [['abc', 'xbyz'], 'axbcyz'],
    [['abc', 'nm'], 'abcnm'],
    [['ab', 'ba'], 'ba'],
    [['abc', 'cba'], 'cba'],
    [['axbcyz', 'cba'], 'xcyzba'],
    [['abcd', 'db'], 'acdb'],
    [['', 'ba'], 'ba'],
  ] as [string[], string][]) {
    it(`${lists.join(' then ')} is ${expected}`, () => assert.equal(merge(...lists), expected));
  }

  it('a new order alone is a change, but no conflict', () => {
    const o = app().apply('alice', spec({ containers: names('a', 'b') }));
    const outcome = o.tryApply('bob', spec({ containers: names('b', 'a') }));
    assert.ok(outcome.ok);
    assert.equal(outcome.changed, true);
  });
});
