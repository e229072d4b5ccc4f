import { fieldError, type FieldError } from '../../api/field-error.ts';
import { getOwn, getPath, isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import type { CrdVersion } from '../apiextensions/crd-types.ts';
import { keysOfPath } from '../apiextensions/simple-path.ts';
import type { ScalePaths } from '../definition.ts';

const MAX_REPLICAS = 2 ** 31 - 1;

/** The keys of the three paths of `subresources.scale`; undefined if the version has no scale. */
export function scalePathsOf({ subresources }: CrdVersion): ScalePaths | undefined {
  const scale = subresources?.scale;
  if (scale === undefined) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath = '' } = scale;
  return {
    specReplicas: keysOfPath(specReplicasPath),
    statusReplicas: keysOfPath(statusReplicasPath),
    labelSelector: labelSelectorPath === '' ? undefined : keysOfPath(labelSelectorPath),
  };
}

/** Why a value cannot be the number of replicas; undefined: it can, or there is none. */
export function replicasProblem(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return 'must be an integer';
  if ((value as number | bigint) < 0) return 'should be a non-negative integer';
  return (value as number | bigint) > MAX_REPLICAS
    ? `should be less than or equal to ${MAX_REPLICAS}`
    : undefined;
}

/**
 * Where an object keeps what its scale shows there must be numbers of replicas
 * and a text. A write through the status subresource has its own part checked
 * only. Source: behaviours 7.13; errors have the path as the definition writes it.
 */
export function validateScaleValues(
  object: JsonObject,
  paths: ScalePaths,
  isStatusWrite: boolean,
): FieldError[] {
  return [
    ...(isStatusWrite ? [] : validateReplicas(object, paths.specReplicas)),
    ...validateReplicas(object, paths.statusReplicas),
    ...validateSelector(object, paths.labelSelector),
  ];
}

function validateReplicas(object: JsonObject, keys: readonly string[]): FieldError[] {
  const blocked = blockedPath(object, keys);
  if (blocked !== undefined) return [blocked];
  const value = getPath(object, ...keys);
  const problem = replicasProblem(value);
  return problem === undefined ? [] : [fieldError.invalid(pathOf(keys), value, problem)];
}

function validateSelector(object: JsonObject, keys: readonly string[] | undefined): FieldError[] {
  const value = keys === undefined ? undefined : getPath(object, ...keys);
  return keys === undefined || value === undefined || typeof value === 'string'
    ? []
    : [fieldError.invalid(pathOf(keys), value, 'must be a string')];
}

/** What stands on the way to the value instead of an object. */
function blockedPath(object: JsonObject, keys: readonly string[]): FieldError | undefined {
  let at: JsonValue | undefined = object;
  for (const [i, key] of keys.entries()) {
    if (at === undefined || at === null) return undefined;
    if (!isObject(at)) return fieldError.invalid(pathOf(keys.slice(0, i)), at, 'must be an object');
    at = getOwn(at, key);
  }
  return undefined;
}

const pathOf = (keys: readonly string[]): string => `.${keys.join('.')}`;
