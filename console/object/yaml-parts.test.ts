import assert from 'node:assert/strict';
import { partsOf } from './yaml-parts.ts';

const texts = (yaml: string): string[] =>
  partsOf(yaml).flatMap(({ lines }) =>
    lines.filter(({ isText }) => isText).map(({ text }) => text.trim()),
  );

describe('parts of YAML', () => {
  it('are the whole text, a hundred lines each', () => {
    const yaml = Array.from({ length: 250 }, (_, i) => `key-${i}: ${i}`).join('\n');
    const parts = partsOf(`${yaml}\n`);
    assert.deepEqual(
      parts.map(({ lines }) => lines.length),
      [100, 100, 50],
    );
    assert.equal(parts.map(({ source }) => source).join('\n'), yaml);
  });

  it('know what is text of several lines', () => {
    assert.deepEqual(texts('a: |\n  b: 1\n\n  c: 2\nd: 3\n'), ['b: 1', '', 'c: 2']);
    assert.deepEqual(texts('- a: |-\n    b: 1\n  c: 2\n'), ['b: 1']);
    assert.deepEqual(texts('l:\n  - |\n    b: 1\n  - c: 2\n'), ['b: 1']);
    assert.deepEqual(texts('a: b|\n  c: 1\n'), []);
    const long = Array.from({ length: 150 }, (_, i) => `  l-${i}: x`).join('\n');
    assert.equal(texts(`a: |\n${long}\nb: 1\n`).length, 150);
  });
});
