import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import { isObject, type JsonValue } from '../../api/json.ts';
import { isPathSegmentName } from '../../api/names.ts';
import { validateLabelSelector, type LabelSelectorSpec } from '../../api/selectors/label-spec.ts';
import { defaultRules, validateRule, type RuleValue } from './rules.ts';
import { MATCH_POLICIES, oneOf } from './webhook.ts';

/** Which requests a policy or binding is about. */
export interface MatchResourcesValue {
  namespaceSelector?: LabelSelectorSpec;
  objectSelector?: LabelSelectorSpec;
  resourceRules?: NamedRuleValue[];
  excludeResourceRules?: NamedRuleValue[];
  matchPolicy?: string;
}
export interface NamedRuleValue extends RuleValue {
  resourceNames?: string[];
}

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
      const errors = invalidEach(names.index(j), name, isPathSegmentName(name));
      if (seen.has(name)) errors.push(fieldError.duplicate(names.index(j), name));
      seen.add(name);
      return errors;
    });
    return [...nameErrors, ...validateRule(path.index(i), rule)];
  });
}
