import type { ApiObject } from '../api/object.ts';
import type { Operation } from '../admission/attributes.ts';
import { WriteAttributes } from './admission-attributes.ts';
import { keepValidManagers } from './admitted-managers.ts';
import type { RegistryParts } from './parts.ts';
import type { WriteRequest } from './write-request.ts';

/** The two halves of admission as the verbs call them. */
export const admit = {
  /**
   * Mutating admission; returns the object as the plugins left it, decoded and defaulted again. A
   * promise only where a plugin has to wait or has made another object.
   */
  mutate(
    parts: RegistryParts,
    request: WriteRequest,
    operation: Operation,
    object: ApiObject,
    oldObject: ApiObject | undefined,
  ): ApiObject | Promise<ApiObject> {
    const attributes = new WriteAttributes(parts, request, operation, object, oldObject);
    const mutating = parts.admission.mutate(attributes);
    const admitted = (): ApiObject | Promise<ApiObject> => {
      const made = attributes.object ?? object;
      if (made === object) return object;
      return keepValidManagers(made, object, request.context.warnings).then(() => made);
    };
    return mutating === undefined ? admitted() : mutating.then(admitted);
  },

  /** A promise only where a plugin has to wait. */
  validate(
    parts: RegistryParts,
    request: WriteRequest,
    operation: Operation,
    object: ApiObject | undefined,
    oldObject: ApiObject | undefined,
  ): Promise<void> | undefined {
    return parts.admission.validate(
      new WriteAttributes(parts, request, operation, object, oldObject),
    );
  },

  /** Both halves for a deletion, which has no new object. */
  async delete(parts: RegistryParts, request: WriteRequest, oldObject: ApiObject): Promise<void> {
    const attributes = new WriteAttributes(parts, request, 'DELETE', undefined, oldObject);
    await parts.admission.mutate(attributes);
    await parts.admission.validate(attributes);
  },
};
