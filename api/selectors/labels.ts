import { groupedTest } from './grouped.ts';
import { parseInt64, type LabelRequirement, type Labels } from './requirement.ts';

/** What a parser answers: the selector, or in words why there is none. */
export type ParsedSelector<T> = { readonly selector: T } | { readonly error: string };

type Test = (labels: Labels) => boolean;

/** From this many requirements on, they are grouped by key. */
const GROUP_FROM = 9;

const NO_LABELS: Labels = {};
/** From this many values on, a set is faster than a look at each. */
const SET_FROM = 5;

/**
 * A condition on labels: all of its requirements hold. Compiled once, because
 * it is asked for every object of a list and for every event of a watch.
 * Source: k8s.io/apimachinery pkg/labels.
 */
export class LabelSelector {
  /** Sorted by key. */
  readonly requirements: readonly LabelRequirement[];
  readonly #test: Test;

  private constructor(requirements: readonly LabelRequirement[], test: Test) {
    this.requirements = requirements;
    this.#test = test;
  }

  /** The selector without conditions. */
  static readonly everything = new LabelSelector([], () => true);
  /** What an absent LabelSelector means: no object at all. */
  static readonly nothing = new LabelSelector([], () => false);

  /** The requirements must be valid; see parseLabelSelector and labelSelectorOf for unchecked input. */
  static of(requirements: readonly LabelRequirement[]): LabelSelector {
    if (requirements.length === 0) return LabelSelector.everything;
    const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const isLong = sorted.length >= GROUP_FROM;
    return new LabelSelector(sorted, isLong ? groupedTest(sorted) : all(sorted.map(compile)));
  }

  matches(labels: Labels | undefined): boolean {
    return this.#test(labels ?? NO_LABELS);
  }

  /** True when it matches whatever the labels are. */
  isEverything(): boolean {
    return this === LabelSelector.everything;
  }

  /** The value that the label must have, when the first requirement on it names exactly one. */
  requiresExactMatch(key: string): string | undefined {
    const requirement = this.requirements.find((r) => r.key === key);
    if (requirement === undefined || requirement.values.length !== 1) return undefined;
    const { operator } = requirement;
    return operator === '=' || operator === '==' || operator === 'in'
      ? requirement.values[0]
      : undefined;
  }

  /** Canonical text: equal for selectors that differ in order and blanks only. */
  toString(): string {
    return this.requirements.map(requirementText).join(',');
  }
}

function requirementText({ key, operator, values }: LabelRequirement): string {
  const sorted = [...values].sort().join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${sorted})`;
    case 'gt':
      return `${key}>${sorted}`;
    case 'lt':
      return `${key}<${sorted}`;
    default:
      return `${key}${operator}${sorted}`;
  }
}

function all(tests: readonly Test[]): Test {
  const [first, second, ...more] = tests;
  if (first === undefined) return () => true;
  if (second === undefined) return first;
  if (more.length === 0) return (labels) => first(labels) && second(labels);
  return (labels) => tests.every((test) => test(labels));
}

// Labels are strings, and no inherited property is one: a plain read cannot
// take `constructor` of the prototype for a label.
function compile({ key, operator, values }: LabelRequirement): Test {
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return isOneOf(key, values);
    case '!=':
    case 'notin': {
      const is = isOneOf(key, values);
      return (labels) => !is(labels);
    }
    case 'exists':
      return (labels) => typeof labels[key] === 'string';
    case '!':
      return (labels) => typeof labels[key] !== 'string';
    case 'gt':
    case 'lt':
      return compares(key, operator, parseInt64(values[0] ?? ''));
  }
}

function isOneOf(key: string, values: readonly string[]): Test {
  if (values.length === 1) {
    const [value] = values;
    return (labels) => labels[key] === value;
  }
  if (values.length < SET_FROM) return (labels) => values.includes(labels[key] as string);
  const set = new Set<unknown>(values);
  return (labels) => set.has(labels[key]);
}

function compares(key: string, operator: 'gt' | 'lt', bound: number | bigint | undefined): Test {
  if (bound === undefined) return () => false;
  return (labels) => {
    const label: unknown = labels[key];
    const value = typeof label === 'string' ? parseInt64(label) : undefined;
    return value !== undefined && (operator === 'gt' ? value > bound : value < bound);
  };
}
