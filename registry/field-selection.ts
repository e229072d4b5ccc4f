import { badRequest, type ApiError } from '../api/api-error.ts';
import { scalarText, type JsonObject, type JsonValue } from '../api/json.ts';
import { neutralApiVersion } from '../api/naming.ts';
import { apiObjectOf } from '../api/object.ts';
import { FieldSelector, fieldTerms, parseFieldSelector } from '../api/selectors/fields.ts';
import {
  conditionTest,
  parseFieldConditions,
  type FieldCondition,
} from '../query/field-conditions.ts';
import type { ObjectPredicate, ValueCondition } from '../query/object-predicate.ts';
import { valueAt } from '../query/read-path.ts';
import { needleTest } from '../query/needle-test.ts';
import { resolvePath } from '../query/resolve-path.ts';
import type { ServedResource } from './served-resource.ts';
import { SharedSelectors } from './shared-selectors.ts';

/** What a field selector asks. */
interface FieldSelection {
  /** Of fields that the kind declares; most can be answered without the object. */
  readonly declared: FieldSelector;
  /** Of other fields of its schema. */
  readonly predicates: readonly ObjectPredicate[];
}

/** Each of them may have to look through a list of the object, all in one turn. */
const MAX_PATH_CONDITIONS = 32;

const NOTHING_ASKED: FieldSelection = { declared: FieldSelector.everything, predicates: [] };

/** Watches and lists with equal selectors share one. */
const fieldSelectors = new SharedSelectors(parseFieldSelector);

/** Which fields a selector may name: those that a kind declares, or any path of its schema. */
export type SelectableFields = 'declared' | 'any';

/** @throws ApiError 400 for what cannot be read, and for fields that the resource does not have */
export function fieldSelectionOf(
  text: string,
  resource: ServedResource,
  fields: SelectableFields,
): FieldSelection {
  if (text === '') return NOTHING_ASKED;
  const parsed = fieldSelectors.get(text);
  const unsupported =
    'error' in parsed
      ? undefined
      : parsed.selector.requirements.find(({ field }) => !isDeclared(field, resource))?.field;
  if ('selector' in parsed && unsupported === undefined) {
    return { declared: neutralSelector(parsed.selector, resource), predicates: [] };
  }
  const refusal = 'error' in parsed ? parsed.error : notSupported(unsupported ?? '', resource);
  if (fields === 'declared') throw badRequest(refusal);
  const read = parseFieldConditions(text);
  if ('error' in read) throw badRequest(/[[(]/.test(text) ? read.error : refusal);
  // Rights on single names are found by the plain reading, which must not be another one.
  const terms = read.items.map((term) => term.text);
  if ('selector' in parsed && fieldTerms(text).join('\n') !== terms.join('\n')) {
    throw badRequest(`a comma inside brackets needs a backslash: ${refusal}`);
  }
  // what could always be read is refused in the words that clients know
  const isPlain = 'selector' in parsed;
  return selectionOfTerms(read.items, resource, (field, why) =>
    badRequest(
      why === undefined ? refusal : `${notSupported(field, resource)}${isPlain ? '' : `: ${why}`}`,
    ),
  );
}

/** The parts of a request that choose objects by what they hold. */
interface Choice {
  readonly fieldSelector: string;
  readonly filter: string;
  readonly orderBy: string;
}

/**
 * Does a request choose objects by values other than their labels and the fields that the
 * kind declares? Only who may read the objects may ask that.
 */
export function looksAtValues(
  resource: ServedResource,
  { fieldSelector, filter, orderBy }: Choice,
): boolean {
  if (filter !== '' || orderBy !== '') return true;
  if (fieldSelector === '') return false;
  const parsed = fieldSelectors.get(fieldSelector);
  return (
    'error' in parsed ||
    parsed.selector.requirements.some(({ field }) => !isDeclared(field, resource))
  );
}

/** Why a selector is refused; without `why` in the words of the plain reading. */
type Refuse = (field: string, why?: string) => ApiError;

function selectionOfTerms(
  terms: readonly FieldCondition[],
  resource: ServedResource,
  refuse: Refuse,
): FieldSelection {
  const declared: FieldSelector['requirements'][number][] = [];
  const predicates: ObjectPredicate[] = [];
  for (const term of terms) {
    const { path, operator, values } = term;
    const field = path.text;
    if ((operator === '=' || operator === '!=') && isDeclared(field, resource)) {
      declared.push({ field, operator, value: values[0] ?? '' });
    } else if (operator === 'exists' && isAlwaysThere(field)) {
      // who forgets the value of a name must not get, or delete, everything
      throw refuse(field);
    } else if (field === 'metadata.namespace' && !isDeclared(field, resource)) {
      throw refuse(field, 'its objects have none');
    } else {
      if (predicates.length === MAX_PATH_CONDITIONS) {
        throw badRequest(
          `the selector has more than ${MAX_PATH_CONDITIONS} conditions on undeclared fields`,
        );
      }
      predicates.push(predicateOf(term, resource, refuse));
    }
  }
  return { declared: neutralSelector(FieldSelector.of(declared), resource), predicates };
}

function isAlwaysThere(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace';
}

/** @throws ApiError 400 */
function predicateOf(
  condition: FieldCondition,
  resource: ServedResource,
  refuse: Refuse,
): ObjectPredicate {
  const { path, operator } = condition;
  const { builtin } = resource.definition;
  const neutral = builtin && namesGroup(path.text) ? neutralApiVersion : undefined;
  const values = neutral === undefined ? condition.values : condition.values.map(neutral);
  const test = conditionTest({ operator, values });
  const asksValue = operator !== 'exists' && operator !== '!';
  const read = declaredReader(path.text, resource);
  if (read !== undefined && asksValue) {
    return {
      ...(operator === 'in'
        ? { condition: { field: path.text, isDeclared: true, values, read } }
        : {}),
      matches: (object) => test(read(object)),
    };
  }
  const resolved = resolvePath(resource.version.schema(), path);
  if ('error' in resolved) throw refuse(path.text, resolved.error);
  const indexed: ValueCondition = {
    field: path.text,
    isDeclared: false,
    values: asksValue ? values : undefined,
    read(object) {
      const value = valueAt(object, path);
      if (value === undefined) return undefined;
      const text = scalarText(value);
      if (text === undefined) throw new Error('the path holds more than one value');
      return neutral === undefined ? text : neutral(text);
    },
  };
  const isPositive = operator === 'exists' || operator === '=' || operator === 'in';
  const forIndexes = isPositive ? { condition: indexed } : {};
  if (!asksValue) {
    return {
      ...forIndexes,
      matches: (object) => (valueAt(object, path) !== undefined) === (operator === 'exists'),
    };
  }
  if (resolved.kind === 'tree') throw refuse(path.text, 'the path holds more than one value');
  const mayMatch = neutral === undefined ? needleTest(condition) : undefined;
  const textOf = (value: JsonValue | undefined): string | undefined => {
    const text = scalarText(value);
    return neutral === undefined || text === undefined ? text : neutral(text);
  };
  return {
    ...forIndexes,
    single: { path, textOf, test },
    ...(mayMatch === undefined ? {} : { mayMatch }),
    matches: (object) => test(textOf(valueAt(object, path))),
  };
}

/** How a declared field is read of an object as the resource shows it; declarations are about what is stored. */
function declaredReader(
  field: string,
  { definition: { formOf }, version }: ServedResource,
): ((object: JsonObject) => string) | undefined {
  const read = version.selectableFields.get(field);
  if (read === undefined || formOf === undefined) return read;
  return (object) => read(formOf.toStored(apiObjectOf(object)));
}

function notSupported(field: string, resource: ServedResource): string {
  return `field label not supported: ${field} (supported: ${declaredFields(resource).join(', ')})`;
}

/** Built-in kinds compare versions by the neutral name: both names of a group mean the same objects. */
function neutralSelector(selector: FieldSelector, { definition }: ServedResource): FieldSelector {
  if (!definition.builtin || !selector.requirements.some(({ field }) => namesGroup(field))) {
    return selector;
  }
  return FieldSelector.of(
    selector.requirements.map((requirement) =>
      namesGroup(requirement.field)
        ? { ...requirement, value: neutralApiVersion(requirement.value) }
        : requirement,
    ),
  );
}

function namesGroup(field: string): boolean {
  return field.endsWith('.apiVersion');
}

/**
 * Every kind is selected by name. By namespace, too, where there is one, and by
 * courtesy of the common rules for built-in kinds that bring none of their own.
 * Source: the field label conversions of the core group and of custom resources.
 */
function isDeclared(field: string, { definition, version }: ServedResource): boolean {
  if (field !== 'metadata.namespace') {
    return field === 'metadata.name' || version.selectableFields.has(field);
  }
  const { builtin, namespaced } = definition;
  return namespaced || (builtin && version.selectableFields.size === 0);
}

function declaredFields(resource: ServedResource): string[] {
  const own = [...resource.version.selectableFields.keys()].sort();
  const common = ['metadata.name', 'metadata.namespace'].filter(
    (field) => !own.includes(field) && isDeclared(field, resource),
  );
  return [...common, ...own];
}
