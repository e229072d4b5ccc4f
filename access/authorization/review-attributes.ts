import { getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { neutralGroup } from '../../api/naming.ts';
import { escapeFieldValue, parseFieldSelector } from '../../api/selectors/fields.ts';
import { parseLabelSelector } from '../../api/selectors/label-parser.ts';
import { MAX_SELECTOR_TERMS, TOO_MANY_TERMS } from '../../api/selectors/limits.ts';
import type { UserInfo } from '../../api/user.ts';
import { NO_ATTRIBUTES, type AuthorizationAttributes } from './authorizer.ts';

/** What a review asks about, and what of it could not be understood and is left out. */
interface Asked {
  readonly attributes: AuthorizationAttributes;
  readonly errors: readonly string[];
}

/** `spec`: of an access review that is valid. */
export function askedBy(spec: JsonObject, user: UserInfo): Asked {
  const path = getOwn(spec, 'nonResourceAttributes');
  if (isObject(path)) {
    const attributes = { ...NO_ATTRIBUTES, user, verb: text(path.verb), path: text(path.path) };
    return { attributes, errors: [] };
  }
  const resource = getOwn(spec, 'resourceAttributes');
  const of = isObject(resource) ? resource : {};
  const fields = selectorText(of.fieldSelector, fieldRequirement, (selector) => {
    const parsed = parseFieldSelector(selector);
    return 'error' in parsed ? parsed.error : undefined;
  });
  const labels = selectorText(of.labelSelector, labelRequirement, (selector) => {
    const parsed = parseLabelSelector(selector);
    return 'error' in parsed ? parsed.error : undefined;
  });
  return {
    attributes: {
      ...NO_ATTRIBUTES,
      user,
      isResource: true,
      verb: text(of.verb),
      group: neutralGroup(text(of.group)),
      version: text(of.version),
      resource: text(of.resource),
      subresource: text(of.subresource),
      namespace: text(of.namespace),
      name: text(of.name),
      fieldSelector: fields.text,
      labelSelector: labels.text,
    },
    errors: [...fields.errors, ...labels.errors],
  };
}

/** The user that a SubjectAccessReview is about, exactly as it says. */
export function subjectOf(spec: JsonObject): UserInfo {
  const { extra } = spec;
  return {
    name: text(spec.user),
    uid: text(spec.uid),
    groups: texts(spec.groups),
    extra: isObject(extra)
      ? Object.fromEntries(Object.entries(extra).map(([key, value]) => [key, texts(value)]))
      : {},
  };
}

interface SelectorText {
  /** As a request carries it; empty: none, or none that can be understood. */
  readonly text: string;
  readonly errors: readonly string[];
}

/** One requirement as a string; undefined when it is not valid. */
type RequirementText = (
  key: string,
  operator: string,
  values: readonly string[],
) => string | undefined;

function selectorText(
  selector: JsonValue | undefined,
  requirementText: RequirementText,
  problemOf: (text: string) => string | undefined,
): SelectorText {
  if (!isObject(selector)) return { text: '', errors: [] };
  const raw = text(selector.rawSelector);
  const count = Array.isArray(selector.requirements) ? selector.requirements.length : 0;
  if (raw === '' && count > MAX_SELECTOR_TERMS) return { text: '', errors: [TOO_MANY_TERMS] };
  const pieces = raw === '' ? requirementsOf(selector.requirements) : [];
  const parts: string[] = raw === '' ? [] : [raw];
  const errors: string[] = [];
  for (const { key, operator, values } of pieces) {
    const part = requirementText(key, operator, values);
    if (part !== undefined) parts.push(part);
    else
      errors.push(
        `the requirement ${JSON.stringify(operator)} of ${JSON.stringify(key)} is not supported`,
      );
  }
  const joined = parts.join(',');
  const problem = joined === '' ? undefined : problemOf(joined);
  return problem === undefined
    ? { text: joined, errors }
    : { text: '', errors: [...errors, problem] };
}

function requirementsOf(
  value: JsonValue | undefined,
): { key: string; operator: string; values: string[] }[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map((requirement) => ({
    key: text(requirement.key),
    operator: text(requirement.operator),
    values: texts(requirement.values),
  }));
}

const fieldRequirement: RequirementText = (key, operator, [value, ...more]) => {
  if (value === undefined || more.length > 0) return undefined;
  if (operator === 'In') return `${key}=${escapeFieldValue(value)}`;
  return operator === 'NotIn' ? `${key}!=${escapeFieldValue(value)}` : undefined;
};

const labelRequirement: RequirementText = (key, operator, values) => {
  switch (operator) {
    case 'In':
      return `${key} in (${values.join(',')})`;
    case 'NotIn':
      return `${key} notin (${values.join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return undefined;
  }
};

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
