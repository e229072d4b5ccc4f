import { FieldPath } from '../../api/field-path.ts';
import type { FieldError } from '../../api/field-error.ts';
import {
  deepEqual,
  getPath,
  hasOwn,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../api/json.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import type { ApiObject } from '../../api/object.ts';
import { builtinDefinition } from '../builtin-definition.ts';
import { ageColumn, nameColumn, textAt, textColumn } from '../columns.ts';
import type { ResourceDefinition } from '../definition.ts';
import { validateImmutable } from '../immutable.ts';
import { keepField } from '../metadata-rules.ts';
import { roundAmounts, type ResourceList } from '../resource-quantities.ts';
import type { ResourceQuota } from './quota.ts';
import { validateQuotaAmounts, validateScopes, validateScopeSelector } from './quota-rules.ts';
import { resourceQuotaSchema } from './quota-schema.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

function defaults(object: JsonObject): void {
  for (const path of [
    ['spec', 'hard'],
    ['status', 'hard'],
    ['status', 'used'],
  ]) {
    const amounts = getPath(object, ...path);
    if (isObject(amounts)) roundAmounts(amounts);
  }
}

function validate(object: ResourceQuota): FieldError[] {
  const { spec } = object;
  return [
    ...validateQuotaAmounts(SPEC.child('hard'), spec.hard),
    ...validateScopes(SPEC.child('scopes'), spec),
    ...validateScopeSelector(SPEC.child('scopeSelector'), spec),
  ];
}

function validateUpdate(object: ResourceQuota, old: ResourceQuota): FieldError[] {
  const scopes = scopesOf(object);
  const before = scopesOf(old);
  return [
    ...validate(object),
    ...(deepEqual(scopes, before)
      ? []
      : validateImmutable(SPEC.child('scopes'), [...scopes], [...before])),
  ];
}

function scopesOf(object: ResourceQuota): string[] {
  return [...new Set(object.spec.scopes)].sort();
}

/**
 * What the status says of a key holds for as long as the key is limited without
 * interruption: a key that comes back is counted from the start.
 */
function prepareForUpdate(object: ResourceQuota, old: ResourceQuota): void {
  keepField(object, old, 'status');
  const { spec, status } = object;
  const selectorOf = (of: ApiObject): JsonValue => getPath(of, 'spec', 'scopeSelector') ?? {};
  const isSameScope = deepEqual(selectorOf(object), selectorOf(old));
  const { hard = {} } = spec;
  const isLimited = ([key]: [string, string]): boolean => isSameScope && hasOwn(hard, key);
  const kept = (amounts: ResourceList): ResourceList =>
    Object.fromEntries(Object.entries(amounts).filter(isLimited));
  object.status = {
    ...(status.hard === undefined ? {} : { hard: kept(status.hard) }),
    ...(status.used === undefined ? {} : { used: kept(status.used) }),
  };
}

/** `configmaps: 1/10, …` of the keys with the prefix, or of all others. */
function usage(object: JsonObject, isOfLimits: boolean): string {
  const hard = getPath(object, 'status', 'hard');
  const used = getPath(object, 'status', 'used');
  if (!isObject(hard)) return '';
  const shown = (key: string): string => {
    const amount = isObject(used) && hasOwn(used, key) ? textAt(used, key) : '0';
    return `${key}: ${amount}/${textAt(hard, key)}`;
  };
  const keys = Object.keys(hard).filter((key) => key.startsWith('limits') === isOfLimits);
  return keys.sort().map(shown).join(', ');
}

/** Source: behaviours 9.0 and 9.23. */
export const resourceQuotaDefinition: ResourceDefinition = builtinDefinition({
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  schema: resourceQuotaSchema,
  defaults,
  strategy: {
    validateName: nameIsDnsSubdomain,
    createOnUpdate: false,
    unconditionalUpdate: true,
    prepareForCreate(object) {
      object['status'] = {};
    },
    validate,
    prepareForUpdate,
    validateUpdate,
    resetFields: [['status']],
  },
  subresources: {
    status: {
      prepareForUpdate: (object, old) => keepField(object, old, 'spec'),
      validateUpdate(object) {
        const { status } = object;
        return [
          ...validateQuotaAmounts(STATUS.child('hard'), status.hard),
          ...validateQuotaAmounts(STATUS.child('used'), status.used),
        ];
      },
      resetFields: [['spec']],
    },
  },
  columns: [
    nameColumn,
    textColumn('Request', 'What is used of each limit.', (object) => usage(object, false)),
    textColumn('Limit', 'The same of limits of workloads.', (object) => usage(object, true)),
    ageColumn,
  ],
});
