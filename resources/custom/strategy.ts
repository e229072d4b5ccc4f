import { deepEqual } from '../../api/json.ts';
import { isBuiltinGroup } from '../../api/naming.ts';
import { nameIsDnsSubdomain } from '../../api/name-rules.ts';
import { type ApiObject } from '../../api/object.ts';
import type { CrdSpec } from '../apiextensions/crd-types.ts';
import type { Strategy, UpdateStrategy } from '../definition.ts';
import { startGeneration } from '../generation.ts';
import { keepField } from '../metadata-rules.ts';

/** How objects of a version are written. Source: behaviours 7.12 and 5.1. */
export function customStrategy(hasStatus: boolean, unconditionalUpdate = false): Strategy {
  const strategy = hasStatus ? WITH_STATUS : WITHOUT_STATUS;
  return unconditionalUpdate ? { ...strategy, unconditionalUpdate } : strategy;
}

/**
 * Kinds of Kubernetes that definitions bring may be updated without a
 * resourceVersion, as there: controllers write Deployments and Jobs that they
 * have made of their own object. All but one. Source: behaviours 5.1.
 */
export function isUpdatedUnconditionally({ group, names }: CrdSpec): boolean {
  return isBuiltinGroup(group) && names.kind !== 'PodDisruptionBudget';
}

const COMMON = {
  validateName: nameIsDnsSubdomain,
  createOnUpdate: false,
  unconditionalUpdate: false,
} as const;

const WITHOUT_STATUS: Strategy = {
  ...COMMON,
  prepareForCreate: startGeneration,
  prepareForUpdate: countGeneration,
};

const WITH_STATUS: Strategy = {
  ...COMMON,
  prepareForCreate(object) {
    delete object['status'];
    startGeneration(object);
  },
  prepareForUpdate(object, old) {
    keepField(object, old, 'status');
    countGeneration(object, old);
  },
  resetFields: [['status']],
};

/** A write of the status: everything else stays as it is stored. Source: behaviours 3.15. */
export const customStatusStrategy: UpdateStrategy = {
  prepareForUpdate(object, old) {
    const { metadata } = object;
    const { managedFields } = metadata;
    for (const field of Object.keys(object)) {
      if (field !== 'status') Reflect.deleteProperty(object, field);
    }
    for (const field of Object.keys(old)) {
      if (field !== 'status') keepField(object, old, field);
    }
    // who set the status has just been noted there
    object.metadata = { ...old.metadata };
    if (managedFields === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = managedFields;
  },
  resetFields: [['metadata'], ['spec']],
};

/** Any change outside of metadata counts. */
function countGeneration(object: ApiObject, old: ApiObject): void {
  const { metadata: _, ...now } = object;
  const { metadata: __, ...before } = old;
  if (deepEqual(now, before)) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}
