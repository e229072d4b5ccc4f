import type { GroupVersionKind } from '../api/group-version.ts';
import type { ApiObject } from '../api/object.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { convertedFor, formOf, type ShownRequest } from './shown-request.ts';

/**
 * The request as one webhook after the other sees it and changes it, each in
 * its own version. What was changed goes back into the version of the request
 * before it is shown in another one. Source: k8s.io/apiserver pkg/admission/conversion.go.
 */
export class VersionedRequest implements ShownRequest {
  readonly #attributes: AdmissionAttributes;
  /** Group and version in which the objects are. */
  #shown: string;
  #object: ApiObject | undefined;
  #oldObject: ApiObject | undefined;
  #isChanged = false;

  constructor(attributes: AdmissionAttributes) {
    this.#attributes = attributes;
    this.#shown = formOf(attributes.kind);
    this.#object = attributes.object;
    this.#oldObject = attributes.oldObject;
  }

  get object(): ApiObject | undefined {
    return this.#object;
  }
  get oldObject(): ApiObject | undefined {
    return this.#oldObject;
  }

  async showIn(kind: GroupVersionKind): Promise<this> {
    const form = formOf(kind);
    if (form === this.#shown) return this;
    await this.finish();
    const { object, oldObject, access, kind: own } = this.#attributes;
    if (form === formOf(own)) {
      this.#object = object;
      this.#oldObject = oldObject;
    } else {
      this.#object = object && (await convertedFor(access, object, kind));
      this.#oldObject = oldObject && (await convertedFor(access, oldObject, kind));
    }
    this.#shown = form;
    return this;
  }

  /** A webhook has made another object of it, in the version that it was shown. */
  replace(object: ApiObject): void {
    this.#object = object;
    this.#isChanged = true;
    // others look at the attributes
    if (this.#shown === formOf(this.#attributes.kind)) this.#attributes.object = object;
  }

  /**
   * Brings what has been changed into the version of the request.
   *
   * @throws ApiError when it cannot be converted
   */
  async finish(): Promise<void> {
    const { access, kind } = this.#attributes;
    if (!this.#isChanged || this.#object === undefined) return;
    if (this.#shown !== formOf(kind)) {
      this.#attributes.object = await convertedFor(access, this.#object, kind);
    }
    this.#isChanged = false;
  }
}
