import { invalid } from '../api/api-error.ts';
import type { FieldError } from '../api/field-error.ts';
import type { ApiObject } from '../api/object.ts';
import {
  finalizerWarnings,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type ObjectMetaRules,
} from '../api/objectmeta-validation.ts';
import { inTurns, type Steps } from '../api/steps.ts';
import type { ValidateScope } from '../resources/codec.ts';
import type { UpdateStrategy } from '../resources/definition.ts';
import type { RegistryParts } from './parts.ts';
import { isWithoutDefaults } from './complete.ts';
import type { ServedResource } from './served-resource.ts';
import { strategyOf } from './strategies.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * Everything that must hold of a new object: metadata, structure, the kind's
 * own rules. All errors at once. A promise only where finding them takes long.
 *
 * @throws ApiError 422 (also as rejection)
 */
export function validateNew(
  parts: RegistryParts,
  request: WriteRequest,
  object: ApiObject,
  isLarge: boolean,
): Promise<void> | undefined {
  const { resource } = request.target;
  const { version } = resource;
  const strategy = strategyOf(resource);
  const scope = scopeOf(request);
  return refuseAny(parts, resource, object, [
    validateObjectMeta(object.metadata, metadataRules(resource)),
    version.codec.validateSteps?.(object, undefined, scope, isLarge) ??
      version.codec.validate(object, undefined, scope),
    strategy.validate?.(object, { now: parts.clock.now() }) ?? NONE,
    strategy.validateSteps?.(object, undefined) ?? NONE,
  ]);
}

/**
 * What is let pass of a new or changed object and should not be; `old` where
 * there was one. A promise only where finding it takes long.
 */
export function warnOf(
  { clock }: RegistryParts,
  { target, context }: WriteRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<void> | undefined {
  const { resource } = target;
  const strategy = strategyOf(resource);
  warn(strategy.warnings?.(object, old), context);
  if (!resource.definition.builtin) {
    warn(finalizerWarnings(object.metadata, old?.metadata), context);
  }
  const steps = strategy.warningSteps?.(object, old);
  if (steps === undefined) return undefined;
  return Promise.resolve(inTurns(steps, clock)).then((texts) => warn(texts, context));
}

/** The same for a changed object, with the rules on what may change. `way`: through which resource. */
export function validateChanged(
  parts: RegistryParts,
  request: WriteRequest,
  way: UpdateStrategy,
  object: ApiObject,
  old: ApiObject,
  isLarge: boolean,
): Promise<void> | undefined {
  const { resource } = request.target;
  const { version } = resource;
  const [typed, typedOld] = [object, old];
  const moment = { now: parts.clock.now() };
  const metadata = object.metadata;
  const scope = scopeOf(request);
  return refuseAny(parts, resource, object, [
    validateObjectMetaUpdate(metadata, old.metadata, undefined, metadataRules(resource)),
    isWithoutDefaults(object)
      ? NONE // nothing but its metadata has changed, and required fields may be missing
      : (version.codec.validateSteps?.(object, old, scope, isLarge) ??
        version.codec.validate(object, old, scope)),
    way.validateUpdate?.(typed, typedOld, moment) ?? NONE,
    way.validateSteps?.(typed, typedOld) ?? NONE,
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

type Findings = readonly FieldError[] | Steps<FieldError[]>;
const NONE: readonly FieldError[] = [];

/** Refuses the object when anything is found; in turns where some of it is found in steps. */
function refuseAny(
  { clock }: RegistryParts,
  resource: ServedResource,
  object: ApiObject,
  findings: readonly Findings[],
): Promise<void> | undefined {
  if (findings.every(isFound)) {
    refuse(resource, object, findings);
    return undefined;
  }
  const found = inTurns(allOf(findings), clock);
  if (found instanceof Promise) return found.then((all) => refuse(resource, object, all));
  refuse(resource, object, found);
  return undefined;
}

function isFound(findings: Findings): findings is readonly FieldError[] {
  return Array.isArray(findings);
}

function* allOf(findings: readonly Findings[]): Steps<(readonly FieldError[])[]> {
  const all: (readonly FieldError[])[] = [];
  for (const part of findings) all.push(isFound(part) ? part : yield* part);
  return all;
}

function refuse(
  resource: ServedResource,
  object: ApiObject,
  found: readonly (readonly FieldError[])[],
): void {
  if (found.every(({ length }) => length === 0)) return;
  const errors = found.flat();
  throw invalid(resource.kind, object.metadata.name ?? '', errors);
}

function warn(texts: readonly string[] | undefined, context: WriteRequest['context']): void {
  for (const text of texts ?? []) context.warnings.add(text);
}
