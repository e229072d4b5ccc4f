import { deepEqual, getOwn, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { isLabelSelectorSpec, labelSelectorOf } from '../../api/selectors/label-spec.ts';
import type { LabelSelector } from '../../api/selectors/labels.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import { ruleObject, rulesOf, type PolicyRule } from './rules.ts';

/** A ClusterRole, as far as putting others together from it needs it. */
export interface AggregatableRole {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** Undefined: its rules are its own. */
  readonly selectors: readonly LabelSelector[] | undefined;
}

/** What aggregation needs of a stored ClusterRole. Parts of the wrong type count as missing. */
export function aggregatableRole(
  name: string,
  labels: Readonly<Record<string, string>>,
  role: JsonObject,
): AggregatableRole {
  const aggregation = getOwn(role, 'aggregationRule');
  const specs = isObject(aggregation) ? aggregation.clusterRoleSelectors : undefined;
  return {
    name,
    labels,
    rules: rulesOf(role),
    selectors: isObject(aggregation)
      ? (Array.isArray(specs) ? specs : []).flatMap(selector)
      : undefined,
  };
}

/** None for what is malformed: it selects nothing. */
function selector(spec: JsonValue): LabelSelector[] {
  if (!isLabelSelectorSpec(spec)) return [];
  const parsed = labelSelectorOf(spec);
  return 'selector' in parsed ? [parsed.selector] : [];
}

/**
 * The rules that an aggregated role consists of: those of all roles that it
 * selects, and of what these select in turn, each once, in the order of names.
 * Roles that select each other hold together what the others bring, and nothing
 * of their own. Source: behaviours 10.5.
 */
export function* aggregationSteps(
  whole: AggregatableRole,
  all: readonly AggregatableRole[],
): Steps<PolicyRule[]> {
  const rules = new Map<string, PolicyRule>();
  const seen = new Set<AggregatableRole>([whole]);
  const collect = function* (role: AggregatableRole): Steps<void> {
    for (const selector of role.selectors ?? []) {
      for (const part of all) {
        if (isStepOver()) yield;
        if (seen.has(part) || !selector.matches(part.labels)) continue;
        seen.add(part);
        if (part.selectors !== undefined) yield* collect(part);
        else {
          for (const rule of part.rules) {
            if (isStepOver()) yield;
            rules.set(JSON.stringify(ruleObject(rule)), rule);
          }
        }
      }
    }
  };
  yield* collect(whole);
  return [...rules.values()];
}

/** Whether two lists have the same rules in the same order. */
export function* sameRulesSteps(
  a: readonly PolicyRule[],
  b: readonly PolicyRule[],
): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (const [i, rule] of a.entries()) {
    if (isStepOver()) yield;
    const other = b[i];
    if (other === undefined || !deepEqual(ruleObject(rule), ruleObject(other))) return false;
  }
  return true;
}
