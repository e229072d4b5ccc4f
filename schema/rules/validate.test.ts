import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { JsonObject } from '../../api/json.ts';
import { schemaFromJson } from '../from-json.ts';
import { failures, object, resource, ruled, rulesOf, run, type Rule } from '../testing/rules.ts';
import { MESSAGE_PROBLEMS, type MessageProblem } from './message-problems.ts';
import { buildRules } from './rule-set.ts';
import { ruleSteps, validateRules } from './validate.ts';

const INTEGER = { type: 'integer' };
const TEXT = { type: 'string' };

describe('validateRules', () => {
  it('runs rules where they stand', () => {
    const item = object({ a: ruled(INTEGER, 'self > 0') }, 'self.a < 10');
    const spec = object(
      {
        n: INTEGER,
        l: ruled({ type: 'array', items: item }, 'self.size() < 3'),
        m: { type: 'object', additionalProperties: ruled(TEXT, "self != ''") },
      },
      'self.n == 1',
    );
    assert.deepEqual(failures(spec, { n: 1, l: [{ a: 1 }], m: { x: 'y' } }), []);
    assert.deepEqual(
      failures(spec, { n: 2, l: [{ a: 1 }, { a: 0 }, { a: 11 }], m: { 'x.y': '' } }),
      [
        'spec: Invalid value: failed rule: self.n == 1',
        'spec.l: Invalid value: failed rule: self.size() < 3',
        'spec.l[1].a: Invalid value: 0: failed rule: self > 0',
        'spec.l[2]: Invalid value: failed rule: self.a < 10',
        `spec.m[x.y]: Invalid value: "": failed rule: self != ''`,
      ],
    );
  });

  it('evaluates each rule in a step of its own, at each value', () => {
    const rules = rulesOf({ type: 'array', items: ruled(INTEGER, 'self > 0', 'self < 1000') });
    const steps = ruleSteps(rules, { spec: Array.from({ length: 100 }, (_, i) => i + 1) });
    let count = 0;
    while (steps.next().done !== true) count++;
    assert.ok(count >= 200, String(count));
  });

  it('skips what is absent or null', () => {
    const spec = object({ a: { ...ruled(INTEGER, 'self > 0'), nullable: true } });
    assert.deepEqual(failures(spec, {}), []);
    assert.deepEqual(failures(spec, { a: null }), []);
  });

  it('knows a schema without rules', () => {
    assert.equal(buildRules(schemaFromJson(resource({ type: 'object' }))), undefined);
  });

  it('shows type and names of the object itself', () => {
    const rules = buildRules(
      schemaFromJson(object({}, "self.metadata.name == 'a' && self.kind == 'K'")),
    );
    assert.ok(rules !== undefined);
    const named = (name: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'K',
      metadata: { name },
    });
    assert.deepEqual(validateRules(rules, named('a')).errors, []);
    assert.deepEqual(
      validateRules(rules, named('b')).errors.map(({ path }) => path),
      [''],
    );
  });

  describe('failures', () => {
    const fails = (rule: Rule): string[] =>
      failures(object({ a: INTEGER, m: { type: 'object', additionalProperties: INTEGER } }, rule), {
        a: 1,
        m: { k: 1 },
      });

    it('have the reason and the place that the rule gives', () => {
      const at = (rest: JsonObject): string[] => fails({ rule: 'false', message: 'no', ...rest });
      assert.deepEqual(at({}), ['spec: Invalid value: no']);
      assert.deepEqual(at({ reason: 'FieldValueForbidden' }), ['spec: Forbidden: no']);
      assert.deepEqual(at({ reason: 'FieldValueRequired', fieldPath: '.a' }), [
        'spec.a: Required value: no',
      ]);
      assert.deepEqual(at({ reason: 'FieldValueDuplicate', fieldPath: '.m.k' }), [
        'spec.m[k]: Duplicate value: no',
      ]);
      assert.deepEqual(at({ fieldPath: "['m']['k']" }), ['spec.m[k]: Invalid value: no']);
    });

    it('say the messageExpression, the message or the rule', () => {
      const of = (rest: JsonObject): string =>
        fails({ rule: ' false ', ...rest })
          .join()
          .replace('spec: Invalid value: ', '');
      assert.equal(of({}), 'failed rule: false');
      assert.equal(of({ message: ' no ' }), 'no');
      assert.equal(of({ message: 'no', messageExpression: '"a is " + string(self.a)' }), 'a is 1');
      for (const useless of [
        '""',
        '" "',
        '"a\\nb"',
        'string(1 / (self.a - 1))',
        '"x".split("").map(x, "y".replace("y", self.a == 1 ? "yy" : "y")).join("") == "yy" ? "" : "x"',
      ]) {
        assert.equal(of({ message: 'no', messageExpression: useless }), 'no', useless);
      }
      assert.equal(of({ messageExpression: '""' }), 'failed rule: false');
    });

    it('publish why a messageExpression gave no message', () => {
      const published: MessageProblem[] = [];
      const listen = (problem: unknown): void => void published.push(problem as MessageProblem);
      subscribe(MESSAGE_PROBLEMS, listen);
      for (const messageExpression of ['string(1 / (self.a - 1))', '""', '"fine"']) {
        fails({ rule: 'false', message: 'no', messageExpression });
      }
      unsubscribe(MESSAGE_PROBLEMS, listen);
      assert.deepEqual(published, [
        { expression: 'string(1 / (self.a - 1))', why: 'division by zero' },
        { expression: '""', why: 'it returned an empty string' },
      ]);
    });

    it('also come from rules that have an error', () => {
      assert.deepEqual(fails('self.a / (self.a - 1) > 0'), [
        'spec: Invalid value: "object": division by zero evaluating rule: self.a / (self.a - 1) > 0',
      ]);
      assert.deepEqual(fails('self.m["x"] > 0'), [
        'spec: Invalid value: "object": no such key: x evaluating rule: self.m["x"] > 0',
      ]);
      assert.match(
        fails('self.b').join(),
        /^spec: Invalid value: "object": rule compile error: compilation failed/,
      );
    });
  });

  describe('transition rules', () => {
    const list = (type: string): JsonObject => ({
      type: 'array',
      items: { ...object({ k: TEXT, a: ruled(INTEGER, 'self >= oldSelf') }), required: ['k'] },
      'x-cluster-list-type': type,
      ...(type === 'map' && { 'x-cluster-list-map-keys': ['k'] }),
    });

    it('run where there is an old value', () => {
      const spec = object({ a: ruled(INTEGER, 'self >= oldSelf') });
      assert.deepEqual(failures(spec, { a: 1 }), []);
      assert.deepEqual(failures(spec, { a: 1 }, {}), []);
      assert.deepEqual(failures(spec, { a: 1 }, { a: null }), []);
      assert.deepEqual(failures(spec, { a: 1 }, { a: 1 }), []);
      assert.deepEqual(failures(spec, { a: 1 }, { a: 2 }), [
        'spec.a: Invalid value: 1: failed rule: self >= oldSelf',
      ]);
    });

    it('run for items of a list only when keys tell which was which', () => {
      const old = {
        l: [
          { k: 'x', a: 5 },
          { k: 'y', a: 1 },
        ],
      };
      const value = {
        l: [
          { k: 'y', a: 2 },
          { k: 'x', a: 4 },
          { k: 'z', a: 0 },
        ],
      };
      assert.deepEqual(failures(object({ l: list('map') }), value, old), [
        'spec.l[1].a: Invalid value: 4: failed rule: self >= oldSelf',
      ]);
      assert.deepEqual(failures(object({ l: list('atomic') }), value, old), []);
    });

    it('may run without an old value', () => {
      const spec = (rule: string): JsonObject =>
        object({ a: ruled(INTEGER, { rule, optionalOldSelf: true }) });
      const changed = spec('!oldSelf.hasValue() || oldSelf.value() != self');
      assert.deepEqual(failures(changed, { a: 1 }), []);
      assert.deepEqual(failures(changed, { a: 1 }, { a: 2 }), []);
      assert.equal(failures(changed, { a: 1 }, { a: 1 }).length, 1);
      assert.equal(failures(spec('oldSelf.orValue(0) < self'), { a: 0 }, {}).length, 1);
    });
  });

  describe('ratcheting', () => {
    const spec = object({
      a: ruled(INTEGER, 'self > 0'),
      b: INTEGER,
      o: object({ c: INTEGER }, 'self.c > 0'),
    });

    it('lets what has not changed pass with a warning', () => {
      const { errors, warnings } = run(rulesOf(spec), { a: 0, b: 2 }, { a: 0, b: 1 });
      assert.deepEqual(errors, []);
      assert.deepEqual(warnings, ['spec.a: Invalid value: 0: failed rule: self > 0']);
    });

    it('does not let pass what has changed, or is new', () => {
      assert.equal(failures(spec, { a: -1 }, { a: 0 }).length, 1);
      assert.equal(failures(spec, { a: 0 }, {}).length, 1);
      assert.equal(failures(spec, { o: { c: 0 } }, { o: { c: -1 } }).length, 1);
    });

    it('lets an item pass when its whole list is as it was', () => {
      const inList = object({
        l: { type: 'array', items: ruled(INTEGER, 'self > 0') },
        b: INTEGER,
      });
      assert.deepEqual(failures(inList, { l: [0], b: 1 }, { l: [0] }), []);
      assert.equal(failures(inList, { l: [0, 1] }, { l: [0] }).length, 1);
    });

    it('never lets transition rules pass, nor rules that do not compile', () => {
      assert.equal(
        failures(object({ a: ruled(INTEGER, 'self > oldSelf') }), { a: 1 }, { a: 1 }).length,
        1,
      );
      assert.equal(failures(object({ a: ruled(INTEGER, 'self.x') }), { a: 1 }, { a: 1 }).length, 1);
    });
  });

  describe('budgets', () => {
    const nested = 'self.all(x, self.all(y, x == y))';
    const values = (count: number): number[] => Array<number>(count).fill(1);

    it('stops one rule that takes too many steps, and all after it', () => {
      const spec = object({
        l: ruled({ type: 'array', items: INTEGER }, nested, 'false'),
        z: ruled(INTEGER, 'false'),
      });
      const found = failures(spec, { l: values(1000), z: 1 });
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(
        found[0] ?? '',
        /^spec\.l: Invalid value: "array": .*no further validation rules will be run due to call cost exceeds limit for rule/,
      );
    });

    it('stops when all rules together take too many', () => {
      const spec = object({
        l: ruled({ type: 'array', items: INTEGER }, ...Array<string>(100).fill(nested)),
      });
      const found = failures(spec, { l: values(400) });
      assert.equal(found.length, 1, found.join('\n'));
      assert.match(
        found[0] ?? '',
        /running out of cost budget, no further validation rules will be run/,
      );
    });

    it('does not let ratcheting hide it', () => {
      const spec = object({ l: ruled({ type: 'array', items: INTEGER }, nested) });
      const value = { l: values(1000) };
      assert.equal(failures(spec, value, value).length, 1);
    });
  });
});
