import type { ApiObject } from '../../api/object.ts';
import type {
  ParamRefValue,
  PolicyBinding,
} from '../../resources/admissionregistration/policy-binding-schema.ts';
import type { PolicySpec } from '../../resources/admissionregistration/policy-schema.ts';
import { MatchConditions } from '../expressions/match-conditions.ts';
import type { Ruled } from '../match/candidates.ts';
import { MatchResources } from '../match/match-resources.ts';
import type { MatchPolicy } from '../match/matched-version.ts';
import type { Rule } from '../match/rule.ts';
import type { ParamKindValue } from './params.ts';
import { PolicyExpressions } from './policy-expressions.ts';

/** What policies of both kinds have, ready to be evaluated. */
export interface Policy {
  readonly name: string;
  readonly uid: string;
  readonly match: MatchResources;
  readonly paramKind: ParamKindValue | undefined;
  readonly conditions: MatchConditions;
  /** failurePolicy Ignore: what goes wrong with it is passed over. */
  readonly ignoresFailure: boolean;
  readonly expressions: PolicyExpressions;
}

/** What puts a policy into force. */
export interface Binding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRefValue | undefined;
  /** Undefined: wherever the policy applies. */
  readonly match: MatchResources | undefined;
  /** Deny, Warn, Audit; empty for mutating policies. */
  readonly actions: readonly string[];
}

/** A policy with the bindings that put it into force. */
export class BoundPolicy<P extends Policy> implements Ruled {
  readonly policy: P;
  readonly bindings: readonly Binding[];

  constructor(policy: P, bindings: readonly Binding[]) {
    this.policy = policy;
    this.bindings = bindings;
  }

  get rules(): readonly Rule[] {
    return this.policy.match.rules;
  }
  get matchPolicy(): MatchPolicy {
    return this.policy.match.matchPolicy;
  }
}

/** Policies without bindings do nothing: they are left out. */
export function bound<P extends Policy>(
  policies: readonly P[],
  bindings: readonly Binding[],
): readonly BoundPolicy<P>[] {
  const byPolicy = new Map<string, Binding[]>();
  for (const binding of bindings) {
    const others = byPolicy.get(binding.policyName);
    if (others === undefined) byPolicy.set(binding.policyName, [binding]);
    else others.push(binding);
  }
  return policies.flatMap((policy) => {
    const own = byPolicy.get(policy.name);
    return own === undefined ? [] : [new BoundPolicy(policy, own)];
  });
}

/** The common part of a stored policy. */
export function compilePolicy({ metadata }: ApiObject, spec: PolicySpec): Policy {
  const params = spec.paramKind !== undefined;
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    match: new MatchResources(spec.matchConstraints ?? {}),
    paramKind: spec.paramKind,
    conditions: new MatchConditions(spec.matchConditions ?? [], params),
    ignoresFailure: spec.failurePolicy === 'Ignore',
    expressions: new PolicyExpressions(params, spec.variables ?? []),
  };
}

/** The binding that an object of either kind of bindings says. */
export function compileBinding({ metadata, spec }: PolicyBinding): Binding {
  return {
    name: metadata.name ?? '',
    policyName: spec.policyName ?? '',
    paramRef: spec.paramRef,
    match: spec.matchResources && new MatchResources(spec.matchResources),
    actions: spec.validationActions ?? [],
  };
}
