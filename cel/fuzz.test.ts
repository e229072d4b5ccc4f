import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonValue } from '../api/json.ts';
import { estimateCost } from './cost/estimate.ts';
import { API_LIBRARIES } from './environments.ts';
import { Environment } from './environment.ts';
import { BINDINGS_LIBRARY } from './libraries/bindings.ts';
import { ENCODERS_LIBRARY } from './libraries/encoders.ts';
import { MATH_LIBRARY } from './libraries/math.ts';
import { INCLUDES_LIBRARY } from './libraries/lists.ts';
import type { Bindings, CelResult } from './program.ts';
import {
  PROTOTYPE_NAMES,
  RANDOM_TEXT,
  randomExpression,
  VARIABLES,
} from './testing/random-expressions.ts';
import { DYN } from './value/type.ts';
import { describe as show } from './value/describe.ts';
import { fromJson, toJson } from './value/json.ts';
import { CelList, CelMap, type CelValue } from './value/value.ts';

const environment = Environment.create({
  libraries: [...API_LIBRARIES, BINDINGS_LIBRARY, ENCODERS_LIBRARY, MATH_LIBRARY, INCLUDES_LIBRARY],
  variables: Object.fromEntries(VARIABLES.map((name) => [name, DYN])),
});
const functions = [...environment.declarations.functions.keys()].filter((name) =>
  /^[A-Za-z][\w.]*$/.test(name),
);

const LIMIT = 10_000;

/** A list that counts how often it is looked into. */
class CountingList extends CelList {
  reads = 0;
  readonly #items: readonly JsonValue[];

  constructor(items: readonly JsonValue[]) {
    super();
    this.#items = items;
  }

  get length(): number {
    return this.#items.length;
  }

  at(index: number): CelValue {
    this.reads++;
    return fromJson(this.#items[index] ?? null);
  }
}

class Values implements Bindings {
  readonly items: CountingList;
  readonly #x: CelValue;
  readonly #y: CelValue;

  constructor(x: JsonValue, y: JsonValue, items: readonly JsonValue[]) {
    this.#x = fromJson(x);
    this.#y = fromJson(y);
    this.items = new CountingList(items);
  }

  get(name: string): CelValue | undefined {
    switch (name) {
      case 'x':
        return this.#x;
      case 'y':
        return this.#y;
      default:
        return name === 'items' ? this.items : undefined;
    }
  }
}

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
const values = fc
  .tuple(json, json, fc.array(json, { maxLength: 20 }))
  .map(([x, y, items]) => new Values(x, y, items));

/** Everything in a value is a value of the language, however deep one looks (up to a bound). */
function assertValue(value: unknown, budget = { left: 1_000 }): void {
  if (--budget.left < 0) return;
  assert.notEqual(typeof value, 'function');
  assert.notEqual(typeof value, 'symbol');
  assert.notEqual(value, undefined);
  if (value instanceof CelList) {
    for (let i = 0; i < Math.min(value.length, 100); i++) assertValue(value.at(i), budget);
  } else if (value instanceof CelMap) {
    for (const key of value.keys()) assertValue(value.get(key), budget);
  } else if (typeof value === 'object' && value !== null) {
    const { name } = value.constructor;
    assert.match(
      name,
      /^(Cel|Ip|Cidr|Url|Quantity|Semver|NamedFormat|Group|Resource|Path|Decision)/,
    );
  }
}

function run(source: string, bindings: Bindings): CelResult | undefined {
  const compiled = environment.compile(source);
  if (!compiled.ok) {
    assert.notEqual(compiled.message, '');
    return undefined;
  }
  const estimate = estimateCost(compiled.checked, () => undefined);
  assert.ok(estimate.min <= estimate.max);
  return compiled.program.evaluate(bindings, { limit: LIMIT });
}

describe('cel under fuzz', () => {
  it('parses any text without throwing and reports errors of bounded size', () => {
    fc.assert(
      fc.property(RANDOM_TEXT, (text) => {
        const { root, issues } = environment.parse(text);
        assert.equal(root === undefined, issues.count > 0);
        assert.ok(issues.toString().length < 100_000);
        environment.compile(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it('evaluates any expression to a value or an error, within its budget', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(randomExpression(functions), values, (source, bindings) => {
        const result = run(source, bindings);
        if (result === undefined) return;
        evaluated++;
        // what reads an element has paid for it, or for ten of them
        assert.ok(bindings.items.reads <= 10 * result.cost + 100, source);
        if (!result.ok) {
          assert.notEqual(result.message, '');
          return;
        }
        assert.ok(result.cost <= LIMIT, source);
        assertValue(result.value);
        assert.equal(typeof show(result.value), 'string');
        toJson(result.value);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(evaluated > 1_000, `only ${evaluated} expressions could be evaluated`);
  });

  it('stops at its budget whatever that is', () => {
    fc.assert(
      fc.property(
        randomExpression(functions),
        values,
        fc.integer({ min: 0, max: 200 }),
        (source, bindings, limit) => {
          const compiled = environment.compile(source);
          if (!compiled.ok) return;
          const all = compiled.program.evaluate(bindings, { limit: Infinity });
          const some = compiled.program.evaluate(bindings, { limit });
          if (some.ok) assert.deepEqual(some.cost, all.cost);
          if (all.cost > limit) assert.ok(!some.ok, source);
          if (!some.ok && some.reason === 'budget') assert.ok(some.cost > limit);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('cel and the prototypes of JavaScript', () => {
  const plain = new Values({ a: 1 }, [], []);

  for (const name of PROTOTYPE_NAMES) {
    it(`does not resolve ${name}`, () => {
      const value = (source: string): CelValue | undefined => {
        const result = run(source, plain);
        return result?.ok === true ? result.value : undefined;
      };
      assert.equal(value(`x.${name}`), undefined);
      assert.equal(value(`x['${name}']`), undefined);
      assert.equal(value(`y.${name}`), undefined);
      assert.equal(value(`'text'.${name}`), undefined);
      assert.equal(value(`dyn('text').${name}`), undefined);
      assert.equal(value(`dyn(1u).${name}`), undefined);
      assert.equal(value(`has(x.${name})`), false);
      assert.equal(value(`'${name}' in x`), false);
      assert.equal(value(`x.?${name}.hasValue()`), false);
      assert.equal(value(`{'k': 1}.?${name}.hasValue()`), false);
      assert.equal(value(`x[?'${name}'].hasValue()`), false);
      assert.equal(value(name), undefined);
      assert.equal(value(`${name}()`), undefined);
      assert.equal(value(`x.${name}()`), undefined);
      assert.equal(value(`type(x).${name}`), undefined);
      assert.equal(value(`${name}{}`), undefined);
      assert.equal(value(`{'${name}': 1}['${name}']`), 1);
      assert.equal(value(`{'${name}': 1}.${name} == 1 && size({'${name}': 1}) == 1`), true);
      assert.equal(value(`['${name}'].map(k, {k: 1})[0]['${name}']`), 1);
      assert.equal(value(`['${name}'].transformMapEntry(i, k, {k: i})['${name}']`), 0);
      assert.equal(value(`cel.bind(${name}, 1, ${name} + 1)`), 2);
      assert.equal(value(`[1].all(${name}, ${name} == 1)`), true);
    });
  }

  it('reads and writes such keys of an object', () => {
    const own = JSON.parse('{"__proto__": {"constructor": 1}}') as JsonValue;
    const bindings = new Values(own, null, []);
    const result = run("{'__proto__': x.__proto__.constructor, 'x': x}", bindings);
    assert.ok(result?.ok);
    const out = toJson(result.value) as object;
    assert.equal(Object.getPrototypeOf(out), Object.prototype);
    assert.equal(JSON.stringify(out), '{"__proto__":1,"x":{"__proto__":{"constructor":1}}}');
    assert.equal(({} as Record<string, unknown>)['constructor'], Object);
  });
});
