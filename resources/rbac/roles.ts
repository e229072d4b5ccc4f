import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { nameIsPathSegment } from '../../api/name-rules.ts';
import type { ValueOf } from '../../schema/shape.ts';
import { validateLabelSelector, type LabelSelectorSpec } from '../../api/selectors/label-spec.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { createdAtColumn, nameColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateMetadataFinalizers } from '../metadata-rules.ts';
import { clusterRoleSchema, roleSchema } from './role-schema.ts';

export const RBAC_GROUP = 'rbac.authorization.cluster.io';

type Role = ValueOf<typeof roleSchema>;
type ClusterRole = ValueOf<typeof clusterRoleSchema>;
type PolicyRule = NonNullable<Role['rules']>[number];

/**
 * No rules are null, however they were written: that is how they are stored. Not
 * before they are tracked: a manager that writes an empty list owns it.
 */
function storeNoRulesAsNull(role: Role): void {
  if (role.rules?.length === 0) role.rules = null;
}

function validateRules(rules: readonly PolicyRule[], isNamespaced: boolean): FieldError[] {
  const path = FieldPath.of('rules');
  return errorsOfEach(rules, (rule, i) => validateRule(path.index(i), rule, isNamespaced));
}

/** Source: behaviours 10.5; rbac validation of kube. */
function validateRule(path: FieldPath, rule: PolicyRule, isNamespaced: boolean): FieldError[] {
  const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors: FieldError[] = [];
  if ((rule.verbs ?? []).length === 0) {
    errors.push(fieldError.required(path.child('verbs'), 'verbs must contain at least one value'));
  }
  if (nonResourceURLs.length > 0) {
    const at = path.child('nonResourceURLs');
    if (isNamespaced) {
      const why = 'namespaced rules cannot apply to non-resource URLs';
      errors.push(fieldError.invalid(at, nonResourceURLs, why));
    }
    if (apiGroups.length + resources.length + resourceNames.length > 0) {
      const why = 'rules cannot apply to both regular resources and non-resource URLs';
      errors.push(fieldError.invalid(at, nonResourceURLs, why));
    }
    return errors;
  }
  if (apiGroups.length === 0) {
    const why = 'resource rules must supply at least one api group';
    errors.push(fieldError.required(path.child('apiGroups'), why));
  }
  if (resources.length === 0) {
    const why = 'resource rules must supply at least one resource';
    errors.push(fieldError.required(path.child('resources'), why));
  }
  return errors;
}

function validateRole(object: Role): FieldError[] {
  const finalizers = validateMetadataFinalizers(object.metadata);
  return [...finalizers, ...validateRules(object.rules ?? [], true)];
}

function validateClusterRole(object: ClusterRole): FieldError[] {
  const { rules, aggregationRule } = object;
  return [
    ...validateMetadataFinalizers(object.metadata),
    ...validateRules(rules ?? [], false),
    ...(aggregationRule === undefined
      ? []
      : validateSelectors(aggregationRule.clusterRoleSelectors ?? [])),
  ];
}

function validateSelectors(selectors: readonly LabelSelectorSpec[]): FieldError[] {
  const path = FieldPath.of('aggregationRule', 'clusterRoleSelectors');
  if (selectors.length === 0) {
    const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
    return [fieldError.required(path, why)];
  }
  return errorsOfEach(selectors, (selector, i) => {
    const errors = validateLabelSelector(selector, path.index(i));
    // that the selector cannot be used as a whole is told in addition
    if (errors.length === 0) return [];
    return [...errors, fieldError.invalid(path.index(i), selector, 'invalid label selector')];
  });
}

export const roleDefinition: ResourceDefinition = builtinDefinition({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
  schema: roleSchema,
  strategy: {
    validateName: nameIsPathSegment,
    createOnUpdate: true,
    unconditionalUpdate: true,
    prepareForCreate: storeNoRulesAsNull,
    prepareForUpdate: storeNoRulesAsNull,
    validate: validateRole,
    validateUpdate: validateRole,
  },
  columns: [nameColumn, createdAtColumn],
});

export const clusterRoleDefinition: ResourceDefinition = builtinDefinition({
  group: RBAC_GROUP,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
  schema: clusterRoleSchema,
  strategy: {
    validateName: nameIsPathSegment,
    createOnUpdate: true,
    unconditionalUpdate: true,
    prepareForCreate: storeNoRulesAsNull,
    prepareForUpdate: storeNoRulesAsNull,
    validate: validateClusterRole,
    validateUpdate: validateClusterRole,
  },
  columns: [nameColumn, createdAtColumn],
});
