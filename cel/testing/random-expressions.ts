import fc from 'fast-check';

/** Names that mean something to JavaScript and nothing to the language. */
export const PROTOTYPE_NAMES: readonly string[] = [
  '__proto__',
  '__defineGetter__',
  '__lookupSetter__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'prototype',
  'toJSON',
  'toString',
  'then',
  'valueOf',
];

const LITERALS = [
  '0',
  '1',
  '-7',
  '9223372036854775807',
  '-9223372036854775808',
  '3u',
  '18446744073709551615u',
  '1.5',
  '-0.0',
  '1e308',
  'true',
  'false',
  'null',
  "''",
  "'abc'",
  "'a,b,c'",
  "'\u00e9\u{1f600}'",
  "'1h'",
  "'2020-02-29T00:00:00Z'",
  "'10.0.0.0/8'",
  "'1.2.3'",
  "'5Gi'",
  "'https://a.example/b?c=d'",
  "'[a-z]+'",
  "'(('",
  "'%s %d %.2f'",
  "b'ab'",
  "duration('90s')",
  "timestamp('2020-01-01T00:00:00Z')",
  'int',
  '[]',
  '{}',
  'optional.none()',
];

/** Variables that every random expression may use. */
export const VARIABLES = ['x', 'y', 'items'] as const;

const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];
const MACROS = [
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'transformList',
  'transformMap',
  'sortBy',
];

/**
 * Expressions that mostly pass the checker, since every part is dynamic, and then
 * fail or succeed in all the ways that values can. `functions` are called with
 * whatever comes.
 */
export function randomExpression(functions: readonly string[]): fc.Arbitrary<string> {
  const name = fc.constantFrom(...PROTOTYPE_NAMES, 'a', 'b', 'name');
  const { expression } = fc.letrec<{ expression: string }>((tie) => {
    const part = tie('expression');
    const local = fc.constantFrom('i', 'j');
    const args = fc.array(part, { maxLength: 3 }).map((list) => list.join(', '));
    return {
      expression: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        fc.oneof(
          { weight: 2, arbitrary: fc.constantFrom(...LITERALS).map((text) => `dyn(${text})`) },
          { weight: 2, arbitrary: fc.constantFrom(...VARIABLES) },
        ),
        fc
          .tuple(part, fc.constantFrom(...OPERATORS), part)
          .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
        fc.tuple(fc.constantFrom('!', '-'), part).map(([operator, a]) => `${operator}(${a})`),
        fc.tuple(part, part, part).map(([a, b, c]) => `(dyn(${a}) ? dyn(${b}) : dyn(${c}))`),
        fc.tuple(part, name).map(([a, field]) => `${a}.${field}`),
        fc.tuple(part, name).map(([a, field]) => `has(${a}.${field})`),
        fc.tuple(part, name).map(([a, field]) => `${a}.?${field}.orValue(0)`),
        fc.tuple(part, name).map(([a, field]) => `${a}['${field}']`),
        fc.tuple(part, part).map(([a, b]) => `${a}[${b}]`),
        fc.array(part, { maxLength: 3 }).map((list) => `[${list.map((a) => `dyn(${a})`).join()}]`),
        fc.tuple(part, part).map(([a, b]) => `{'k': dyn(${a}), '__proto__': dyn(${b})}`),
        fc.tuple(fc.constantFrom(...functions), args).map(([f, list]) => `${f}(${list})`),
        fc.tuple(part, fc.constantFrom(...functions), args).map(([a, f, list]) => {
          return `${a}.${f}(${list})`;
        }),
        fc.tuple(part, fc.constantFrom(...MACROS), local, part).map(([a, macro, i, b]) => {
          return `${a}.${macro}(${i}, ${b.replace(/\bx\b/, i)})`;
        }),
        fc.tuple(part, part).map(([a, b]) => `items.exists(i, j, (i == ${a}) || (j == ${b}))`),
      ),
    };
  });
  return expression;
}

/** Strings that are close to expressions: tokens in any order, and invalid tokens. */
export const RANDOM_TEXT: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...OPERATORS,
        ...LITERALS,
        ...PROTOTYPE_NAMES,
        ...['(', ')', '[', ']', '{', '}', '.', ',', '?', ':', '!', '|', '&', '=', '`', '"', "'"],
        ...[
          'has(',
          'a.b',
          '.map(x, ',
          'in',
          'self',
          '//',
          '\n',
          '\\',
          '0x',
          '1e',
          '.5',
          'r"',
          "'''",
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
