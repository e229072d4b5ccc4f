import assert from 'node:assert/strict';
import type { JsonValue } from '../../api/json.ts';
import { customColumns } from './columns.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');
const object = {
  metadata: { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { size: 3, ready: true, since: '2026-01-01T12:00:00Z', odd: 'x', list: [1, 2] },
};

function cell(type: string, jsonPath: string, of: object = object): JsonValue {
  const [, column] = customColumns([{ name: 'X', type, jsonPath }]);
  return column!.cell(of as never, NOW);
}

describe('customColumns', () => {
  it('show the name and the age when a definition has none', () => {
    const columns = customColumns([]);
    assert.deepEqual(
      columns.map(({ name, type }) => [name, type]),
      [
        ['Name', 'string'],
        ['Age', 'date'],
      ],
    );
    assert.equal(columns[1]!.cell(object, NOW), '24h');
  });

  it('show values of their type, and null for others and what is absent', () => {
    assert.equal(cell('integer', '.spec.size'), 3);
    assert.equal(cell('string', '.spec.size'), '3');
    assert.equal(cell('boolean', '.spec.ready'), true);
    assert.equal(cell('boolean', '.spec.size'), null);
    assert.equal(cell('string', '.spec.list'), '[1,2]');
    assert.equal(cell('string', '.spec.nope'), null);
  });

  it('show the first element of a list for empty brackets, as kube-apiserver does', () => {
    assert.equal(cell('integer', '.spec.list[]'), 1);
    const of = { spec: { http: [{ match: { hosts: ['a', 'b'] } }, { match: {} }] } };
    assert.equal(cell('string', '.spec.http[].match.hosts', of), '["a","b"]');
    assert.equal(cell('string', '.spec.http[].match.hosts', { spec: {} }), null);
  });

  it('show numbers in columns of texts as short as can be', () => {
    const shown = (n: number | bigint): JsonValue => cell('string', '.spec.n', { spec: { n } });
    assert.equal(shown(1000000), '1000000');
    assert.equal(shown(2n ** 62n), '4611686018427387904');
    assert.equal(shown(0.5), '0.5');
    assert.equal(shown(1234567.5), '1.2345675e+06');
    assert.equal(shown(0.00001), '1e-05');
    assert.equal(shown(2 ** 64), '1.8446744073709552e+19');
  });

  it('show objects and lists as Go writes JSON, and texts as they are', () => {
    const shown = (v: JsonValue): JsonValue => cell('string', '.spec.v', { spec: { v } });
    assert.equal(shown({ a: '<b&c>' }), '{"a":"\\u003cb\\u0026c\\u003e"}');
    assert.equal(shown(['\u2028']), '["\\u2028"]');
    assert.equal(shown('<b&c>'), '<b&c>');
  });

  it('show dates as ages', () => {
    assert.equal(cell('date', '.spec.since'), '12h');
    assert.equal(cell('date', '.spec.odd'), '<invalid>');
    for (const text of ['', 'null', '0001-01-01T00:00:00Z']) {
      assert.equal(cell('date', '.spec.at', { spec: { at: text } }), '<unknown>');
    }
    assert.equal(cell('date', '.spec.size'), null);
    assert.equal(cell('date', '.metadata.creationTimestamp'), '24h');
    assert.equal(cell('date', '.metadata.creationTimestamp', { metadata: {} }), null);
  });

  it('ask for the moment only where they need it: the rest of a row is kept', () => {
    const needsMoment = (type: string, jsonPath: string): boolean => {
      const [, column] = customColumns([{ name: 'X', type, jsonPath }]);
      return column!.cell.length > 1 && column!.isAge !== true;
    };
    assert.equal(needsMoment('string', '.spec.size'), false);
    assert.equal(needsMoment('date', '.metadata.creationTimestamp'), false);
    assert.equal(needsMoment('date', '.spec.since'), true);
  });
});
