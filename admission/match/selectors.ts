import { internalError, notFound } from '../../api/api-error.ts';
import { getPath, isObject, type JsonObject } from '../../api/json.ts';
import { labelSelectorOf, type LabelSelectorSpec } from '../../api/selectors/label-spec.ts';
import type { LabelSelector, ParsedSelector } from '../../api/selectors/labels.ts';
import { isNamespace, type AdmissionAttributes } from '../attributes.ts';
import type { NamespaceReader } from '../namespaces.ts';
import type { Labels } from '../../api/selectors/requirement.ts';

const EVERYTHING: LabelSelectorSpec = {};
const NO_LABELS: Labels = Object.freeze({});

/** The objects of a request as they are by now, in whatever version. */
export type LabelledObjects = Pick<AdmissionAttributes, 'object' | 'oldObject'>;

/**
 * The selectors of a webhook, policy or binding. Source: specification 3,
 * section 2.3, namespaceSelector and objectSelector; behaviours 8.7.
 */
export class Selectors {
  readonly #namespace: ParsedSelector<LabelSelector>;
  readonly #object: ParsedSelector<LabelSelector>;

  constructor({
    namespaceSelector = EVERYTHING,
    objectSelector = EVERYTHING,
  }: {
    namespaceSelector?: LabelSelectorSpec;
    objectSelector?: LabelSelectorSpec;
  }) {
    this.#namespace = labelSelectorOf(namespaceSelector);
    this.#object = labelSelectorOf(objectSelector);
  }

  /**
   * @throws ApiError 404 (also as rejection) when the namespace does not exist,
   *   500 for a selector that is older than the rules for selectors
   */
  matches(
    attributes: AdmissionAttributes,
    objects: LabelledObjects,
    namespaces: NamespaceReader,
  ): boolean | Promise<boolean> {
    const object = usable(this.#object);
    if (!object.isEverything() && !matchesObject(object, objects)) return false;
    return matchesNamespace(usable(this.#namespace), attributes, objects, namespaces);
  }
}

function usable(parsed: ParsedSelector<LabelSelector>): LabelSelector {
  if ('error' in parsed) throw internalError(parsed.error);
  return parsed.selector;
}

/** Old or new, one of them is enough; what cannot have labels does not match. */
function matchesObject(selector: LabelSelector, { object, oldObject }: LabelledObjects): boolean {
  const matches = (one: JsonObject | undefined): boolean =>
    one !== undefined && selector.matches(labelsOf(one));
  return matches(object) || matches(oldObject);
}

function matchesNamespace(
  selector: LabelSelector,
  attributes: AdmissionAttributes,
  { object }: LabelledObjects,
  namespaces: NamespaceReader,
): boolean | Promise<boolean> {
  const { namespace, subresource, operation } = attributes;
  const isItself = isNamespace(attributes);
  // objects of cluster scope are never passed by
  if (selector.isEverything() || (namespace === '' && !isItself)) return true;
  if (isItself && subresource === '' && operation !== 'DELETE' && object !== undefined) {
    return selector.matches(labelsOf(object));
  }
  const state = namespaces.cached(namespace);
  if (state !== undefined) return selector.matches(state.labels);
  return namespaces.live(namespace).then((found) => {
    if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return selector.matches(found.labels);
  });
}

function labelsOf(object: JsonObject): Labels {
  const labels = getPath(object, 'metadata', 'labels');
  return isObject(labels) ? (labels as Labels) : NO_LABELS;
}
