import type { Seeded } from '../support/seeded.ts';

export const NAMESPACES = ['a', 'a-b', 'b'];
const HOLDERS = ['one', 'two', 'three', 'One', '10', '9'];

/** A question, and its answer by an evaluation that knows nothing of the server's. */
interface Field {
  readonly path: string;
  readonly read: (object: any) => any;
  readonly values: readonly string[];
}

const FIELDS: readonly Field[] = [
  { path: 'spec.holderIdentity', read: (o) => o.spec.holderIdentity, values: HOLDERS },
  {
    path: 'spec.leaseDurationSeconds',
    read: (o) => o.spec.leaseDurationSeconds,
    values: ['5', '10', '100'],
  },
  { path: 'spec.renewTime', read: (o) => o.spec.renewTime, values: [time(1), time(2)] },
  { path: 'metadata.namespace', read: (o) => o.metadata.namespace, values: NAMESPACES },
  {
    path: 'metadata.labels["example.com/team"]',
    read: (o) => o.metadata.labels?.['example.com/team'],
    values: ['x', 'y'],
  },
];

function time(second: number): string {
  return `2024-01-01T00:00:0${second}.000000Z`;
}

/** The spec and labels of a Lease, at random. */
export function randomLease(random: Seeded): { labels?: object; spec: object } {
  const maybe = <T>(value: T): T | undefined => (random.below(4) === 0 ? undefined : value);
  const spec = {
    holderIdentity: maybe(random.pick(HOLDERS)),
    leaseDurationSeconds: maybe(random.pick([5, 10, 100])),
    renewTime: maybe(time(random.below(4))),
  };
  const labels = maybe({ 'example.com/team': random.pick(['x', 'y']) });
  return JSON.parse(JSON.stringify({ labels, spec }));
}

/** What a random question asks, as a client writes it, and the same as functions. */
export interface Question {
  readonly fieldSelector: string;
  readonly filter: string;
  readonly orderBy: string;
  readonly groupBy: string;
  /** The objects of a state, in the order of the answer. */
  answer(all: readonly any[]): any[];
  /** The numbers by value that a count of them has. */
  groups(objects: readonly any[]): Map<unknown, number>;
}

export function randomQuestion(random: Seeded): Question {
  const terms = Array.from({ length: random.below(3) }, () => randomTerm(random));
  const filter = random.below(2) === 0 ? undefined : randomFilter(random, 2);
  const keys = Array.from({ length: random.below(4) }, () => ({
    field: random.pick(FIELDS),
    descending: random.below(2) === 0,
  }));
  const group = random.pick(FIELDS);
  return {
    fieldSelector: terms.map(({ text }) => text).join(','),
    filter: filter?.text ?? '',
    orderBy: keys
      .map(({ field, descending }) => field.path + (descending ? ':desc' : ''))
      .join(','),
    groupBy: group.path,
    answer: (all) =>
      all
        .filter((object) => terms.every(({ test }) => test(object)))
        .filter((object) => filter === undefined || filter.test(object) === true)
        .sort((a, b) => naiveOrder(keys, a, b)),
    groups: (objects) => naiveGroups(objects, group),
  };
}

interface Term {
  readonly text: string;
  readonly test: (object: any) => boolean;
}

function randomTerm(random: Seeded): Term {
  const { path, read, values } = random.pick(FIELDS);
  const [value, other] = [random.pick(values), random.pick(values)];
  const text = (object: any): string => String(read(object) ?? '');
  return random.pick<Term>([
    { text: `${path}=${value}`, test: (o) => text(o) === value },
    { text: `${path}!=${value}`, test: (o) => text(o) !== value },
    { text: `${path} in (${value},${other})`, test: (o) => [value, other].includes(text(o)) },
    { text: `${path} notin (${value},${other})`, test: (o) => ![value, other].includes(text(o)) },
    ...(path === 'metadata.namespace'
      ? []
      : [
          { text: path, test: (o: any) => read(o) !== undefined },
          { text: `!${path}`, test: (o: any) => read(o) === undefined },
        ]),
  ]);
}

/** An expression, and its value; undefined: it cannot be evaluated. */
interface Expression {
  readonly text: string;
  readonly test: (object: any) => boolean | undefined;
}

/** Up to so many levels of `!`, `&&` and `||`, whose errors the language absorbs where the other side decides. */
function randomFilter(random: Seeded, levels: number): Expression {
  if (levels === 0 || random.below(3) === 0) return randomLeaf(random);
  const [a, b] = [randomFilter(random, levels - 1), randomFilter(random, levels - 1)];
  return random.pick<Expression>([
    {
      text: `!(${a.text})`,
      test: (o) => {
        const value = a.test(o);
        return value === undefined ? undefined : !value;
      },
    },
    { text: `(${a.text} || ${b.text})`, test: (o) => decided(a.test(o), b.test(o), true) },
    { text: `(${a.text} && ${b.text})`, test: (o) => decided(a.test(o), b.test(o), false) },
  ]);
}

/** One side that has this value decides; otherwise an error on either side is one of both. */
function decided(
  a: boolean | undefined,
  b: boolean | undefined,
  deciding: boolean,
): boolean | undefined {
  if (a === deciding || b === deciding) return deciding;
  return a === undefined || b === undefined ? undefined : !deciding;
}

function randomLeaf(random: Seeded): Expression {
  const [holder, seconds] = [random.pick(HOLDERS), random.pick([5, 7, 10])];
  const second = random.below(4);
  return random.pick<Expression>([
    {
      text: `object.spec.leaseDurationSeconds > ${seconds}`,
      test: ({ spec: { leaseDurationSeconds: it } }) =>
        it === undefined ? undefined : it > seconds,
    },
    {
      text: `object.spec.holderIdentity == "${holder}"`,
      test: ({ spec: { holderIdentity: it } }) => (it === undefined ? undefined : it === holder),
    },
    {
      text: `object.spec.holderIdentity in ["${holder}", "two"]`,
      test: ({ spec: { holderIdentity: it } }) =>
        it === undefined ? undefined : it === holder || it === 'two',
    },
    { text: 'has(object.spec.renewTime)', test: ({ spec }) => spec.renewTime !== undefined },
    {
      text: `timestamp(object.spec.renewTime) < timestamp("${time(second)}")`,
      test: ({ spec: { renewTime: it } }) => (it === undefined ? undefined : it < time(second)),
    },
    {
      text: 'object.?metadata.?labels[?"example.com/team"].orValue("") == "x"',
      test: ({ metadata }) => metadata.labels?.['example.com/team'] === 'x',
    },
    {
      text: 'object.metadata.name.endsWith("3")',
      test: ({ metadata }) => metadata.name.endsWith('3'),
    },
  ]);
}

function naiveOrder(
  keys: readonly { field: Field; descending: boolean }[],
  a: any,
  b: any,
): number {
  for (const { field, descending } of keys) {
    const [x, y] = [field.read(a), field.read(b)];
    if (x === y) continue;
    if (x === undefined) return 1;
    if (y === undefined) return -1;
    return x < y !== descending ? -1 : 1;
  }
  const [p, q] = [a, b].map(({ metadata }) => [metadata.namespace, metadata.name]);
  if (p![0] !== q![0]) return p![0] < q![0] ? -1 : 1;
  return p![1] < q![1] ? -1 : 1;
}

function naiveGroups(objects: readonly any[], { read }: Field): Map<unknown, number> {
  const groups = new Map<unknown, number>();
  for (const object of objects) {
    const value = read(object) ?? null;
    groups.set(value, (groups.get(value) ?? 0) + 1);
  }
  return groups;
}
