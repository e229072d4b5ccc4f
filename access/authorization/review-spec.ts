import type { JsonObject } from '../../api/json.ts';
import { parseFieldSelector } from '../../api/selectors/fields.ts';
import { parseLabelSelector } from '../../api/selectors/label-parser.ts';
import type { LabelOperator } from '../../api/selectors/requirement.ts';
import type { UserInfo } from '../../api/user.ts';
import type { AuthorizationAttributes } from './authorizer.ts';

/** The spec of a SubjectAccessReview that asks for these attributes; what is empty is left out. */
export function reviewSpec(attributes: AuthorizationAttributes): JsonObject {
  const { user, verb, path, isResource } = attributes;
  const what = isResource
    ? { resourceAttributes: resourceAttributes(attributes) }
    : { nonResourceAttributes: filled({ path, verb }) };
  return { ...what, ...subject(user) };
}

function resourceAttributes(attributes: AuthorizationAttributes): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...selectorOf('fieldSelector', fieldRequirements(fieldSelector)),
    ...selectorOf('labelSelector', labelRequirements(labelSelector)),
  };
}

/**
 * Requirements instead of the selector's text, which each webhook would have to
 * parse. What they cannot express is left out, which makes the selection wider.
 */
function selectorOf(name: string, requirements: readonly JsonObject[]): JsonObject {
  return requirements.length === 0 ? {} : { [name]: { requirements: [...requirements] } };
}

function fieldRequirements(text: string): JsonObject[] {
  const parsed = parseFieldSelector(text);
  if ('error' in parsed) return [];
  return parsed.selector.requirements.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }));
}

/** Kubernetes' words for operators; it has none for comparisons of numbers. */
const LABEL_OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function labelRequirements(text: string): JsonObject[] {
  const parsed = parseLabelSelector(text);
  if ('error' in parsed) return [];
  return parsed.selector.requirements.flatMap(({ key, operator, values }) => {
    const word = LABEL_OPERATORS[operator];
    if (word === undefined) return [];
    return [{ key, operator: word, ...(values.length === 0 ? {} : { values: [...values] }) }];
  });
}

function subject({ name, uid, groups, extra }: UserInfo): JsonObject {
  const entries = Object.entries(extra).map(([key, values]): [string, string[]] => [
    key,
    [...values],
  ]);
  return {
    ...filled({ user: name, uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(entries.length === 0 ? {} : { extra: Object.fromEntries(entries) }),
  };
}

function filled(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
