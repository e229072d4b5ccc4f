import { fieldErrorText, type FieldError } from '../../api/field-error.ts';
import { FieldPath } from '../../api/field-path.ts';
import { getOwn, isObject, setOwn, type JsonObject, type JsonValue } from '../../api/json.ts';
import { type ApiObject, apiObjectOf } from '../../api/object.ts';
import { validateAnnotations } from '../../api/objectmeta-validation.ts';
import { validateLabels } from '../../api/selectors/label-spec.ts';

/** What a conversion may not change: an object that comes back under another identity is not the one that went. */
const IDENTITY = ['name', 'namespace', 'uid'] as const;
const METADATA = FieldPath.of('metadata');
/** Labels, or annotations, that a conversion may add or change: to judge them takes time. */
const MAX_CHANGED = 5_000;

type Restored =
  | { readonly ok: true; readonly object: ApiObject }
  /** Which part of an answer is wrong, and how. */
  | { readonly ok: false; readonly what: 'object' | 'metadata'; readonly why: string };

/**
 * Gives a converted object the metadata that it went with; only labels and
 * annotations are the webhook's to change (behaviours 7.16). In place.
 */
export function restoreMetadata(original: ApiObject, converted: JsonObject): Restored {
  const before: JsonObject = original.metadata;
  const after = isObject(converted.metadata) ? converted.metadata : {};
  for (const field of IDENTITY) {
    const [was, is] = [text(before, field), text(after, field)];
    if (was === is) continue;
    return { ok: false, what: 'object', why: `must have the same ${field}: ${was} != ${is}` };
  }
  const { labels: _, annotations: __, ...metadata } = before;
  for (const field of ['labels', 'annotations'] as const) {
    const value = getOwn(after, field) ?? undefined;
    const why = value === undefined ? undefined : problemOf(field, value, before[field]);
    if (why !== undefined) return { ok: false, what: 'metadata', why };
    if (value !== undefined) metadata[field] = value;
  }
  converted.metadata = metadata;
  return { ok: true, object: apiObjectOf(converted) };
}

/** Labels of the stored object are not validated again: they may be older than today's rules. */
function problemOf(
  field: 'labels' | 'annotations',
  value: JsonValue,
  before: JsonValue | undefined,
): string | undefined {
  if (!isObject(value)) return `metadata.${field} must be an object`;
  const old = isObject(before) ? before : {};
  const changed: Record<string, string> = {};
  let count = 0;
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== 'string') return `metadata.${field}[${key}] must be a string`;
    if (getOwn(old, key) === entry) continue;
    if (++count > MAX_CHANGED) {
      return `metadata.${field} must not have more than ${MAX_CHANGED} new entries`;
    }
    setOwn(changed, key, entry);
  }
  const errors = validated(field, changed);
  return errors.length === 0 ? undefined : errors.map(fieldErrorText).join(', ');
}

function validated(field: 'labels' | 'annotations', values: Record<string, string>): FieldError[] {
  const path = METADATA.child(field);
  return field === 'labels' ? validateLabels(values, path) : validateAnnotations(values, path);
}

function text(metadata: JsonObject, field: string): string {
  const value = getOwn(metadata, field);
  return typeof value === 'string' ? value : '';
}
