import { badRequest } from '../api/api-error.ts';
import { isObject, type JsonObject } from '../api/json.ts';
import { inTurns } from '../api/steps.ts';
import { nextTurn } from '../api/turn.ts';
import { applySteps } from '../patch/apply/apply-configuration.ts';
import { applyConfiguration } from '../patch/apply/apply-configuration-at-once.ts';
import { reportFields, type Body } from './body.ts';
import { complete } from './complete.ts';
import { fitName, fitNamespace } from './fit-path.ts';
import { refuseLargeMetadata } from './metadata-bounds.ts';
import type { RegistryParts } from './parts.ts';
import { copyOf, decode, isLarge } from './large-objects.ts';
import type { ServedResource } from './served-resource.ts';
import type { UpdatePlan } from './update.ts';
import { managerOf, type WriteRequest } from './write-request.ts';

/**
 * How a server-side apply makes the new object of the present one, or of nothing.
 *
 * @throws ApiError for a configuration that cannot be applied
 */
export function applier(
  parts: RegistryParts,
  request: WriteRequest,
  body: Body,
): UpdatePlan['produce'] {
  const { target, options, subresource } = request;
  const { resource } = target;
  if (!isObject(body.value)) {
    throw badRequest('error decoding YAML: the configuration must be an object');
  }
  const sent = body.value;
  const applied = resource.version.codec.withOwnNames?.(sent) ?? sent;
  refuseLargeConfiguration(resource, applied);
  if (options.fieldValidation === 'Strict' && body.duplicates.length > 0) {
    const lines = body.duplicates.map((text) => `\n  ${text}`).join('');
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`,
    );
  }
  return async (current, wasLarge) => {
    const large = wasLarge || isLarge(applied);
    const { codec } = resource.version;
    const lay = async (configuration: JsonObject) => {
      const outcome = await parts.fields.withKind(resource, subresource, (kind) => {
        const apply = {
          kind,
          live: current,
          applied: configuration,
          sent,
          manager: managerOf(request),
          // the replicas that others apply to an object are not taken over by its scale
          force: options.force === true && subresource !== 'scale',
          now: parts.clock.now(),
        };
        return large ? inTurns(applySteps(apply)) : applyConfiguration(apply);
      });
      if (!outcome.ok) throw outcome.error;
      if (large) await nextTurn();
      const decoding = decode(large, codec, outcome.object, { reportUnknown: true });
      return { outcome, decoded: decoding instanceof Promise ? await decoding : decoding };
    };
    let laid = await lay(applied);
    const { unknownFields } = laid.decoded;
    if (unknownFields.length > 0 && !resource.definition.builtin) {
      // a field that is dropped is not owned either
      const copy = await copyOf(large, applied);
      const { object: kept } = codec.decode(copy, { reportUnknown: false });
      laid = await lay(kept);
    }
    const { outcome } = laid;
    const { object, toleratedFields = [] } = laid.decoded;
    // The merge has refused what its schema does not know: these lie below `additionalProperties: true`.
    reportFields(resource, options.fieldValidation, request.context.warnings, {
      tolerated: [...unknownFields, ...toleratedFields],
      other: body.duplicates,
    });
    if (large) await nextTurn();
    // an apply that changes nothing writes nothing, also where this version has defaults of its own
    if (outcome.changed) await complete(codec, object, { live: current, keepNulls: true });
    const metadata = object.metadata;
    fitNamespace(metadata, target);
    fitName(metadata, target.name);
    if (outcome.managedFields.length === 0) delete metadata.managedFields;
    else metadata.managedFields = outcome.managedFields;
    return object;
  };
}

/** Before it is merged. @throws ApiError 422 */
function refuseLargeConfiguration(resource: ServedResource, { metadata }: JsonObject): void {
  if (isObject(metadata)) refuseLargeMetadata(resource, metadata, undefined);
}
