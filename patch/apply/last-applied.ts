import { JsonSyntaxError } from '../../api/json-error.ts';
import { parseJson } from '../../api/json-parse.ts';
import { deepClone, getOwn, getPath, isObject, type JsonObject } from '../../api/json.ts';
import { LAST_APPLIED_ANNOTATION } from '../../api/naming.ts';
import { compareObjects } from './compare-at-once.ts';
import { canonicalValue } from './field-element.ts';
import type { FieldSet } from './field-set.ts';
import { difference } from './field-set-at-once.ts';
import { typedProblems } from './typed-check-at-once.ts';
import { ListItemError } from './typed-error.ts';
import { fieldsOfValue } from './value-fields-at-once.ts';
import type { TypedObject } from './versions.ts';

/** The one manager whose applies follow the annotation (behaviours 5.17). */
export const LAST_APPLIED_MANAGER = 'kubectl';
/** Annotations may be this long in all, keys and values (behaviours 3.6). */
const MAX_ANNOTATION_BYTES = 256 * 1024;

/**
 * The fields that client-side apply owns: those in the annotation whose values
 * are still the live ones. An apply by kubectl may take them from any manager.
 * Undefined when the annotation is missing, or does not fit the object.
 *
 * Source: apimachinery, util/managedfields/internal/lastappliedmanager.go.
 */
export function lastAppliedFields(
  { object, apiVersion, schema }: TypedObject,
  withOwnNames = (read: JsonObject): JsonObject => read,
): FieldSet | undefined {
  const text = getPath(object, 'metadata', 'annotations', LAST_APPLIED_ANNOTATION);
  if (typeof text !== 'string' || text === '') return undefined;
  const read = parseObject(text);
  if (read === undefined || getOwn(read, 'apiVersion') !== apiVersion) return undefined;
  const last = withOwnNames(read);
  if (typedProblems(schema, last, 'applied') !== undefined) return undefined;
  if (typedProblems(schema, object, 'applied') !== undefined) return undefined;
  try {
    const { modified, added, removed } = compareObjects(schema, last, object);
    const fields = fieldsOfValue(schema, last);
    return difference(difference(difference(fields, modified), added), removed);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/**
 * The object with its annotation in step with what was just applied, so that a
 * client-side apply after it starts from the right place. Objects without the
 * annotation do not get one.
 */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const metadata = getOwn(object, 'metadata');
  const annotations = getPath(object, 'metadata', 'annotations');
  if (!isObject(metadata) || !isObject(annotations)) return object;
  const current = getOwn(annotations, LAST_APPLIED_ANNOTATION);
  if (typeof current !== 'string' || current === '') return object;
  const next: JsonObject = { ...annotations, [LAST_APPLIED_ANNOTATION]: lastAppliedText(applied) };
  if (annotationBytes(next) > MAX_ANNOTATION_BYTES) {
    Reflect.deleteProperty(next, LAST_APPLIED_ANNOTATION);
  }
  return { ...object, metadata: { ...metadata, annotations: next } };
}

/** The applied configuration without the annotation itself, as kubectl would write it. */
function lastAppliedText(applied: JsonObject): string {
  const copy = deepClone(applied);
  const metadata = getOwn(copy, 'metadata');
  const annotations = isObject(metadata) ? getOwn(metadata, 'annotations') : undefined;
  if (isObject(annotations)) Reflect.deleteProperty(annotations, LAST_APPLIED_ANNOTATION);
  else if (isObject(metadata)) Reflect.deleteProperty(metadata, 'annotations');
  return `${canonicalValue(copy)}\n`;
}

function annotationBytes(annotations: JsonObject): number {
  let bytes = 0;
  for (const key of Object.keys(annotations)) {
    const value = annotations[key];
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return bytes;
}
