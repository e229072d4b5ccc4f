import type { ApiObject } from '../api/object.ts';
import { ApiError, internalError } from '../api/api-error.ts';
import { apiVersionOf, type GroupVersionKind } from '../api/group-version.ts';
import type { KindAccess } from './kind-access.ts';

/** The objects of a request in one version. */
export interface ReviewedObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** The objects of a request as they are by now, and in other versions. */
export interface ShownRequest extends ReviewedObjects {
  /**
   * The same in a version of the resource.
   *
   * @throws ApiError when they cannot be converted
   */
  showIn(kind: GroupVersionKind): Promise<ReviewedObjects>;
}

/** What tells forms of one object apart: its version, and the name of its group. */
export function formOf({ group, version }: GroupVersionKind): string {
  return apiVersionOf({ group, version });
}

/**
 * An object as a webhook or policy asks for it.
 *
 * @throws ApiError 500 when it cannot be converted: only this server asks for the conversion
 */
export async function convertedFor(
  access: KindAccess,
  object: ApiObject,
  kind: GroupVersionKind,
): Promise<ApiObject> {
  try {
    return await access.convert(object, kind);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw internalError(error.message, error);
  }
}
