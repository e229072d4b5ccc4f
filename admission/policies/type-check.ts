import type { Steps } from '../../api/steps.ts';
import type { Environment } from '../../cel/environment.ts';
import { DYN } from '../../cel/value/type.ts';
import { admissionEnvironment, variableType } from '../../resources/admission-environment.ts';
import type {
  ExpressionWarning,
  ValidatingPolicySpec,
} from '../../resources/admissionregistration/policy-schema.ts';
import type { CelType } from '../../cel/value/cel-type.ts';

/** Types that a policy is checked against; further ones are passed over. */
const MAX_TYPES = 10;
/** Warnings that a status holds. */
const MAX_WARNINGS = 100;

/** A kind that a policy is about. */
export interface CheckedType {
  /** `group/version, Kind=kind`. */
  readonly name: string;
  readonly object: CelType;
}

/** Finds what the rules of a policy name, and what its parameters are; undefined: it is not served. */
export interface TypeSource {
  ofResource(group: string, version: string, resource: string): CheckedType | undefined;
  ofKind(apiVersion: string, kind: string): CelType | undefined;
}

/**
 * What does not fit the types that a policy meets: fields that are not there,
 * comparisons of what cannot be compared. Only resources that rules name in full
 * are looked at; an expression is a step. Warnings, no errors: definitions may change. Source: behaviours
 * 8.13; k8s.io/apiserver pkg/admission/plugin/policy/validating/typechecking.go.
 */
export function* typeWarningSteps(
  spec: ValidatingPolicySpec,
  source: TypeSource,
): Steps<ExpressionWarning[]> {
  const params = paramsType(spec, source);
  const checks: TypeCheck[] = [];
  for (const type of typesOf(spec, source)) {
    const check = new TypeCheck(type, params);
    yield* check.variableSteps(spec);
    checks.push(check);
  }
  const warnings: ExpressionWarning[] = [];
  for (const { fieldRef, expression, authorizer } of expressionsOf(spec)) {
    const found: string[] = [];
    for (const check of checks) {
      yield;
      found.push(...check.problem(expression, authorizer));
    }
    if (found.length === 0) continue;
    warnings.push({ fieldRef, warning: found.join('\n') });
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}

function typesOf(spec: ValidatingPolicySpec, source: TypeSource): CheckedType[] {
  const types = new Map<string, CheckedType>();
  for (const rule of spec.matchConstraints?.resourceRules ?? []) {
    for (const group of rule.apiGroups ?? []) {
      for (const version of rule.apiVersions ?? []) {
        for (const resource of rule.resources ?? []) {
          if (types.size === MAX_TYPES) return [...types.values()];
          // wildcards and subresources name no type
          const type = source.ofResource(group, version, resource);
          if (type !== undefined) types.set(type.name, type);
        }
      }
    }
  }
  return [...types.values()];
}

/** Undefined: the policy has no parameters. */
function paramsType({ paramKind }: ValidatingPolicySpec, source: TypeSource): CelType | undefined {
  if (paramKind === undefined) return undefined;
  return source.ofKind(paramKind.apiVersion ?? '', paramKind.kind ?? '') ?? DYN;
}

interface Checked {
  readonly fieldRef: string;
  readonly expression: string;
  readonly authorizer: boolean;
}

function expressionsOf(spec: ValidatingPolicySpec): Checked[] {
  const { validations = [], auditAnnotations = [] } = spec;
  return [
    ...validations.flatMap(({ expression, messageExpression = '' }, i): Checked[] => {
      const at = `spec.validations[${i}]`;
      const message = { fieldRef: `${at}.messageExpression`, expression: messageExpression };
      return [
        { fieldRef: `${at}.expression`, expression, authorizer: true },
        ...(messageExpression === '' ? [] : [{ ...message, authorizer: false }]),
      ];
    }),
    ...auditAnnotations.map(({ valueExpression }, i): Checked => {
      const fieldRef = `spec.auditAnnotations[${i}].valueExpression`;
      return { fieldRef, expression: valueExpression, authorizer: true };
    }),
  ];
}

/** The expressions of a policy for one of its types. */
class TypeCheck {
  readonly #type: CheckedType;
  readonly #params: CelType | undefined;
  readonly #variables = new Map<string, CelType>();

  constructor(type: CheckedType, params: CelType | undefined) {
    this.#type = type;
    this.#params = params;
  }

  /** Finds the types of the policy's variables; each may use those before it. */
  *variableSteps(spec: ValidatingPolicySpec): Steps<void> {
    for (const { name, expression } of spec.variables ?? []) {
      const compiled = this.#environment(true).compile(expression.trim());
      this.#variables.set(name, compiled.ok ? variableType(compiled.type) : DYN);
      yield;
    }
  }

  problem(expression: string, authorizer: boolean): string[] {
    const compiled = this.#environment(authorizer).compile(expression.trim());
    return compiled.ok ? [] : [`${this.#type.name}: ${compiled.message}`];
  }

  #environment(authorizer: boolean): Environment {
    const { object } = this.#type;
    const variables = this.#variables.size === 0 ? undefined : new Map(this.#variables);
    const params = this.#params;
    return admissionEnvironment({
      params: params !== undefined,
      authorizer,
      mutation: false,
      variables,
    }).extend({
      variables: { object, oldObject: object, ...(params === undefined ? {} : { params }) },
    });
  }
}
