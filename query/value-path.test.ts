import assert from 'node:assert/strict';
import { valueAt } from './read-path.ts';
import { parseValuePath } from './value-path.ts';

function read(object: any, text: string): unknown {
  const parsed = parseValuePath(text);
  assert.ok('path' in parsed, `${text}: ${JSON.stringify(parsed)}`);
  return valueAt(object, parsed.path);
}

describe('a path to a value', () => {
  const object = {
    metadata: { annotations: { 'example.com/team': 'a', plain: 'b' } },
    spec: { replicas: 3, nothing: null, ports: [80, 443] },
    status: {
      conditions: [
        { type: 'Old', status: 'False' },
        { type: 'Ready', status: 'True' },
        { type: 'a]b', status: 'x' },
      ],
    },
  };

  it('goes through keys, quoted keys, items by a field, and items by their number', () => {
    assert.equal(read(object, 'spec.replicas'), 3);
    assert.equal(read(object, 'metadata.annotations["example.com/team"]'), 'a');
    assert.equal(read(object, "metadata.annotations['example.com/team']"), 'a');
    assert.equal(read(object, 'metadata["annotations"].plain'), 'b');
    assert.equal(read(object, 'status.conditions[?type=Ready].status'), 'True');
    assert.equal(read(object, 'status.conditions[?type="a]b"].status'), 'x');
    assert.equal(read(object, 'spec.ports[1]'), 443);
  });

  it('has no value where the object has another shape', () => {
    for (const path of [
      'spec.absent',
      'spec.nothing',
      'spec.replicas.more',
      'spec[0]',
      'spec.ports[9]',
      'status.conditions.status',
      'status.conditions[?type=None].status',
      'spec.constructor',
      '__proto__.toString',
    ]) {
      assert.equal(read(object, path), undefined, path);
    }
  });

  it('that cannot be read tells at which character', () => {
    for (const [path, at] of [
      ['', 1],
      ['.spec', 1],
      ['spec.', 6],
      ['spec..a', 6],
      ['spec a', 5],
      ['a[', 3],
      ['a[x]', 3],
      ['a[0', 4],
      ['a[?b]', 5],
      ['a["b]', 3],
      ['a[0]b', 5],
    ] as const) {
      const parsed = parseValuePath(path);
      assert.ok('error' in parsed, path);
      assert.match(parsed.error, new RegExp(`at character ${at}$`), path);
    }
  });

  it('is bounded in length and steps', () => {
    assert.match((parseValuePath('a'.repeat(1_025)) as any).error, /at most 1024 characters/);
    assert.match((parseValuePath(`a${'.a'.repeat(32)}`) as any).error, /at most 32 steps/);
    assert.ok('path' in parseValuePath(`a${'.a'.repeat(31)}`));
  });
});
