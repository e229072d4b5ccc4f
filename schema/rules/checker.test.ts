import assert from 'node:assert/strict';
import { FieldPath } from '../../api/field-path.ts';
import type { JsonObject } from '../../api/json.ts';
import { MAX_RULES, MAX_RULE_TEXT } from '../check/limits.ts';
import { checkSchema } from '../check/check.ts';
import { object, problems, resource, ruled } from '../testing/rules.ts';
import { cpuMs, scaled } from '../../test/support/cpu.ts';
import { RuleChecker } from './checker.ts';

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };
const list = (items: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...rest,
});

describe('RuleChecker', () => {
  const ok = (spec: JsonObject): void => assert.deepEqual(problems(resource(spec)), []);
  /** Each error must contain the text at its place. */
  const refuses = (spec: JsonObject, ...texts: string[]): void => {
    const found = problems(resource(spec));
    assert.equal(found.length, texts.length, found.join('\n'));
    for (const [i, text] of texts.entries()) assert.ok(found[i]?.includes(text), found[i]);
  };

  describe('compiling', () => {
    it('takes rules of the right types', () => {
      ok(object({ a: INTEGER, b: TEXT }, 'self.a > 0', "self.b.startsWith('x')"));
      ok(
        object(
          { a: { ...TEXT, format: 'date-time' } },
          "self.a > timestamp('2020-01-01T00:00:00Z')",
        ),
      );
      ok(
        object({ a: { 'x-cluster-int-or-string': true } }, "type(self.a) == int || self.a == 'x'"),
      );
      ok(
        object(
          { 'a-b': INTEGER, in: INTEGER, a__b: INTEGER },
          'self.a__dash__b + self.__in__ + self.a__underscores__b > 0',
        ),
      );
    });

    it('tells what is wrong with a rule', () => {
      refuses(
        object({ a: INTEGER }, 'self.a >', 'self.b > 0', "self.a == 'x'"),
        '@.validations[0].rule: Invalid value: {"rule":"self.a >"}: compilation failed: ERROR: <input>:1:9: Syntax error',
        '@.validations[1].rule: Invalid value: {"rule":"self.b > 0"}: compilation failed: ERROR: <input>:1:5: undefined field \'b\'',
        "found no matching overload for '_==_'",
      );
      refuses(object({ a: INTEGER }, 'self.a'), 'cel expression must evaluate to a bool');
    });

    it('tells what is wrong with a messageExpression', () => {
      refuses(
        object({ a: INTEGER }, { rule: 'true', messageExpression: 'self.b' }),
        '@.validations[0].messageExpression: Invalid value',
      );
      refuses(
        object({ a: INTEGER }, { rule: 'true', messageExpression: 'self.a' }),
        'messageExpression must evaluate to a string',
      );
    });

    it('a messageExpression may show a value of any scalar type', () => {
      for (const a of [INTEGER, { type: 'number' }, { type: 'boolean' }, TEXT]) {
        ok(object({ a }, { rule: 'true', messageExpression: '"a is " + string(self.a)' }));
      }
      const date = { ...TEXT, format: 'date-time' };
      ok(object({ a: date }, { rule: 'true', messageExpression: '"a is " + string(self.a)' }));
    });

    it('tells of every rule that a default breaks, in parents and in children', () => {
      const b = { ...INTEGER, 'x-cluster-validations': [{ rule: 'self > 5' }] };
      const o = object({ b }, 'self.b > 5');
      refuses(
        { ...object({ o }, 'self.o.b > 5'), default: { o: { b: 1 } } },
        '@.default: Invalid value: failed rule: self.o.b > 5',
        '@.default.o: Invalid value: failed rule: self.b > 5',
        '@.default.o.b: Invalid value: 1: failed rule: self > 5',
      );
    });

    it('ReDoS: compiles no more rules when the patterns of all have become too many', () => {
      const rule = (i: number): JsonObject => {
        const pattern = `(?i)${'[\u0100-\uffff]'.repeat(29)}${i}`;
        const messageExpression = `'a'.find('${pattern}m')`;
        return { rule: `!self.b.matches('${pattern}')`, messageExpression };
      };
      const many = Array.from({ length: 50 }, (_, i) => rule(i));
      const spec = object({ b: { ...TEXT, maxLength: 10 } }, ...many);
      const began = cpuMs();
      const found = problems(resource(spec));
      assert.ok(cpuMs() - began < scaled(3_000));
      const why = 'the patterns of all rules would take too long to compile';
      assert.ok(
        found.every((problem) => problem.endsWith(why)),
        found[0],
      );
      assert.ok(found.length > 40 && found.length <= 50, String(found.length));
    });

    it('does not show what has no type', () => {
      const open = { 'x-cluster-preserve-unknown-fields': true };
      refuses(object({ a: open }, 'has(self.a)'), "undefined field 'a'");
      refuses(object({ a: list(open) }, 'self.a.size() > 0'), "undefined field 'a'");
      ok(object({ a: { type: 'object', ...open } }, 'has(self.a)'));
      refuses(
        object({ '1a': INTEGER, b: INTEGER }, 'self.b > 0 && self.a1 > 0'),
        "undefined field 'a1'",
      );
      refuses(ruled(open, 'true'), '@.validations: Internal error');
    });

    it('shows type and names of resources, and nothing else of metadata', () => {
      const names =
        "self.metadata.name != '' && self.metadata.generateName != '' && self.kind != '' && self.apiVersion != ''";
      assert.deepEqual(problems(object({}, names)), []);
      assert.match(
        problems(object({}, 'has(self.metadata.labels)')).join(),
        /undefined field 'labels'/,
      );
      const embedded = {
        type: 'object',
        'x-cluster-embedded-resource': true,
        'x-cluster-preserve-unknown-fields': true,
      };
      ok(object({ template: embedded }, "self.template.metadata.name != ''"));
      refuses(object({ template: embedded }, 'has(self.template.spec)'), "undefined field 'spec'");
      refuses(object({ a: INTEGER }, "self.metadata.name != ''"), "undefined field 'metadata'");
    });
  });

  describe('oldSelf', () => {
    it('needs values that can be compared with earlier ones', () => {
      ok(object({ a: ruled(INTEGER, 'self >= oldSelf') }));
      ok(object({ l: ruled(list(INTEGER), 'self == oldSelf') }));
      ok(
        object({ m: { type: 'object', additionalProperties: ruled(INTEGER, 'self >= oldSelf') } }),
      );
      const keyed = { 'x-cluster-list-type': 'map', 'x-cluster-list-map-keys': ['k'] };
      const item = {
        ...object({ k: TEXT, a: ruled(INTEGER, 'self >= oldSelf') }),
        required: ['k'],
      };
      ok(object({ l: list(item, keyed) }));
      const why =
        'oldSelf cannot be used on the uncorrelatable portion of the schema within @.properties[l]';
      for (const type of ['atomic', 'set']) {
        refuses(
          object({ l: list(ruled(INTEGER, 'self == oldSelf'), { 'x-cluster-list-type': type }) }),
          why.replace('@', '$.properties[spec]'),
        );
      }
    });

    it('must not be used below a map of a type that is not known', () => {
      refuses(
        object({
          m: {
            ...object({ a: ruled(INTEGER, 'self >= oldSelf') }),
            'x-cluster-map-type': 'granulated',
          },
        }),
        'map-type: Unsupported value: "granulated"',
        'oldSelf cannot be used on the uncorrelatable portion of the schema within $.properties[spec].properties[m]',
      );
    });

    it('must be used where it is optional', () => {
      const optional = (rule: string): JsonObject => object({}, { rule, optionalOldSelf: true });
      ok(optional('!oldSelf.hasValue() || oldSelf.value() == self'));
      refuses(
        optional('true'),
        '@.validations[0].optionalOldSelf: Invalid value: true: may not be set',
      );
      refuses(
        optional('self == oldSelf'),
        'found no matching overload',
        'may not be set', // nothing is known of what a rule uses that does not compile
      );
    });
  });

  describe('costs', () => {
    it('takes names for texts of any length, unless the schema specifies all of type and names', () => {
      const rule = 'self.l.all(x, x.startsWith(self.metadata.name))';
      const l = list(TEXT, { maxItems: 100 });
      const short = { ...TEXT, maxLength: 63 };
      const named = (names: JsonObject, rest: JsonObject = {}): string[] =>
        problems(object({ l, metadata: { type: 'object', properties: names }, ...rest }, rule));
      const tooMuch = /estimated rule cost exceeds budget by factor of 3.1x/;
      assert.match(problems(object({ l }, rule)).join(), tooMuch);
      assert.match(named({ name: short }).join(), tooMuch);
      assert.match(named({ name: short, generateName: TEXT }).join(), tooMuch);
      const type = { apiVersion: TEXT, kind: TEXT };
      assert.deepEqual(named({ name: short, generateName: TEXT }, type), []);
    });

    const pairs = 'self.all(x, self.all(y, x == y))';
    const strings = (maxItems: number, maxLength: number): JsonObject =>
      list({ ...TEXT, maxLength }, { maxItems });

    it('refuses what may take too many steps', () => {
      ok(object({ l: ruled(strings(10, 10), pairs) }));
      refuses(
        object({ l: ruled(list(TEXT), pairs) }),
        'validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x',
        'validations[0].rule: Forbidden: contributed to estimated rule cost total',
        '$: Forbidden: validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x',
      );
      refuses(object({ l: ruled(list(INTEGER, { maxItems: 2100 }), pairs) }), 'by factor of 2.2x');
      refuses(
        object({ l: ruled(list(INTEGER, { maxItems: 1500 }), pairs) }),
        'by factor of 1.125750x',
      );
    });

    it('counts a rule once for each value of its place', () => {
      const item = ruled({ ...TEXT, maxLength: 1000 }, "self.matches('^a+$')");
      ok(object({ l: list(item, { maxItems: 100 }) }));
      refuses(
        object({ l: list(item, { maxItems: 1_000_000 }) }),
        'items.validations[0].rule: Forbidden',
        'contributed',
        '$: Forbidden',
      );
      refuses(object({ l: list(item) }), 'Forbidden', 'contributed', '$: Forbidden');
      // larger values are fewer in one request
      const objects = list({ ...object({ a: ruled(INTEGER, 'self > 0') }), required: ['a'] });
      ok(object({ l: objects }));
    });

    it('adds up all rules of a schema', () => {
      const rules = (count: number): JsonObject =>
        object({
          l: ruled(list(INTEGER, { maxItems: 1300 }), ...Array<string>(count).fill(pairs)),
        });
      ok(rules(10));
      const found = problems(resource(rules(20)));
      assert.equal(found.length, 5, found.join('\n'));
      assert.match(found.at(-1) ?? '', /by factor of 1\.\dx/);
    });

    it('counts messages once', () => {
      const message = {
        rule: 'true',
        messageExpression: 'self.map(x, self.map(y, x + y)).size() > 0 ? "a" : "b"',
      };
      ok(object({ l: ruled(strings(10, 10), message) }));
      refuses(
        object({ l: ruled(list(TEXT), message) }),
        '.messageExpression: Forbidden: estimated messageExpression cost exceeds budget',
        'contributed',
        '$: Forbidden',
      );
    });

    it('accepts unchanged invalid rules of a stored schema', () => {
      const schema = resource(object({ l: ruled(list(INTEGER, { maxItems: 1500 }), pairs) }));
      const check = (isUnchanged: boolean): number =>
        checkSchema(schema, FieldPath.root, {
          hasStatus: false,
          rules: new RuleChecker({ isUnchanged }),
        }).length;
      assert.equal(check(false), 1);
      assert.equal(check(true), 0);
    });
  });

  it('runs the rules of defaults', () => {
    const spec = (value: number, ...rules: (string | JsonObject)[]): JsonObject =>
      object({ a: { ...ruled(INTEGER, ...rules), default: value } });
    ok(spec(1, 'self > 0'));
    refuses(
      spec(0, 'self > 0'),
      '@.properties[a].default: Invalid value: 0: failed rule: self > 0',
    );
    const old = (rule: string): JsonObject => ({ rule, optionalOldSelf: true });
    refuses(spec(1, old('!oldSelf.hasValue()')), '.default');
    refuses(spec(1, old('oldSelf.hasValue()')), '.default');
  });

  it('refuses more rules than can be compiled in passing', () => {
    refuses(
      object({}, ...Array<string>(MAX_RULES + 1).fill('true')),
      `more than ${MAX_RULES} rules`,
    );
    const long = `self.a != '${'x'.repeat(60_000)}'`;
    ok(object({ a: TEXT }, ...Array<string>(2).fill(long)));
    refuses(object({ a: TEXT }, ...Array<string>(3).fill(long)), `${MAX_RULE_TEXT} characters`);
  });
});
