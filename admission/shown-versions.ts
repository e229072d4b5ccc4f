import type { GroupVersionKind } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { convertedFor, formOf, type ReviewedObjects, type ShownRequest } from './shown-request.ts';

/** The objects of a request, which do not change any more, in the versions that are asked for. */
export class ShownVersions implements ShownRequest {
  readonly #attributes: AdmissionAttributes;
  /** Each is made once. */
  readonly #versions = new Map<string, Promise<ReviewedObjects>>();

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
  }

  get object(): ApiObject | undefined {
    return this.#attributes.object;
  }
  get oldObject(): ApiObject | undefined {
    return this.#attributes.oldObject;
  }

  showIn(kind: GroupVersionKind): Promise<ReviewedObjects> {
    const form = formOf(kind);
    let shown = this.#versions.get(form);
    if (shown === undefined) {
      shown = this.#show(kind);
      this.#versions.set(form, shown);
    }
    return shown;
  }

  async #show(kind: GroupVersionKind): Promise<ReviewedObjects> {
    const { object, oldObject, access, kind: own } = this.#attributes;
    if (formOf(kind) === formOf(own)) return { object, oldObject };
    const converted = async (from: ApiObject | undefined): Promise<ApiObject | undefined> =>
      from && (await convertedFor(access, from, kind));
    return { object: await converted(object), oldObject: await converted(oldObject) };
  }
}
