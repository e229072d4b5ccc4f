import { badRequest } from '../api/api-error.ts';
import { scalarText, type JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { escapeFieldValue, type FieldSelector } from '../api/selectors/fields.ts';
import { parseLabelSelector } from '../api/selectors/label-parser.ts';
import { LabelSelector } from '../api/selectors/labels.ts';
import { filterPredicate } from '../query/filter.ts';
import type { ObjectPredicate, ValueCondition } from '../query/object-predicate.ts';
import { UNKNOWN } from '../query/read-bytes.ts';
import type { Entry } from '../watch/entry.ts';
import type { IndexSource } from '../watch/index/term.ts';
import type { Rights } from '../watch/rights.ts';
import { fieldSelectionOf } from './field-selection.ts';
import {
  ASKS_BEFORE_DECLARED,
  ASKS_BEFORE_PATH,
  indexId,
  indexTerms,
  labelConditions,
  type Condition,
} from './index-terms.ts';
import { nameRange, namespaceRange } from './key-ranges.ts';
import type { Selection } from './object-selection.ts';
import { selectedField } from './selected-fields.ts';
import type { ServedResource, Target } from './served-resource.ts';
import { shownObject } from './shown-object.ts';
import { singleValue, storedValue } from './shown-value.ts';
import { withPredicates } from './with-predicates.ts';
import { storedForm } from './stored-form.ts';
import { selectsAll, type Selectors } from './selectors.ts';
import { SharedSelectors } from './shared-selectors.ts';
import type { Views } from './views.ts';
import { withinRights } from './within-rights.ts';

/** The selectors of a request, and what else decides what it selects. */
interface SelectingRequest extends Selectors {
  /** The request lasts. */
  readonly watch?: boolean;
  readonly rights?: Rights | undefined;
}

/**
 * The selectors of a request for the one object that its target names, if it does.
 *
 * @throws ApiError 400 when they select anything else (behaviours 4.13)
 */
export function ofTarget(
  views: Views,
  { resource, name }: Target,
  selectors: SelectingRequest,
): SelectingRequest {
  if (name === '') return selectors;
  const { fieldSelector } = selectors;
  if (fieldSelector === '') {
    return { ...selectors, fieldSelector: `metadata.name=${escapeFieldValue(name)}` };
  }
  const { declared } = fieldSelectionOf(fieldSelector, resource, views.selectable);
  const selected = declared.requiresExactMatch('metadata.name');
  if (selected === name) return selectors;
  throw badRequest("fieldSelector metadata.name doesn't match requested name");
}

/**
 * The objects that namespace and selectors leave.
 *
 * @throws ApiError 400 for selectors that cannot be read or name unknown fields
 */
export function selectionOf(views: Views, target: Target, selectors: SelectingRequest): Selection {
  const { rights } = selectors;
  const selected = selectsAll(selectors)
    ? allOf(views, target)
    : selectedBy(views, target, selectors);
  return rights === undefined ? selected : withinRights(selected, rights);
}

const matchesAll = (): boolean => true;

/** What {@link selectedBy} makes of no selectors, which is most lists and watches. */
function allOf(views: Views, { resource, namespace }: Target): Selection {
  const isConverted = resource.definition.custom?.conversionWebhook !== undefined;
  return {
    range: namespaceRange(namespace),
    everything: true,
    isOne: false,
    isCostly: false,
    mayRefuse: false,
    matches: matchesAll,
    prepare: isConverted ? (entries) => views.prepare(resource, entries) : undefined,
  };
}

function selectedBy(views: Views, target: Target, selectors: SelectingRequest): Selection {
  const { resource } = target;
  const labels = labelSelectorOf(selectors.labelSelector);
  const selection = fieldSelectionOf(selectors.fieldSelector, resource, views.selectable);
  const fields = selection.declared;
  const { filter, watch = false } = selectors;
  const predicates =
    filter === ''
      ? selection.predicates
      : [...selection.predicates, filterPredicate(filter, resource.version.schema(), watch)];
  const exact = exactName(fields, target);
  const rest = exact === undefined ? fields : fields.withoutExact('metadata.name');
  const range = exact === undefined ? namespaceRange(target.namespace) : nameRange(exact);
  const matching = (asked: FieldSelector, also: readonly ObjectPredicate[]): Matches =>
    withPredicates(
      matcher(labels, asked, resource, (entry) => views.shown(resource, entry)),
      also,
      { views, resource },
    );
  const matches = matching(rest, predicates);
  const hasTerms =
    exact === undefined && resource.definition.custom?.conversionWebhook === undefined;
  return {
    range,
    everything: labels.isEverything() && fields.isEverything() && predicates.length === 0,
    isByLabels: fields.isEverything() && predicates.length === 0,
    isOne: exact !== undefined,
    isCostly: predicates.length > 0,
    mayRefuse: filter !== '',
    matches,
    ...(hasTerms
      ? {
          terms: indexTerms(
            [
              ...labelConditions(labels, matches),
              ...declaredConditions(views, resource, rest, (others) =>
                matching(others, predicates),
              ),
              ...predicateConditions(views, resource, predicates, (others) =>
                matching(rest, others),
              ),
            ],
            matches,
          ),
        }
      : {}),
    ...(resource.definition.custom?.conversionWebhook === undefined
      ? {}
      : { prepare: (entries) => views.prepare(resource, entries) }),
  };
}

type Matches = (entry: Entry) => boolean;

/** Declared fields that must have a value; `matching`: makes the test of the others. */
function declaredConditions(
  views: Views,
  resource: ServedResource,
  fields: FieldSelector,
  matching: (others: FieldSelector) => Matches,
): Condition[] {
  return fields.requirements.flatMap(({ field, operator, value }) => {
    if (operator !== '=' || fields.requiresExactMatch(field) !== value) return [];
    const others = (): FieldSelector => fields.withoutExact(field);
    const source = declaredSource(views, resource, field);
    return [{ source, values: [value], others: () => matching(others()) }];
  });
}

function declaredSource(views: Views, resource: ServedResource, field: string): IndexSource {
  const readStored = storedField(resource, field);
  return {
    id: indexId(views, resource, `field ${field}`),
    read(entry) {
      const value = readStored === undefined ? UNKNOWN : readStored(entry);
      const own = resource.version.selectableFields.get(field);
      const text =
        value !== UNKNOWN
          ? scalarText(value)
          : own === undefined
            ? fieldValue(field, entry, () => entry.object(), resource)
            : own(selectedObject(entry, resource));
      return text === '' ? undefined : text;
    },
    isCostly: resource.version.selectableFields.has(field),
    asksBefore: ASKS_BEFORE_DECLARED,
  };
}

/** Values of other fields that objects must have. */
function predicateConditions(
  views: Views,
  resource: ServedResource,
  predicates: readonly ObjectPredicate[],
  matching: (others: readonly ObjectPredicate[]) => Matches,
): Condition[] {
  return predicates.flatMap((predicate) => {
    const { condition, single } = predicate;
    if (condition === undefined) return [];
    const { values, isDeclared, field } = condition;
    const readSingle = single && singleValue(views, resource, single.path);
    const source: IndexSource = {
      id: indexId(views, resource, `path ${field}`),
      read(entry) {
        const value = readSingle?.(entry);
        // what may be a list or an object is looked at
        if (value !== undefined && value !== UNKNOWN) return single?.textOf(value);
        return valueOf(condition, shownObject(views, resource, entry));
      },
      isCostly: true,
      asksBefore: isDeclared ? ASKS_BEFORE_DECLARED : ASKS_BEFORE_PATH,
    };
    const others = (): Matches => matching(predicates.filter((other) => other !== predicate));
    return [{ source, values, others }];
  });
}

/** Of a declared field an absent value is the empty text. */
function valueOf({ isDeclared, read }: ValueCondition, object: JsonObject): string | undefined {
  const text = read(object);
  return isDeclared && text === '' ? undefined : text;
}

/** The one key that the selector leaves, when name and namespace say so. */
function exactName(fields: FieldSelector, { resource, namespace }: Target): string | undefined {
  const name = fields.requiresExactMatch('metadata.name');
  if (name === undefined || name === '' || name.includes('/')) return undefined;
  if (!resource.definition.namespaced) return name;
  const selected = namespace === '' ? fields.requiresExactMatch('metadata.namespace') : namespace;
  if (selected === undefined || selected === '' || selected.includes('/')) return undefined;
  return `${selected}/${name}`;
}

function matcher(
  labels: LabelSelector,
  fields: FieldSelector,
  resource: ServedResource,
  shown: (entry: Entry) => Entry,
): (entry: Entry) => boolean {
  const byLabels = labels.isEverything();
  if (fields.isEverything()) {
    return byLabels ? () => true : (entry) => labels.matches(shown(entry).labels);
  }
  const own = new Map(
    fields.requirements.map(({ field }) => [field, storedField(resource, field)]),
  );
  return (stored) => {
    const entry = shown(stored);
    if (!byLabels && !labels.matches(entry.labels)) return false;
    // The object is parsed only for the kind's own fields, and once for all of them.
    let object: ApiObject | undefined;
    const parsed = (): ApiObject => (object ??= selectedObject(entry, resource));
    return fields.matches((field) => {
      const read = own.get(field);
      const value = read === undefined ? UNKNOWN : read(entry);
      return value === UNKNOWN
        ? fieldValue(field, entry, parsed, resource)
        : (scalarText(value) ?? '');
    });
  };
}

/** How a field that custom resources declare is read of stored bytes, where these tell it. */
function storedField(resource: ServedResource, field: string): ReturnType<typeof storedValue> {
  if (!resource.version.selectableFields.has(field)) return undefined;
  const steps = field.split('.').map((key) => ({ kind: 'key', key }) as const);
  return storedValue(resource, { text: field, steps });
}

/** The object with the defaults of the version that it is stored in, which may be selected by. */
function selectedObject(entry: Entry, { definition }: ServedResource): ApiObject {
  return definition.builtin ? entry.object() : storedForm(definition, entry.object()).object;
}

function fieldValue(
  field: string,
  entry: Entry,
  parsed: () => ApiObject,
  { version }: ServedResource,
): string {
  switch (field) {
    case 'metadata.name':
      return entry.name;
    case 'metadata.namespace':
      return entry.namespace;
    default: {
      const read = version.selectableFields.get(field);
      return read === undefined ? '' : selectedField(entry, read, parsed);
    }
  }
}

/** Watches and lists with equal selectors share one. */
const labelSelectors = new SharedSelectors(parseLabelSelector);

/** @throws ApiError 400 */
export function labelSelectorOf(text: string): LabelSelector {
  if (text === '') return LabelSelector.everything;
  const parsed = labelSelectors.get(text);
  if ('error' in parsed) throw badRequest(parsed.error);
  return parsed.selector;
}
