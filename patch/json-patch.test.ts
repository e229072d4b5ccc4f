import assert from 'node:assert/strict';
import fc from 'fast-check';
import jsonpatch from 'fast-json-patch';
import { deepClone, deepEqual, hasOwn, type JsonObject, type JsonValue } from '../api/json.ts';
import { parseJsonPatch, type JsonPatchOperation } from './json-patch-parse.ts';
import { applyJsonPatch } from './json-patch-at-once.ts';
import { patched } from './testing.ts';

/** RFC 6902 appendix A and RFC 6901: document, patch, result (undefined: refused). */
const RFC_CASES: [string, JsonValue, JsonValue, JsonValue | undefined][] = [
  [
    'A.1 adding an object member',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz', value: 'qux' }],
    { baz: 'qux', foo: 'bar' },
  ],
  [
    'A.2 adding an array element',
    { foo: ['bar', 'baz'] },
    [{ op: 'add', path: '/foo/1', value: 'qux' }],
    { foo: ['bar', 'qux', 'baz'] },
  ],
  [
    'A.3 removing an object member',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'remove', path: '/baz' }],
    { foo: 'bar' },
  ],
  [
    'A.4 removing an array element',
    { foo: ['bar', 'qux', 'baz'] },
    [{ op: 'remove', path: '/foo/1' }],
    { foo: ['bar', 'baz'] },
  ],
  [
    'A.5 replacing a value',
    { baz: 'qux', foo: 'bar' },
    [{ op: 'replace', path: '/baz', value: 'boo' }],
    { baz: 'boo', foo: 'bar' },
  ],
  [
    'A.6 moving a value',
    { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
    [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
    { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
  ],
  [
    'A.7 moving an array element',
    { foo: ['all', 'grass', 'cows', 'eat'] },
    [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
    { foo: ['all', 'cows', 'eat', 'grass'] },
  ],
  [
    'A.8 testing a value: success',
    { baz: 'qux', foo: ['a', 2, 'c'] },
    [
      { op: 'test', path: '/baz', value: 'qux' },
      { op: 'test', path: '/foo/1', value: 2 },
    ],
    { baz: 'qux', foo: ['a', 2, 'c'] },
  ],
  [
    'A.9 testing a value: error',
    { baz: 'qux' },
    [{ op: 'test', path: '/baz', value: 'bar' }],
    undefined,
  ],
  [
    'A.10 adding a nested member object',
    { foo: 'bar' },
    [{ op: 'add', path: '/child', value: { grandchild: {} } }],
    { foo: 'bar', child: { grandchild: {} } },
  ],
  [
    'A.11 ignoring unrecognized elements',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
    { foo: 'bar', baz: 'qux' },
  ],
  [
    'A.12 adding to a nonexistent target',
    { foo: 'bar' },
    [{ op: 'add', path: '/baz/bat', value: 'qux' }],
    undefined,
  ],
  [
    'A.14 ~ escape ordering',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: 10 }],
    { '/': 9, '~1': 10 },
  ],
  [
    'A.15 comparing strings and numbers',
    { '/': 9, '~1': 10 },
    [{ op: 'test', path: '/~01', value: '10' }],
    undefined,
  ],
  [
    'A.16 adding an array value',
    { foo: ['bar'] },
    [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
    { foo: ['bar', ['abc', 'def']] },
  ],
  ['the whole document by the empty path', { foo: 1 }, [{ op: 'add', path: '', value: [] }], []],
  ...['text', 1, true, null].flatMap((value): [string, JsonValue, JsonValue, undefined][] => [
    [`no ${value} added as the document`, {}, [{ op: 'add', path: '', value }], undefined],
    [`no ${value} as the document`, {}, [{ op: 'replace', path: '', value }], undefined],
  ]),
  [
    'the member with the empty name',
    { '': 1 },
    [{ op: 'replace', path: '/', value: 2 }],
    { '': 2 },
  ],
  ['replace needs something to replace', {}, [{ op: 'replace', path: '/a', value: 1 }], undefined],
  ['an index beyond the end', { a: [1] }, [{ op: 'add', path: '/a/2', value: 1 }], undefined],
  ['an index that is not a number', { a: [1] }, [{ op: 'add', path: '/a/x', value: 1 }], undefined],
  [
    'a number with a fraction is not an index',
    { a: [1, 2] },
    [{ op: 'remove', path: '/a/1e0' }],
    undefined,
  ],
  [
    'a value moved into itself',
    { a: { b: {} } },
    [{ op: 'move', from: '/a', path: '/a/b' }],
    undefined,
  ],
  ['a value moved onto itself', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
  ['a pointer without its slash', { a: 1 }, [{ op: 'remove', path: 'a' }], undefined],
];

describe('JSON patch', () => {
  for (const [name, document, patch, result] of RFC_CASES) {
    it(`RFC 6902: ${name}`, () => {
      assert.deepEqual(patched(document, patch, { dialect: 'rfc6902' }), result);
      assert.deepEqual(patched(document, patch), result);
    });
  }

  it('reads members that are not there as null, as kube-apiserver does, when told to', () => {
    const cases: [JsonValue, JsonValue | undefined][] = [
      [
        { op: 'replace', path: '/b', value: 1 },
        { a: {}, b: 1 },
      ],
      [
        { op: 'add', path: 'x/b' },
        { a: {}, b: null },
      ],
      [{ op: 'replace', path: '', value: {} }, {}],
      [{ op: 'add', path: '', value: {} }, undefined],
      [{ op: 'copy', from: '', path: '/b' }, undefined],
      [{ op: 'copy', from: '/a', path: '' }, undefined],
      [{ op: 'move', from: '/a', path: '' }, undefined],
      [{ op: 'move', from: '', path: '' }, undefined],
      [
        { op: 'copy', from: '/a/none', path: '/b' },
        { a: {}, b: null },
      ],
      [{ op: 'copy', from: '/none/none', path: '/b' }, undefined],
      [
        { op: 'move', from: '/none', path: '/b' },
        { a: {}, b: null },
      ],
      [{ op: 'move', from: '/none', path: '/none' }, { a: {} }],
      [{ op: 'remove', path: '/none' }, undefined],
    ];
    for (const [operation, result] of cases) {
      const outcome = patched({ a: {} }, [operation], { forgiving: true });
      assert.deepEqual(outcome, result, JSON.stringify(operation));
    }
    assert.equal(patched({ a: [] }, [{ op: 'copy', from: '/a/0', path: '/b' }]), undefined);
  });

  it('agrees with fast-json-patch on patches between random documents', () => {
    // fast-json-patch mishandles some keys and mutates: it sees copies of plain documents only
    const key = fc.constantFrom('a', 'b', 'c', 'x/y', 'm~n');
    const { node } = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<JsonValue>(0, 1, 'x', true, null),
        fc.array(tie('node'), { maxLength: 4 }),
        fc.dictionary(key, tie('node'), { maxKeys: 4 }),
      ),
    }));
    const object = fc.dictionary(key, node) as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patch = jsonpatch.compare(from, to) as unknown as JsonPatchOperation[];
        const outcome = applyJsonPatch(from, patch, { dialect: 'rfc6902' });
        assert.ok(outcome.ok);
        assert.ok(deepEqual(outcome.value, to));
      }),
    );
  });

  it('reads indexes as kube-apiserver does: negative ones from the end, leading zeros', () => {
    const document = { a: ['x', 'y', 'z'] };
    assert.deepEqual(patched(document, [{ op: 'replace', path: '/a/-1', value: 'l' }]), {
      a: ['x', 'y', 'l'],
    });
    assert.deepEqual(patched(document, [{ op: 'add', path: '/a/-1', value: 'n' }]), {
      a: ['x', 'y', 'z', 'n'],
    });
    assert.deepEqual(patched(document, [{ op: 'remove', path: '/a/01' }]), { a: ['x', 'z'] });
    assert.equal(patched(document, [{ op: 'remove', path: '/a/-4' }]), undefined);
    for (const path of ['/a/-1', '/a/01']) {
      assert.equal(patched(document, [{ op: 'remove', path }], { dialect: 'rfc6902' }), undefined);
    }
  });

  it('passes a test for null where no member is, but not where no parent is', () => {
    const test = (path: string): JsonValue[] => [{ op: 'test', path, value: null }];
    assert.deepEqual(patched({ a: {} }, test('/a/b')), { a: {} });
    assert.equal(patched({ a: {} }, test('/b/c')), undefined);
    assert.equal(patched({ a: [] }, test('/a/0')), undefined);
    assert.equal(patched({ a: {} }, test('/a/b'), { dialect: 'rfc6902' }), undefined);
  });

  it('compares numbers of a test as they are written', () => {
    const parsed = parseJsonPatch('[{"op":"test","path":"/n","value":3.0}]');
    assert.ok(parsed.ok);
    assert.equal(applyJsonPatch({ n: 3 }, parsed.operations).ok, false);
    assert.ok(patched({ n: 3.5 }, [{ op: 'test', path: '/n', value: 3.5 }]));
  });

  it('compares lists and objects as a whole, whatever the order of members', () => {
    const passes = (actual: JsonValue, value: JsonValue): boolean =>
      patched({ v: actual }, [{ op: 'test', path: '/v', value }]) !== undefined;
    const value = { list: [1, { a: null }], text: 'x' };
    assert.ok(passes({ text: 'x', list: [1, { a: null }] }, value));
    for (const other of [
      { list: [1, { a: null }] },
      { list: [1, { a: null }], text: 'x', more: 1 },
      { list: [1, { b: null }], text: 'x' },
      { list: [{ a: null }, 1], text: 'x' },
      { list: [1], text: 'x' },
      { list: { 0: 1 }, text: 'x' },
      [value],
      'x',
    ]) {
      assert.equal(passes(other, value), false, JSON.stringify(other));
    }
  });

  it('compares 64-bit integers exactly', () => {
    const parsed = parseJsonPatch('[{"op":"test","path":"/n","value":9007199254740993}]');
    assert.ok(parsed.ok);
    assert.ok(applyJsonPatch({ n: 9007199254740993n }, parsed.operations).ok);
    assert.equal(applyJsonPatch({ n: 9007199254740992n }, parsed.operations).ok, false);
  });

  it('applies all operations or none, and never changes its inputs', () => {
    const document = { a: { b: 1 }, list: [1, 2] };
    const value = { deep: [1] };
    const operations: JsonPatchOperation[] = [
      { op: 'add', path: '/a/c', value },
      { op: 'add', path: '/a/c/deep/-', value: 2 },
      { op: 'copy', from: '/a/c', path: '/d' },
      { op: 'replace', path: '/d/deep/0', value: 9 },
    ];
    const before = deepClone({ document, value });
    const outcome = applyJsonPatch(document, operations);
    assert.deepEqual(outcome.ok && outcome.value, {
      a: { b: 1, c: { deep: [1, 2] } },
      list: [1, 2],
      d: { deep: [9, 2] },
    });
    assert.equal(
      applyJsonPatch(document, [...operations, { op: 'remove', path: '/no' }]).ok,
      false,
    );
    assert.deepEqual({ document, value }, before);
  });

  it('sees own members only', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      assert.equal(patched({ labels: {} }, [{ op: 'remove', path: `/labels/${name}` }]), undefined);
      assert.equal(
        patched({ labels: {} }, [{ op: 'add', path: `/labels/${name}/x`, value: 1 }]),
        undefined,
      );
    }
    const added = patched({ labels: {} }, [
      { op: 'add', path: '/labels/__proto__', value: { x: 1 } },
    ]) as JsonObject;
    assert.ok(hasOwn(added['labels'] as JsonObject, '__proto__'));
    assert.equal(hasOwn({}, 'x'), false);
    assert.equal(patched([1], [{ op: 'remove', path: '/length' }]), undefined);
  });
});
