import { deepClone } from '../api/json.ts';
import { type ApiObject, apiObjectOf } from '../api/object.ts';
import { parseStoredJson } from '../api/json-parse.ts';
import { encodeServed } from '../storage/stored-bytes.ts';
import type { ReadPoint } from '../watch/reader.ts';
import { admit } from './admit.ts';
import { decodeObject, type Body } from './body.ts';
import { fitName, fitNamespace } from './fit-path.ts';
import { getObject, type GetOptions } from './get.ts';
import type { RegistryParts } from './parts.ts';
import { producerOf, type Patch } from './patch.ts';
import { ScaleForm } from './scale-form.ts';
import type { Target } from './served-resource.ts';
import { updateObject } from './update.ts';
import { managerOf, type ObjectResult, type WriteRequest } from './write-request.ts';

/**
 * GET of `/scale`.
 *
 * @throws ApiError 404; 400 when the object has no replicas
 */
export async function getScale(
  parts: RegistryParts,
  target: Target,
  point: ReadPoint,
  { caller }: GetOptions = {},
): Promise<Buffer> {
  const object = apiObjectOf(parseStoredJson(await getObject(parts, target, point, { caller })));
  return encodeServed(new ScaleForm(target.resource).readableScaleOf(object));
}

/** PUT of `/scale`. @throws ApiError */
export async function updateScale(
  parts: RegistryParts,
  request: WriteRequest,
  body: Body,
): Promise<ObjectResult> {
  const { target, options, context } = asScaleRequest(request);
  const given = await decodeObject(
    body,
    target.resource,
    options.fieldValidation,
    context.warnings,
  );
  fitNamespace(given.metadata, target);
  fitName(given.metadata, target.name);
  return writeScale(parts, request, { change: () => deepClone(given), tracksFields: false });
}

/** PATCH of `/scale`, apply among them. @throws ApiError */
export function patchScale(
  parts: RegistryParts,
  request: WriteRequest,
  sent: Patch,
): Promise<ObjectResult> {
  const change = producerOf(parts, asScaleRequest(request), sent);
  return writeScale(parts, request, { change, tracksFields: sent.type === 'apply' });
}

interface ScaleChange {
  /** Makes the new scale of the present one. */
  readonly change: (current: ApiObject, large: boolean) => ApiObject | Promise<ApiObject>;
  /** `change` has set managedFields. */
  readonly tracksFields: boolean;
}

/**
 * Changes the replicas of an object by its scale: managed fields, admission and
 * preconditions are those of the scale, validation is that of the object.
 */
async function writeScale(
  parts: RegistryParts,
  request: WriteRequest,
  change: ScaleChange,
): Promise<ObjectResult> {
  const form = new ScaleForm(request.target.resource);
  const scaleRequest = asScaleRequest(request);
  const result = await updateObject(parts, request, {
    mayCreate: false,
    unconditional: true,
    tracksFields: true,
    async produce(current) {
      if (current === undefined) throw new Error('a scale needs an object');
      const old = form.changeableScaleOf(current);
      return form.withScale(current, await changedScale(parts, scaleRequest, change, old));
    },
    review: (object, old) =>
      admit.validate(parts, scaleRequest, 'UPDATE', form.scaleOf(object), form.scaleOf(old)),
  });
  return {
    ...result,
    bytes: encodeServed(form.scaleOf(apiObjectOf(parseStoredJson(result.bytes)))),
  };
}

/** The same request as it is about the scale. */
function asScaleRequest(request: WriteRequest): WriteRequest {
  const { target } = request;
  const { resource } = new ScaleForm(target.resource);
  return { ...request, target: { ...target, resource } };
}

/** Changed, its managers noted, admitted. */
async function changedScale(
  parts: RegistryParts,
  request: WriteRequest,
  { change, tracksFields }: ScaleChange,
  old: ApiObject,
): Promise<ApiObject> {
  const { resource } = request.target;
  const next = await change(deepClone(old), false);
  if (!tracksFields) {
    const manager = managerOf(request);
    const now = parts.clock.now();
    const write = { resource, subresource: 'scale', live: old, manager, large: false, now };
    const tracking = parts.fields.onWrite(next, write);
    if (tracking !== undefined) await tracking;
  }
  return admit.mutate(parts, request, 'UPDATE', next, old);
}
