import type { AdmissionAttributes, Operation } from '../admission/attributes.ts';
import type { JsonObject } from '../api/json.ts';
import type { RegistryParts } from './parts.ts';
import { admissionAttributes, type WriteRequest } from './write-request.ts';

/** The two halves of admission as the verbs call them. */
export const admit = {
  /** Mutating admission; returns the object as the plugins left it, decoded and defaulted again. */
  async mutate(
    parts: RegistryParts,
    request: WriteRequest,
    operation: Operation,
    object: JsonObject,
    oldObject: JsonObject | undefined,
  ): Promise<JsonObject> {
    if (!parts.admission.handles(operation)) return object;
    const attributes = admissionAttributes(request, operation, object, oldObject);
    await parts.admission.mutate(attributes, (changed) => normalise(request, changed));
    return attributes.object ?? object;
  },

  async validate(
    parts: RegistryParts,
    request: WriteRequest,
    operation: Operation,
    object: JsonObject | undefined,
    oldObject: JsonObject | undefined,
  ): Promise<void> {
    if (!parts.admission.handles(operation)) return;
    await parts.admission.validate(admissionAttributes(request, operation, object, oldObject));
  },

  /** Both halves for a deletion, which has no new object. */
  async delete(parts: RegistryParts, request: WriteRequest, oldObject: JsonObject): Promise<void> {
    if (!parts.admission.handles('DELETE')) return;
    const attributes = admissionAttributes(request, 'DELETE', undefined, oldObject);
    await parts.admission.mutate(attributes, () => undefined);
    await parts.admission.validate(attributes);
  },
};

/** What a plugin wrote takes the form of the kind: decoded, pruned, defaulted (behaviours 8.6). */
function normalise(request: WriteRequest, attributes: AdmissionAttributes): void {
  if (attributes.object === undefined) return;
  const { codec } = request.target.resource.version;
  const { object } = codec.decode(attributes.object, { reportUnknown: false });
  codec.applyDefaults(object);
  attributes.object = object;
}
