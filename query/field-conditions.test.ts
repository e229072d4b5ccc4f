import assert from 'node:assert/strict';
import { conditionTest, parseFieldConditions } from './field-conditions.ts';

function terms(text: string): string[] {
  const read = parseFieldConditions(text);
  assert.ok('items' in read, JSON.stringify(read));
  return read.items.map(({ path, operator, values }) =>
    [path.text, operator, ...values.map((value) => JSON.stringify(value))].join(' '),
  );
}

describe('conditions on fields', () => {
  it('are read with every operator', () => {
    assert.deepEqual(terms('a.b=x,c==y,d!=z'), ['a.b = "x"', 'c = "y"', 'd != "z"']);
    assert.deepEqual(terms('a in (x, y),b notin (z)'), ['a in "x" "y"', 'b notin "z"']);
    assert.deepEqual(terms('a,!b'), ['a exists', 'b !']);
    assert.deepEqual(terms('s[?t=R].u=True'), ['s[?t=R].u = "True"']);
    assert.deepEqual(terms('a in ()'), ['a in ""']);
  });

  it('take the values as they are, but for escapes', () => {
    assert.deepEqual(terms('a= x (y) ,b=\\,\\=\\\\'), ['a = " x (y) "', 'b = ",=\\\\"']);
    assert.deepEqual(terms('a in (\\(x\\,y\\))'), ['a in "(x,y)"']);
    assert.deepEqual(terms('in=notin,notin in (in)'), ['in = "notin"', 'notin in "in"']);
  });

  it('that cannot be read tell at which character', () => {
    for (const [text, at] of [
      ['a=b=c', 4],
      ['a in (x', 8],
      ['a in x', 3],
      ['a in (x=(', 9],
      ['a>1', 2],
      ['a=b\\x', 4],
      ['a,', 3],
      ['!', 2],
    ] as const) {
      const read = parseFieldConditions(text);
      assert.ok('error' in read, text);
      assert.match(read.error, new RegExp(`at character ${at}$`), text);
    }
    const many = Array.from({ length: 1_001 }, (_, i) => `a${i}=b`).join(',');
    assert.match((parseFieldConditions(many) as any).error, /too many terms/);
  });

  it('read what is absent as the empty text, except for existence', () => {
    const holds = (operator: any, values: string[], text?: string): boolean =>
      conditionTest({ operator, values })(text);
    assert.ok(holds('=', ['']) && !holds('=', ['x']) && holds('!=', ['x']));
    assert.ok(holds('notin', ['x', 'y']) && !holds('in', ['x', 'y']));
    assert.ok(!holds('exists', []) && holds('!', []) && holds('exists', [], ''));
    const many = ['a', 'b', 'c', 'd', 'e', 'f'];
    assert.ok(holds('in', many, 'f') && !holds('in', many, 'g') && holds('notin', many, 'g'));
  });
});
