/**
 * What expressions cost: `node --import=tsx bench/cel.ts`.
 * Figures are medians of several rounds of processor time.
 */
import type { JsonObject, JsonValue } from '../api/json.ts';
import { API_ENVIRONMENT } from '../cel/environments.ts';
import { estimateCost } from '../cel/cost/estimate.ts';
import { BOOL, DYN } from '../cel/types/type.ts';
import { fromJson } from '../cel/value/json.ts';
import type { CelValue } from '../cel/value/value.ts';
import { schemaFromJson } from '../schema/from-json.ts';
import { TypeDeclarer } from '../schema/rules/declared-type.ts';
import { celValue } from '../schema/rules/values.ts';

const ROUNDS = 9;

/** Median microseconds of processor time of one call: other programs on the machine do not count. */
function time(calls: number, call: (i: number) => unknown): number {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < calls; i++) call(i);
    const { user, system } = process.cpuUsage(start);
    rounds.push((user + system) / calls);
  }
  return rounds.sort((a, b) => a - b)[ROUNDS >> 1]!;
}

function print(what: string, figure: number, unit: string): void {
  console.log(`${what.padEnd(58)}${figure.toFixed(figure < 10 ? 2 : 0).padStart(9)} ${unit}`);
}

interface Item {
  name: string;
  replicas: number;
  mode: string;
}
interface Spec {
  max: number;
  items: Item[];
}

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

const spec: Spec = {
  max: 100,
  items: Array.from({ length: 10 }, (_, i) => ({
    name: `item-${i}`,
    replicas: i,
    mode: i % 2 === 0 ? 'Always' : 'Never',
  })),
};

/** Rules as CRDs have them, and what one would write by hand instead. */
const RULES: [string, (self: Spec) => boolean][] = [
  ['self.max >= 0', (self) => self.max >= 0],
  [
    'self.items.all(i, i.replicas >= 0 && i.replicas <= self.max)',
    (self) => self.items.every((i) => i.replicas >= 0 && i.replicas <= self.max),
  ],
  [
    "self.items.all(i, i.name.startsWith('item-') && i.replicas <= self.max && (i.mode == 'Always' || i.mode == 'Never'))",
    (self) =>
      self.items.every(
        (i) =>
          i.name.startsWith('item-') &&
          i.replicas <= self.max &&
          (i.mode === 'Always' || i.mode === 'Never'),
      ),
  ],
  [
    "self.items.exists(i, has(i.mode) && i.mode == 'Never') && size(self.items) <= 10",
    (self) =>
      self.items.some((i) => Object.hasOwn(i, 'mode') && i.mode === 'Never') &&
      self.items.length <= 10,
  ],
  [
    "self.items.filter(i, i.mode == 'Always').map(i, i.replicas).all(r, r < self.max)",
    (self) =>
      self.items
        .filter((i) => i.mode === 'Always')
        .map((i) => i.replicas)
        .every((r) => r < self.max),
  ],
  [
    'self.items.all(i, self.items.exists_one(j, j.name == i.name))',
    (self) => self.items.every((i) => self.items.filter((j) => j.name === i.name).length === 1),
  ],
];

const declared = new TypeDeclarer().declare(schema)!;
const typed = API_ENVIRONMENT.extend({ variables: { self: declared.cel } });
const untyped = API_ENVIRONMENT.extend({ variables: { self: DYN } });
const json = spec as unknown as JsonValue;
let sink = 0;

function bindSelf(value: CelValue): { get: (name: string) => CelValue | undefined } {
  return { get: (name) => (name === 'self' ? value : undefined) };
}

console.log('evaluating a rule on ten items, microseconds: closure, declared types, JSON');
for (const [rule, closure] of RULES) {
  const compiled = typed.compile(rule, { result: BOOL });
  const dynamic = untyped.compile(rule, { result: BOOL });
  if (!compiled.ok || !dynamic.ok) throw new Error(rule);
  const options = { limit: 1_000_000 };
  const byHand = time(100_000, () => (sink += closure(spec) ? 1 : 0));
  const withTypes = time(50_000, () => {
    const result = compiled.program.evaluate(bindSelf(celValue(json, schema)), options);
    if (!result.ok || result.value !== true) throw new Error(rule);
  });
  const without = time(50_000, () => {
    const result = dynamic.program.evaluate(bindSelf(fromJson(json)), options);
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
    const result = nested.program.evaluate(bindSelf(fromJson(hostile)), { limit: 1_000_000 });
    if (result.ok || result.reason !== 'budget') throw new Error('the budget did not hold');
  }) / 1_000,
  'ms',
);
if (sink < 0) console.log(sink);
