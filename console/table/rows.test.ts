import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Rows, rowsOf, type Row, type RowChange } from './rows.ts';

function row(name: string, revision: number, cell = ''): Row {
  const metadata = { name, namespace: 'n', resourceVersion: String(revision) };
  return rowsOf({ rows: [{ cells: [name, cell], object: { metadata } }] })[0]!;
}
const names = (rows: Rows): string[] => rows.all().map(({ name }) => name);

describe('rows of a table', () => {
  it('stay in order while objects come, change and go', () => {
    const rows = new Rows(true);
    rows.load([row('b', 1), row('d', 2)]);
    rows.change([
      { type: 'ADDED', row: row('c', 3) },
      { type: 'ADDED', row: row('a', 4) },
      { type: 'MODIFIED', row: row('b', 5, 'x') },
      { type: 'DELETED', row: row('d', 6) },
    ]);
    assert.deepEqual(names(rows), ['a', 'b', 'c']);
    const changed = rows.at(1)!;
    assert.deepEqual([changed.changes, changed.changedCells], [1, [1]]);
  });

  it('keep a change when an older page arrives later', () => {
    const rows = new Rows(true);
    rows.change([
      { type: 'MODIFIED', row: row('b', 9, 'new') },
      { type: 'DELETED', row: row('c', 10) },
    ]);
    rows.load([row('b', 1, 'old'), row('c', 2), row('d', 3)]);
    assert.deepEqual(names(rows), ['b', 'd']);
    assert.equal(rows.at(0)!.cells[1], 'new');
  });

  it('apply a repeated change once', () => {
    const rows = new Rows(true);
    rows.load([row('a', 1)]);
    const change: RowChange = { type: 'MODIFIED', row: row('a', 10, 'x') };
    rows.change([change, change]);
    rows.change([{ type: 'MODIFIED', row: row('a', 9, 'older') }]);
    assert.equal(rows.at(0)!.changes, 1);
    assert.equal(rows.at(0)!.cells[1], 'x');
  });

  it('converge to the state of the server for every interleaving of pages and changes', () => {
    const step = fc.record({ name: fc.constantFrom(...'abcdefgh'), isDelete: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), fc.array(fc.nat(8)), fc.boolean(), (steps, cuts, isSorted) => {
        const rows = new Rows(isSorted);
        const held = new Map<string, Row>([...'bdf'].map((name) => [name, row(name, 1)]));
        const pages = [...held.values()];
        let revision = 1;
        const changes = steps.map(({ name, isDelete }): RowChange => {
          const next = row(name, ++revision, String(revision));
          if (isDelete) held.delete(name);
          else held.set(name, next);
          return { type: isDelete ? 'DELETED' : 'MODIFIED', row: next };
        });
        for (const cut of cuts) {
          const page = pages.shift();
          if (page !== undefined) rows.load([page]);
          rows.change(changes.splice(0, cut));
        }
        rows.load(pages);
        rows.change(changes);
        const seen = rows.all().map(({ name, revision }) => [name, revision]);
        const expected = [...held.values()].map(({ name, revision }) => [name, revision]);
        assert.deepEqual(seen.sort(), expected.sort());
        if (isSorted) assert.deepEqual(names(rows), names(rows).toSorted());
      }),
    );
  });
});
