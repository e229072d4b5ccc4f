import { invalid } from '../api/api-error.ts';
import type { FieldError } from '../api/field-error.ts';
import type { ApiObject } from '../api/object.ts';
import {
  finalizerWarnings,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type ObjectMetaRules,
} from '../api/objectmeta-validation.ts';
import type { ValidateScope } from '../resources/codec.ts';
import type { UpdateStrategy } from '../resources/definition.ts';
import type { RegistryParts } from './parts.ts';
import type { ServedResource } from './served-resource.ts';
import { strategyOf } from './strategies.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * Everything that must hold of a new object: metadata, structure, the kind's
 * own rules. All errors at once.
 *
 * @throws ApiError 422
 */
export function validateNew(parts: RegistryParts, request: WriteRequest, object: ApiObject): void {
  const { resource } = request.target;
  const { version } = resource;
  const strategy = strategyOf(resource);
  const typed = object;
  refuse(resource, object, [
    ...validateObjectMeta(object.metadata, metadataRules(resource)),
    ...version.codec.validate(object, undefined, scopeOf(request)),
    ...(strategy.validate?.(typed, { now: parts.clock.now() }) ?? []),
  ]);
}

/** What is let pass of a new or changed object and should not be; `old` where there was one. */
export function warnOf(
  { target, context }: WriteRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): void {
  const { resource } = target;
  const strategy = strategyOf(resource);
  warn(strategy.warnings?.(object, old && old), context);
  if (resource.definition.builtin) return;
  warn(finalizerWarnings(object.metadata, old && old.metadata), context);
}

/** The same for a changed object, with the rules on what may change. `way`: through which resource. */
export function validateChanged(
  parts: RegistryParts,
  request: WriteRequest,
  way: UpdateStrategy,
  object: ApiObject,
  old: ApiObject,
): void {
  const { resource } = request.target;
  const { version } = resource;
  const [typed, typedOld] = [object, old];
  const moment = { now: parts.clock.now() };
  const metadata = object.metadata;
  refuse(resource, object, [
    ...validateObjectMetaUpdate(metadata, old.metadata, undefined, metadataRules(resource)),
    ...version.codec.validate(object, old, scopeOf(request)),
    ...(way.validateUpdate?.(typed, typedOld, moment) ?? []),
  ]);
}

function scopeOf({ subresource, context }: WriteRequest): ValidateScope {
  return { subresource, warn: (text) => context.warnings.add(text) };
}

function metadataRules(resource: ServedResource): ObjectMetaRules {
  const { definition } = resource;
  return {
    namespaced: definition.namespaced,
    validateName: strategyOf(resource).validateName,
    qualifiedFinalizers: definition.group === '',
  };
}

function refuse(resource: ServedResource, object: ApiObject, errors: FieldError[]): void {
  if (errors.length > 0) throw invalid(resource.kind, object.metadata.name ?? '', errors);
}

function warn(texts: readonly string[] | undefined, context: WriteRequest['context']): void {
  for (const text of texts ?? []) context.warnings.add(text);
}
