import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { isObject, type JsonValue } from '../../api/json.ts';
import { pathSegmentNameErrors } from '../../api/names.ts';
import { validateLabelSelector } from '../../api/selectors/label-spec.ts';
import { list, string, struct, use } from '../../schema/dsl.ts';
import { LabelSelector } from '../../schema/meta-types.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { MATCH_POLICIES, oneOf } from './fixed-words.ts';
import { defaultRules, ruleFields, validateRule } from './rules.ts';

const GROUP = 'io.cluster.admissionregistration.v1';

const NamedRule = struct(
  `${GROUP}.NamedRuleWithOperations`,
  {
    resourceNames: list(string(), {
      listType: 'atomic',
      description: 'Names of objects; when empty, all objects of the resources.',
    }),
    ...ruleFields,
  },
  {
    numbers: {
      resourceNames: 1,
      operations: [2, 1],
      apiGroups: [2, 2, 1],
      apiVersions: [2, 2, 2],
      resources: [2, 2, 3],
      scope: [2, 2, 4],
    },
  },
);

export const MatchResources = struct(
  `${GROUP}.MatchResources`,
  {
    namespaceSelector: use(LabelSelector, {
      pointer: true,
      description: 'The namespace of the object must have these labels. Empty matches all.',
    }),
    objectSelector: use(LabelSelector, {
      pointer: true,
      description: 'The object, new or old, must have these labels. Empty matches all.',
    }),
    resourceRules: list(NamedRule, {
      listType: 'atomic',
      description: 'Requests that are looked at: those that any of the rules matches.',
    }),
    excludeResourceRules: list(NamedRule, {
      listType: 'atomic',
      description: 'Requests that are skipped although they match.',
    }),
    matchPolicy: string({
      pointer: true,
      enum: MATCH_POLICIES,
      default: 'Equivalent',
      description:
        'Exact: only requests that are literally in the rules. Equivalent: also those through another group or version of a resource.',
    }),
  },
  {
    mapType: 'atomic',
    description: 'Which requests are meant.',
    numbers: {
      namespaceSelector: 1,
      objectSelector: 2,
      resourceRules: 3,
      excludeResourceRules: 4,
      matchPolicy: 7,
    },
  },
);

/** Which requests a policy or binding is about. */
export type MatchResourcesValue = ValueOf<typeof MatchResources>;
export type NamedRuleValue = ValueOf<typeof NamedRule>;

/** Fills in selectors, matchPolicy and the scopes of rules; in place. */
export function defaultMatchResources(match: JsonValue | undefined): void {
  if (!isObject(match)) return;
  match['namespaceSelector'] ??= {};
  match['objectSelector'] ??= {};
  match['matchPolicy'] ??= 'Equivalent';
  defaultRules(match['resourceRules']);
  defaultRules(match['excludeResourceRules']);
}

/** Source: behaviours 8.13; admissionregistration validation of kube, validateMatchResources. */
export function validateMatchResources(path: FieldPath, match: MatchResourcesValue): FieldError[] {
  const { resourceRules = [], excludeResourceRules = [] } = match;
  const at = (field: string): FieldPath => path.child(field);
  return [
    ...oneOf(at('matchPolicy'), match.matchPolicy, MATCH_POLICIES),
    ...validateLabelSelector(match.namespaceSelector, at('namespaceSelector')),
    ...validateLabelSelector(match.objectSelector, at('objectSelector')),
    ...validateNamedRules(at('resourceRules'), resourceRules),
    ...validateNamedRules(at('excludeResourceRules'), excludeResourceRules),
  ];
}

function validateNamedRules(path: FieldPath, rules: readonly NamedRuleValue[]): FieldError[] {
  return errorsOfEach(rules, (rule, i) => {
    const names = path.index(i).child('resourceNames');
    const seen = new Set<string>();
    const nameErrors = errorsOfEach(rule.resourceNames ?? [], (name, j) => {
      const errors = invalidEach(names.index(j), name, pathSegmentNameErrors(name));
      if (seen.has(name)) errors.push(fieldError.duplicate(names.index(j), name));
      seen.add(name);
      return errors;
    });
    return [...nameErrors, ...validateRule(path.index(i), rule)];
  });
}
