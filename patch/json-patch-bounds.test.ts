import assert from 'node:assert/strict';
import { MAX_JSON_DEPTH } from '../api/json-parse.ts';
import type { JsonValue } from '../api/json.ts';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { parseJsonPatch } from './json-patch-parse.ts';
import { MAX_COPIED_BYTES } from './json-patch.ts';
import { applyJsonPatch } from './json-patch-at-once.ts';
import { patched } from './testing.ts';

describe('JSON patch: bounds', () => {
  it('refuses copies that add up to more than 3 MiB', () => {
    const big = 'x'.repeat(300_000);
    const copies = (n: number): JsonValue =>
      Array.from({ length: n }, (_, i) => ({ op: 'copy', from: '/big', path: `/c${i}` }));
    assert.ok(patched({ big }, copies(Math.floor(MAX_COPIED_BYTES / 300_002))));
    assert.equal(patched({ big }, copies(11)), undefined);
  });

  it('stops a document that doubles with every copy', () => {
    const doubling = Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    assert.equal(patched({ a: ['y'.repeat(100)] }, doubling), undefined);
  });

  it('refuses a result that is nested deeper than any document may be', () => {
    const deepen: JsonValue[] = [];
    for (let i = 0; i < 3000; i++) {
      deepen.push(
        { op: 'add', path: '/t', value: {} },
        { op: 'move', from: '/a', path: '/t/a' },
        { op: 'move', from: '/t', path: '/a' },
      );
    }
    assert.equal(patched({ a: {} }, deepen.slice(0, 9000)), undefined);
    assert.ok(patched({ a: {} }, deepen.slice(0, 300)));
  });

  it('refuses pointers that are deeper than any document', () => {
    const path = '/a'.repeat(MAX_JSON_DEPTH + 1);
    assert.equal(patched({ a: 1 }, [{ op: 'test', path, value: 1 }]), undefined);
  });

  it('bounds the work of comparisons with a large value', () => {
    const list = Array.from({ length: 20_000 }, () => ({}));
    const parsed = parseJsonPatch('[{"op":"test","path":"/list","value":[]}]');
    assert.ok(parsed.ok);
    const [test] = parsed.operations;
    assert.ok(test);
    const tests = Array.from({ length: 200 }, () => ({ ...test, value: list }));
    assert.ok(applyJsonPatch({ list }, tests.slice(0, 10)).ok);
    assert.equal(applyJsonPatch({ list }, tests).ok, false);
  });

  it('bounds the work of ten thousand cheap operations on a large list', () => {
    const list = Array.from({ length: 200_000 }, () => 0);
    const inserts = Array.from({ length: 10_000 }, () => ({
      op: 'add',
      path: '/list/0',
      value: 0,
    }));
    const start = cpuMs();
    assert.equal(patched({ list }, inserts), undefined);
    assert.ok(cpuMs() - start < scaled(2000));
  });
});
