import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { parseApiVersion } from '../../api/group-version.ts';
import { deepEqual, type JsonValue } from '../../api/json.ts';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../api/names.ts';
import {
  expressionError,
  type AdmissionScope,
  type AdmissionUse,
  type ExpressionChecker,
} from '../expressions.ts';
import { FAILURE_POLICIES, oneOf } from './fixed-words.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { validateMatchResources } from './match-resources.ts';
import type { PolicySpec } from './policy-schema.ts';

const SPEC = FieldPath.of('spec');
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Names that mean something else in CEL, or might. */
const RESERVED: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/**
 * Everything but what the policy does. Variables are defined in `scope`, so
 * that the rest of the policy can be checked with it.
 */
export function validatePolicy(
  spec: PolicySpec,
  old: PolicySpec | undefined,
  checker: ExpressionChecker,
  scope: AdmissionScope,
): FieldError[] {
  const { paramKind, matchConstraints, matchConditions = [], variables = [] } = spec;
  const rules = SPEC.child('matchConstraints').child('resourceRules');
  const errors = oneOf(SPEC.child('failurePolicy'), spec.failurePolicy, FAILURE_POLICIES);
  if (paramKind !== undefined) errors.push(...validateParamKind(paramKind));
  if (matchConstraints === undefined) {
    errors.push(fieldError.required(SPEC.child('matchConstraints')));
  } else {
    errors.push(...validateMatchResources(SPEC.child('matchConstraints'), matchConstraints));
    if ((matchConstraints.resourceRules ?? []).length === 0)
      errors.push(fieldError.required(rules));
  }
  if (!hasSameMatchConditions(spec, old)) {
    // match conditions are evaluated before the variables exist
    const conditions = checker.admissionScope({
      params: paramKind !== undefined,
      variables: false,
    });
    const path = SPEC.child('matchConditions');
    errors.push(...validateMatchConditions(path, matchConditions, conditions));
  }
  return [...errors, ...validateVariables(variables, scope)];
}

/** Conditions that were stored before are let pass as long as they mean the same. */
function hasSameMatchConditions(spec: PolicySpec, old: PolicySpec | undefined): boolean {
  if (old === undefined) return false;
  const parts = (s: PolicySpec): JsonValue => [s.paramKind ?? null, s.matchConditions ?? []];
  return deepEqual(parts(spec), parts(old));
}

function validateParamKind({
  apiVersion = '',
  kind = '',
}: NonNullable<PolicySpec['paramKind']>): FieldError[] {
  const path = SPEC.child('paramKind');
  const errors = validateApiVersion(path.child('apiVersion'), apiVersion);
  if (kind === '') return [...errors, fieldError.required(path.child('kind'))];
  const why = dns1035LabelErrors(kind.toLowerCase()).map(
    (text) => `may have mixed case, but should otherwise match: ${text}`,
  );
  return [...errors, ...invalidEach(path.child('kind'), kind, why)];
}

function validateApiVersion(path: FieldPath, apiVersion: string): FieldError[] {
  if (apiVersion === '') return [fieldError.required(path)];
  const parsed = parseApiVersion(apiVersion);
  if (parsed === undefined) {
    const why = apiVersion.endsWith('/')
      ? 'version must be specified'
      : `unexpected GroupVersion string: ${apiVersion}`;
    return [fieldError.invalid(path, apiVersion, why)];
  }
  const { group, version } = parsed;
  return [
    ...(group === '' ? [] : invalidEach(path, group, dns1123SubdomainErrors(group))),
    ...invalidEach(path, version, dns1035LabelErrors(version)),
  ];
}

function validateVariables(
  variables: NonNullable<PolicySpec['variables']>,
  scope: AdmissionScope,
): FieldError[] {
  return errorsOfEach(variables, ({ name, expression }, i) => {
    const path = SPEC.child('variables').index(i);
    const errors: FieldError[] = [];
    const isNamed = IDENTIFIER.test(name) && !RESERVED.has(name);
    if (name.trim() === '') {
      errors.push(fieldError.required(path.child('name'), 'name is not specified'));
    } else if (!isNamed) {
      errors.push(fieldError.invalid(path.child('name'), name, 'must be a valid CEL identifier'));
    }
    const at = path.child('expression');
    if (expression.trim() === '') {
      return [...errors, fieldError.required(at, 'expression is not specified')];
    }
    const problem = isNamed ? scope.defineVariable(name, expression) : undefined;
    return problem === undefined ? errors : [...errors, expressionError(at, expression, problem)];
  });
}

/** One expression of a policy: it is there, and it can be used. */
export function validateExpression(
  path: FieldPath,
  use: AdmissionUse,
  expression: string,
  scope: AdmissionScope,
  missing = 'expression is not specified',
): FieldError[] {
  if (expression.trim() === '') return [fieldError.required(path, missing)];
  const problem = scope.check(use, expression);
  return problem === undefined ? [] : [expressionError(path, expression, problem)];
}
