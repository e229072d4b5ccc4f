import assert from 'node:assert/strict';
import { macroTable } from './macro.ts';
import { MAX_EXPRESSION_CODE_POINTS, parse } from './parser.ts';
import { STANDARD_MACROS } from './standard-macros.ts';

const options = { macros: macroTable(STANDARD_MACROS), optionalSyntax: true };
const START =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function errors(text: string): string {
  return parse(text, options).issues.toString();
}

describe('cel parser errors', () => {
  const cases: [string, string][] = [
    [
      'self.a >',
      `ERROR: <input>:1:9: Syntax error: mismatched input '<EOF>' expecting ${START}\n | self.a >\n | ........^`,
    ],
    [
      'self.1a > 0',
      "ERROR: <input>:1:5: Syntax error: mismatched input '.1' expecting <EOF>\n | self.1a > 0\n | ....^",
    ],
    [
      'self.in > 0',
      "ERROR: <input>:1:6: Syntax error: no viable alternative at input '.in'\n | self.in > 0\n | .....^\n" +
        `ERROR: <input>:1:9: Syntax error: extraneous input '>' expecting ${START}`,
    ],
    [
      'a | b',
      "ERROR: <input>:1:3: Syntax error: token recognition error at: '| '\n | a | b\n | ..^\n" +
        "ERROR: <input>:1:5: Syntax error: extraneous input 'b' expecting <EOF>\n | a | b\n | ....^",
    ],
    ['has(m)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(m)\n | ....^'],
    ['1 +\n  while', 'ERROR: <input>:2:3: reserved identifier: while\n |   while\n | ..^'],
    [
      "'\u00e9' + [",
      "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'[', ']', '{', '(', '.', ',', '-', '!', '?', 'true'",
    ],
    ['9223372036854775808', 'ERROR: <input>:1:1: invalid int literal'],
    ['1e999', 'ERROR: <input>:1:1: invalid double literal'],
    ["'\\ud800'", 'ERROR: <input>:1:1: invalid unicode code point'],
    ["b'\\u00e9'", 'ERROR: <input>:1:1: unable to unescape string'],
    [
      'self.true == 1',
      "ERROR: <input>:1:6: Syntax error: mismatched input 'true' expecting IDENTIFIER",
    ],
    ['(a', "ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'\n | (a\n | ..^"],
    ['f(a b)', "ERROR: <input>:1:5: Syntax error: extraneous input 'b' expecting ')'"],
    ['[1 2 3]', "ERROR: <input>:1:4: Syntax error: mismatched input '2' expecting {']', ','}"],
    ['a ? b', "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting ':'"],
    ['a ? b c', "ERROR: <input>:1:7: Syntax error: missing ':' at 'c'"],
    [
      'M{{a}}',
      "ERROR: <input>:1:3: Syntax error: extraneous input '{' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}\n | M{{a}}\n | ..^\n" +
        "ERROR: <input>:1:5: Syntax error: mismatched input '}' expecting ':'\n | M{{a}}\n | ....^\n" +
        "ERROR: <input>:1:6: Syntax error: extraneous input '}' expecting <EOF>",
    ],
    [
      '--',
      "ERROR: <input>:1:3: Syntax error: no viable alternative at input '-'\n | --\n | ..^\n" +
        `ERROR: <input>:1:3: Syntax error: mismatched input '<EOF>' expecting ${START}`,
    ],
    [
      '"\\xFh"',
      'ERROR: <input>:1:1: Syntax error: token recognition error at: \'"\\xFh\'\n | "\\xFh"\n | ^\n' +
        "ERROR: <input>:1:6: Syntax error: token recognition error at: '\"'",
    ],
    ["'open", "ERROR: <input>:1:1: Syntax error: token recognition error at: ''open'"],
  ];
  for (const [text, expected] of cases) {
    it(`points at the error in ${text}`, () => {
      assert.ok(errors(text).startsWith(expected), errors(text));
    });
  }

  it('marks wide characters with a wide pointer', () => {
    assert.equal(
      errors("'\u00e9\u00e9' + while"),
      "ERROR: <input>:1:8: reserved identifier: while\n | '\u00e9\u00e9' + while\n | .\uff0e\uff0e....^",
    );
  });

  it('reads the smallest int and a unary minus', () => {
    assert.deepEqual(parse('-9223372036854775808', options).root, {
      kind: 'constant',
      id: 1,
      value: -9223372036854775808n,
    });
    assert.equal(parse('--a', options).root?.kind, 'ident');
  });
});

describe('cel parser limits', () => {
  it('refuses a long expression before reading it', () => {
    const text = ' '.repeat(MAX_EXPRESSION_CODE_POINTS + 1);
    assert.match(errors(text), /code point size exceeds limit: size: 100001, limit 100000/);
  });

  const deep = [
    '('.repeat(300) + '1' + ')'.repeat(300),
    '['.repeat(50_000),
    '!('.repeat(300),
    'a' + '.b'.repeat(300),
    '1' + '+1'.repeat(300),
    'a' + '[0]'.repeat(300),
    '{1:'.repeat(300),
    'x?y:'.repeat(300) + 'z',
    '[1].map(x, '.repeat(300),
  ];
  for (const text of deep) {
    it(`refuses the nesting of ${text.slice(0, 12)}…`, () => {
      assert.match(errors(text), /expression recursion limit exceeded: 250/);
    });
  }

  it('accepts a long chain of && by balancing its tree', () => {
    assert.equal(errors(Array(5_000).fill('true').join(' && ')), '');
  });

  it('keeps at most a hundred issues and counts the rest', () => {
    const lines = errors('@ '.repeat(150)).split('\n');
    assert.equal(lines.at(-1), '51 more errors were truncated');
  });
});
