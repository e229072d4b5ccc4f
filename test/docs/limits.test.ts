import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** `| what | limit | beyond | `file` `CONSTANT` |` */
const ROW = /^\| ([^|]+) \| ([^|]+) \| [^|]+ \| `([\w/.-]+)` `([A-Z_]+)` \|$/;
const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2 };

/** The number in a cell such as `3 MiB (…)`, `1,000`, `32 s`; times in the unit of the constant. */
function told(cell: string, constant: string): number {
  const [, digits = '', unit = ''] = /^([\d.,]+)(?: (\w+))?/.exec(cell) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  if (unit === 's' && constant.endsWith('_MS')) return number * 1000;
  return number * (UNITS[unit] ?? 1);
}

/** The value of a constant whose declaration is arithmetic on numbers. */
function declared(file: string, constant: string): number {
  const source = readFileSync(file, 'utf8');
  const text = new RegExp(`const ${constant} = ([\\d_.n* ]+);`).exec(source)?.[1];
  assert.ok(text, `${file} declares no number ${constant}`);
  return text
    .split('*')
    .map((factor) => Number(factor.trim().replace(/n$/, '').replaceAll('_', '')))
    .reduce((product, factor) => product * factor, 1);
}

describe('docs/limits.md', () => {
  const rows = readFileSync('docs/limits.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| what |'));

  it('has a row of the known form for every limit', () => {
    assert.ok(rows.length > 40);
    for (const row of rows) assert.match(row, ROW);
  });

  for (const row of rows) {
    const [, what = '', limit = '', file = '', constant = ''] = ROW.exec(row) ?? [];
    it(`${what}: the code says the same`, () => {
      assert.equal(told(limit, constant), declared(file, constant));
    });
  }
});
