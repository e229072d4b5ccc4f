import { invalid } from '../api/api-error.ts';
import { fieldError } from '../api/field-error.ts';
import { FieldPath } from '../api/field-path.ts';
import { isObject, type JsonValue } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import type { Steps } from '../api/steps.ts';
import { fieldSchema, type MergeSchema } from '../patch/merge-schema.ts';
import { sizeOf } from '../schema/default-budget.ts';
import { StoreError } from '../storage/errors.ts';
import type { RegistryParts } from './parts.ts';
import type { ServedResource } from './served-resource.ts';

/**
 * Items of all lists of type set in one object: each is recorded by its value
 * for each manager.
 */
const MAX_SET_ITEMS = 10_000;

/**
 * Refuses a large object that the store would not take, or whose ownership
 * would take long to work out, before anything works on it. Items of sets that
 * an object has already it may keep. A dry run stores nothing, so the store's
 * limit does not hold for it.
 *
 * @throws ApiError 422, StoreError `tooLarge`
 */
export function* refuseLargeSteps(
  parts: RegistryParts,
  resource: ServedResource,
  object: ApiObject,
  old: ApiObject | undefined,
  dryRun: boolean,
): Steps<void> {
  const most = parts.store.maxValueBytes;
  if (most !== undefined && !dryRun) {
    const bytes = bytesOf(object);
    if (bytes > most) {
      throw new StoreError('tooLarge', `the object has ${bytes} bytes, the limit is ${most}`);
    }
  }
  yield;
  const schema = parts.fields.schemaOf(resource.version);
  const sets = countItems(schema, object);
  if (sets.count <= MAX_SET_ITEMS || sets.path === undefined) return;
  if (old !== undefined && sets.count <= countItems(schema, old).count) return;
  throw invalid(resource.kind, object.metadata.name ?? '', [
    fieldError.tooMany(sets.path, sets.count, MAX_SET_ITEMS),
  ]);
}

/**
 * Bytes of the object's JSON or a little less, without what the server records
 * of managers, and without annotations, which have a limit of their own.
 */
function bytesOf(object: ApiObject): number {
  const { managedFields: _managers, annotations: _annotations, ...metadata } = object.metadata;
  return sizeOf({ ...object, metadata }).bytes;
}

interface SetItems {
  count: number;
  /** Of the list with which they become too many. */
  path: FieldPath | undefined;
}

function countItems(schema: MergeSchema, object: ApiObject): SetItems {
  const found: SetItems = { count: 0, path: undefined };
  const visit = (at: MergeSchema, value: JsonValue, path: FieldPath): void => {
    if (Array.isArray(value)) {
      const { list } = at;
      if (list === undefined || list.type === 'atomic') return;
      if (list.type === 'map') {
        for (const [i, item] of value.entries()) visit(list.element, item, path.index(i));
        return;
      }
      found.count += value.length;
      if (found.count > MAX_SET_ITEMS) found.path ??= path;
    } else if (isObject(value)) {
      const { map } = at;
      if (map === undefined || map.atomic) return;
      for (const key in value) {
        const child = value[key] as JsonValue;
        if (typeof child !== 'object') continue;
        const below = fieldSchema(map, key);
        if (below !== undefined) visit(below, child, path.child(key));
      }
    }
  };
  visit(schema, object, FieldPath.of());
  return found;
}
