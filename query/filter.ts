import { badRequest } from '../api/api-error.ts';
import { check } from '../cel/check/checker.ts';
import type { Environment } from '../cel/environment.ts';
import { API_ENVIRONMENT } from '../cel/environments.ts';
import { excessivePattern } from '../cel/libraries/literal-patterns.ts';
import type { Program } from '../cel/program.ts';
import { BoundedCache } from '../api/bounded-cache.ts';
import { mapFromJson } from '../cel/value/json.ts';
import { PatternBudget } from '../cel/value/pattern-budget.ts';
import { BOOL, DYN } from '../cel/value/type.ts';
import { CelMap } from '../cel/value/value.ts';
import { ObjectMeta } from '../schema/object-meta.ts';
import { objectType } from '../schema/rules/object-type.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';
import { objectOnDemand } from './object-on-demand.ts';
import type { ObjectPredicate } from './object-predicate.ts';

/** Characters of a filter. */
const MAX_FILTER_CHARACTERS = 2_048;
/** Nanoseconds that the patterns of a filter may take to compile. */
const MAX_PATTERN_WORK = 5_000_000;
/** Steps that a filter may take for one object: some milliseconds. */
const MAX_OBJECT_STEPS = 100_000;
/** Steps that a filter may take for all objects that a request looks at. */
const MAX_REQUEST_STEPS = 50_000_000;
/** Compiled filters that are kept for the next request. */
const MAX_KEPT_FILTERS = 64;
/** Objects whose verdicts one filter remembers. */
const MAX_VERDICTS = 10_000;

let evaluations = 0;

/** How often filters were evaluated since the process began. */
export function filterEvaluations(): number {
  return evaluations;
}

/** A filter, compiled for a schema; requests that ask the same share it. */
class Filter {
  readonly #program: Program;
  #verdicts = new WeakMap<object, boolean>();
  #remembered = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** The verdict on what the key stands for, if it was given before. */
  known(key: object): boolean | undefined {
    return this.#verdicts.get(key);
  }

  /**
   * The verdict on an object, and the steps that it took.
   *
   * @throws ApiError 400 when they are too many
   */
  judge(key: object, value: CelMap): { verdict: boolean; cost: number } {
    evaluations++;
    const bindings = { get: (name: string) => (name === 'object' ? value : undefined) };
    const result = this.#program.evaluate(bindings, { limit: MAX_OBJECT_STEPS });
    if (!result.ok && result.reason === 'budget') {
      throw badRequest(
        `filter: takes more than ${MAX_OBJECT_STEPS} steps for the object ${nameOf(value)}`,
      );
    }
    // an object without what the filter asks for does not match
    const verdict = result.ok && result.value === true;
    if (++this.#remembered > MAX_VERDICTS) {
      this.#verdicts = new WeakMap();
      this.#remembered = 1;
    }
    this.#verdicts.set(key, verdict);
    return { verdict, cost: result.cost };
  }
}

function nameOf(object: CelMap): string {
  const metadata = object.get('metadata');
  if (!(metadata instanceof CelMap)) return '';
  const parts = [metadata.get('namespace'), metadata.get('name')];
  return parts.filter((part) => typeof part === 'string').join('/');
}

const filters = new BoundedCache<Filter>(MAX_KEPT_FILTERS);
let schemas = 0;
const schemaIds = new WeakMap<StructuralSchema, number>();

function idOf(schema: StructuralSchema): number {
  let id = schemaIds.get(schema);
  if (id === undefined) schemaIds.set(schema, (id = ++schemas));
  return id;
}

/** It need not be compiled for the next request. */
export function isKeptFilter(text: string, schema: StructuralSchema): boolean {
  return filters.has(keyOf(text, schema));
}

function keyOf(text: string, schema: StructuralSchema): string {
  return `${idOf(schema)} ${text}`;
}

/**
 * The predicate of a filter in the expression language over `object`, as a
 * schema types it. `isStream`: the request lasts, and so has no budget of its
 * own for all objects.
 *
 * @throws ApiError 400 with the place of what is wrong with it
 */
export function filterPredicate(
  text: string,
  schema: StructuralSchema,
  isStream: boolean,
): ObjectPredicate {
  if (text.length > MAX_FILTER_CHARACTERS) {
    throw badRequest(`filter: must be at most ${MAX_FILTER_CHARACTERS} characters`);
  }
  const filter = filters.get(keyOf(text, schema), () => compiled(text, schema));
  let remaining = isStream ? Infinity : MAX_REQUEST_STEPS;
  const judged = (value: CelMap, key: object): boolean => {
    const { verdict, cost } = filter.judge(key, value);
    remaining -= cost;
    if (remaining >= 0) return verdict;
    throw badRequest(
      `filter: takes more than ${MAX_REQUEST_STEPS} steps for the objects of this request; narrow it by namespace, labels or fields`,
    );
  };
  return {
    known: (key) => filter.known(key),
    matches: (object, key = object) => judged(mapFromJson(object), key),
    matchesBytes: (object, key) => judged(objectOnDemand(object), key),
  };
}

const UNTYPED = API_ENVIRONMENT.extend({ variables: { object: DYN } });

function compiled(text: string, schema: StructuralSchema): Filter {
  const type = objectType(schema, ObjectMeta, (name) => [name]);
  const typed = API_ENVIRONMENT.extend({ variables: { object: type } });
  refuseExcessivePatterns(text, typed);
  const checked = typed.compile(text, { result: BOOL });
  if (!checked.ok) throw badRequest(`filter: ${checked.message}`);
  // stored objects may be older than the schema: values count as they are, not as it says
  const program = UNTYPED.compile(text);
  if (!program.ok) throw badRequest(`filter: ${program.message}`);
  return new Filter(program.program);
}

/** Before they are compiled, which all other requests would wait for. */
function refuseExcessivePatterns(text: string, environment: Environment): void {
  const checked = check(environment.parse(text), environment.declarations);
  if (checked === undefined) return;
  const patterns = new PatternBudget(MAX_PATTERN_WORK);
  excessivePattern(checked, patterns);
  if (patterns.isExceeded) throw badRequest('filter: its patterns take too long to compile');
}
