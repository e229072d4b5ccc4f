import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { MergeSchema } from '../patch/merge-schema.ts';

/** The resource of a request in one of its versions, with the kind of what is sent to it. */
export interface ResourceVersion {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/**
 * What admission asks of the registry about the kind that a request is about.
 * The same object for all requests of a resource in a version, for as long as
 * its definition stays as it is: what is derived from it may be kept by it.
 */
export interface KindAccess {
  /** The other versions in which the same request could have been made. */
  readonly equivalents: readonly ResourceVersion[];
  /**
   * An object in another version or under the other name of its group, as a new object.
   *
   * @throws ApiError when it cannot be converted
   */
  convert(object: ApiObject, kind: GroupVersionKind): Promise<ApiObject>;
  /**
   * What a plugin wrote in the form that the next plugin and the store expect:
   * decoded, pruned, defaulted. It must be of the type that it was `before`.
   *
   * In turns for a large object.
   *
   * @throws ApiError (as rejection) when it is not an object of the kind any more
   */
  normalise(object: JsonObject, before: ApiObject | undefined): Promise<ApiObject>;
  /** How objects of a version merge; undefined: the version does not exist. */
  mergeSchema(apiVersion: string): MergeSchema | undefined;
}
