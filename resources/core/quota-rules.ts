import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../../api/field-error-list.ts';
import type { FieldPath } from '../../api/field-path.ts';
import type { JsonValue } from '../../api/json.ts';
import { qualifiedNameErrors } from '../../api/names.ts';
import { validateAmount, type ResourceList } from '../resource-quantities.ts';
import type { QuotaSpec, ScopeRequirement } from './quota.ts';

/* Source of the rules: kube, ValidateResourceQuotaSpec. */

/** Every create in the namespace looks at the keys. */
const MAX_KEYS = 250;

const COMPUTE: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'].flatMap((name) => [
  name,
  `requests.${name}`,
  `limits.${name}`,
]);
const QUOTA_RESOURCES: ReadonlySet<string> = new Set([
  ...COMPUTE,
  'requests.storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);
const HUGE_PAGES = ['hugepages-', 'requests.hugepages-'];

const OF_PODS: ReadonlySet<string> = new Set(['pods']);
const OF_COMPUTE: ReadonlySet<string> = new Set(['pods', ...COMPUTE]);
const OF_CLAIMS: ReadonlySet<string> = new Set(['persistentvolumeclaims', 'requests.storage']);
/** The scopes there are, and the standard resources that each may stand with. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['Terminating', OF_COMPUTE],
  ['NotTerminating', OF_COMPUTE],
  ['BestEffort', OF_PODS],
  ['NotBestEffort', OF_COMPUTE],
  ['PriorityClass', OF_COMPUTE],
  ['CrossNamespacePodAffinity', OF_COMPUTE],
  ['VolumeAttributesClass', OF_CLAIMS],
]);
/** Scopes that have values; of the others an object has one or has it not. */
const WITH_VALUES: ReadonlySet<string> = new Set(['PriorityClass', 'VolumeAttributesClass']);
const CONFLICTING: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

function isQuotaResource(name: string): boolean {
  return QUOTA_RESOURCES.has(name) || HUGE_PAGES.some((prefix) => name.startsWith(prefix));
}

/** Keys and amounts of `spec.hard`, `status.hard` and `status.used`. */
export function validateQuotaAmounts(path: FieldPath, amounts: ResourceList = {}): FieldError[] {
  const names = Object.keys(amounts);
  if (names.length > MAX_KEYS) return [fieldError.tooMany(path, names.length, MAX_KEYS)];
  return errorsOfEach(Object.entries(amounts), ([name, amount]) => [
    ...validateKey(path.key(name), name),
    ...validateAmount(path.key(name), name, amount),
  ]);
}

function validateKey(path: FieldPath, name: string): FieldError[] {
  const errors = invalidEach(path, name, qualifiedNameErrors(name));
  if (name.includes('/') || isQuotaResource(name)) return errors;
  const isOther = errors.length > 0 || name === 'storage';
  if (!isOther) {
    const why = 'must be a standard resource type or fully qualified';
    errors.push(fieldError.invalid(path, name, why));
  }
  return [...errors, fieldError.invalid(path, name, 'must be a standard resource for quota')];
}

/**
 * Errors of `scopes`: unknown ones, those that contradict each other, those that the
 * resources of `hard` do not have.
 */
export function validateScopes(
  path: FieldPath,
  { scopes = [], hard = {} }: QuotaSpec,
): FieldError[] {
  return validateScopeNames(path, scopes, hard, [...scopes], (scope) =>
    fieldError.invalid(path, [...scopes], `unsupported scope ${JSON.stringify(scope)}`),
  );
}

/** Errors of `scopeSelector`, by the same rules as `scopes`, and of its operators. */
export function validateScopeSelector(
  selectorPath: FieldPath,
  { scopeSelector, hard = {} }: QuotaSpec,
): FieldError[] {
  if (scopeSelector === undefined) return [];
  const { matchExpressions = [] } = scopeSelector;
  const path = selectorPath.child('matchExpressions');
  const names = matchExpressions.map(({ scopeName }) => scopeName);
  return [
    ...validateScopeNames(path, names, hard, names, (scope) =>
      fieldError.invalid(path.child('scopeName'), scope, 'unsupported scope'),
    ),
    ...errorsOfEach(matchExpressions, (requirement) => validateRequirement(path, requirement)),
  ];
}

function validateScopeNames(
  path: FieldPath,
  scopes: readonly string[],
  hard: ResourceList,
  shown: JsonValue,
  unknown: (scope: string) => FieldError,
): FieldError[] {
  const resources = Object.keys(hard).filter(isQuotaResource);
  const errors = errorsOfEach(scopes, (scope) => {
    const fitting = SCOPES.get(scope);
    if (fitting === undefined) return [unknown(scope)];
    return resources.every((name) => fitting.has(name))
      ? []
      : [fieldError.invalid(path, shown, 'unsupported scope applied to resource')];
  });
  for (const pair of CONFLICTING) {
    if (pair.every((scope) => scopes.includes(scope))) {
      errors.push(fieldError.invalid(path, shown, 'conflicting scopes'));
    }
  }
  return errors;
}

function validateRequirement(
  path: FieldPath,
  { scopeName, operator, values = [] }: ScopeRequirement,
): FieldError[] {
  const errors: FieldError[] = [];
  if (SCOPES.has(scopeName) && !WITH_VALUES.has(scopeName) && operator !== 'Exists') {
    const why = `must be 'Exists' for scope ${scopeName}`;
    errors.push(fieldError.invalid(path.child('operator'), operator, why));
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        const why = "must have a value when `operator` is 'In' or 'NotIn'";
        errors.push(fieldError.required(path.child('values'), why));
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const why = "must be empty when `operator` is 'Exists' or 'DoesNotExist'";
        errors.push(fieldError.invalid(path.child('values'), [...values], why));
      }
      break;
    default: {
      const why = 'not a valid selector operator';
      errors.push(fieldError.invalid(path.child('operator'), operator, why));
    }
  }
  return errors;
}
