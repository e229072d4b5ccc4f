/**
 * What expressions cost: `node --import=tsx bench/cel.ts`.
 * Figures are medians of several rounds of processor time.
 */
import { getOwn, hasOwn, isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { API_ENVIRONMENT } from '../cel/environments.ts';
import { estimateCost } from '../cel/cost/estimate.ts';
import type { Bindings } from '../cel/program.ts';
import { BOOL, DYN } from '../cel/value/type.ts';
import { fromJson } from '../cel/value/json.ts';
import type { CelValue } from '../cel/value/value.ts';
import { schemaFromJson } from '../schema/from-json.ts';
import { TypeDeclarer } from '../schema/rules/declared-type.ts';
import { celValue } from '../schema/rules/values.ts';
import { print, time } from './load/cpu.ts';

const schema = schemaFromJson({
  type: 'object',
  properties: {
    max: { type: 'integer' },
    items: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', maxLength: 63 },
          replicas: { type: 'integer' },
          mode: { type: 'string', enum: ['Always', 'Never'] },
        },
      },
    },
  },
});

/** Objects that differ, so that nothing is worked out once for all of them. */
const OBJECTS: JsonObject[] = Array.from({ length: 64 }, (_, n) => ({
  max: 100 + n,
  items: Array.from({ length: 10 }, (_, i) => ({
    name: `item-${n}-${i}`,
    replicas: n + i,
    mode: i % 2 === 0 ? 'Always' : 'Never',
  })),
}));

/** The same written by hand for JSON from a client: own keys only, types checked. */
function integer(object: JsonValue | undefined, key: string): number {
  const value = isObject(object) ? getOwn(object, key) : undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Error(key);
  return value;
}
function text(object: JsonValue | undefined, key: string): string {
  const value = isObject(object) ? getOwn(object, key) : undefined;
  if (typeof value !== 'string') throw new Error(key);
  return value;
}
function list(object: JsonValue, key: string): readonly JsonValue[] {
  const value = isObject(object) ? getOwn(object, key) : undefined;
  if (!Array.isArray(value)) throw new Error(key);
  return value;
}

/** Rules as CRDs have them, and what one would write by hand instead. */
const RULES: [string, (self: JsonObject) => boolean][] = [
  ['self.max >= 0', (self) => integer(self, 'max') >= 0],
  [
    'self.items.all(i, i.replicas >= 0 && i.replicas <= self.max)',
    (self) =>
      list(self, 'items').every(
        (i) => integer(i, 'replicas') >= 0 && integer(i, 'replicas') <= integer(self, 'max'),
      ),
  ],
  [
    "self.items.all(i, i.name.startsWith('item-') && i.replicas <= self.max && (i.mode == 'Always' || i.mode == 'Never'))",
    (self) =>
      list(self, 'items').every(
        (i) =>
          text(i, 'name').startsWith('item-') &&
          integer(i, 'replicas') <= integer(self, 'max') &&
          (text(i, 'mode') === 'Always' || text(i, 'mode') === 'Never'),
      ),
  ],
  [
    "self.items.all(i, has(i.mode) && i.mode in ['Always', 'Never']) && size(self.items) <= 10",
    (self) =>
      list(self, 'items').every(
        (i) => isObject(i) && hasOwn(i, 'mode') && ['Always', 'Never'].includes(text(i, 'mode')),
      ) && list(self, 'items').length <= 10,
  ],
  [
    "self.items.filter(i, i.mode == 'Always').map(i, i.replicas).all(r, r <= self.max)",
    (self) =>
      list(self, 'items')
        .filter((i) => text(i, 'mode') === 'Always')
        .map((i) => integer(i, 'replicas'))
        .every((r) => r <= integer(self, 'max')),
  ],
  [
    'self.items.all(i, self.items.exists_one(j, j.name == i.name))',
    (self) =>
      list(self, 'items').every(
        (i) => list(self, 'items').filter((j) => text(j, 'name') === text(i, 'name')).length === 1,
      ),
  ],
];

const declared = new TypeDeclarer().declare(schema)!;
const typed = API_ENVIRONMENT.extend({ variables: { self: declared.cel } });
const untyped = API_ENVIRONMENT.extend({ variables: { self: DYN } });
const object = (i: number): JsonObject => OBJECTS[i % OBJECTS.length]!;
let sink = 0;

class Self implements Bindings {
  readonly #value: CelValue;

  constructor(value: CelValue) {
    this.#value = value;
  }

  get(name: string): CelValue | undefined {
    return name === 'self' ? this.#value : undefined;
  }
}

console.log('evaluating a rule on ten items, microseconds: closure, declared types, JSON');
for (const [rule, closure] of RULES) {
  const compiled = typed.compile(rule, { result: BOOL });
  const dynamic = untyped.compile(rule, { result: BOOL });
  if (!compiled.ok || !dynamic.ok) throw new Error(rule);
  const options = { limit: 1_000_000 };
  const byHand = time(100_000, (i) => (sink += closure(object(i)) ? 1 : 0));
  const withTypes = time(50_000, (i) => {
    const self = celValue(object(i), schema);
    const result = compiled.program.evaluate(new Self(self), options);
    if (!result.ok || result.value !== true) throw new Error(rule);
  });
  const without = time(50_000, (i) => {
    const self = fromJson(object(i));
    const result = dynamic.program.evaluate(new Self(self), options);
    if (!result.ok || result.value !== true) throw new Error(rule);
  });
  const factor = (figure: number): string =>
    `${figure.toFixed(2)} (${(figure / byHand).toFixed(1)}x)`;
  console.log(
    `  ${byHand.toFixed(2).padStart(6)}  ${factor(withTypes).padStart(14)}  ${factor(without).padStart(14)}  ${rule}`,
  );
}

const THOUSAND = 1_000;
const rules = Array.from(
  { length: THOUSAND },
  (_, i) => `${RULES[i % RULES.length]![0]} && self.max != ${i}`,
);
console.log('a thousand rules, milliseconds');
print('  parse', time(1, () => rules.forEach((rule) => typed.parse(rule))) / 1_000, 'ms');
print(
  '  parse, check, compile',
  time(1, () => {
    for (const rule of rules) if (!typed.compile(rule, { result: BOOL }).ok) throw new Error(rule);
  }) / 1_000,
  'ms',
);
const checked = rules.map((rule) => {
  const compiled = typed.compile(rule);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.checked;
});
print(
  '  estimate',
  time(1, () => checked.forEach((expression) => estimateCost(expression, () => undefined))) / 1_000,
  'ms',
);
const hostile: JsonObject = { items: Array.from({ length: 1_000 }, (_, i) => ({ n: i })) };
const nested = untyped.compile('self.items.all(a, self.items.all(b, self.items.all(c, true)))');
if (!nested.ok) throw new Error(nested.message);
print(
  'a hostile rule until its budget of 1,000,000 is used up',
  time(1, () => {
    const result = nested.program.evaluate(new Self(fromJson(hostile)), { limit: 1_000_000 });
    if (result.ok || result.reason !== 'budget') throw new Error('the budget did not hold');
  }) / 1_000,
  'ms',
);
if (sink < 0) console.log(sink);
