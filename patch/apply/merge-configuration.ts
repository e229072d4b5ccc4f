import type { Steps } from '../../api/steps.ts';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import {
  fieldSchema,
  shapeOf,
  type MergeList,
  type MergeMap,
  type MergeSchema,
} from '../merge-schema.ts';
import { mergeSteps } from './merge.ts';
import { typedSteps } from './typed-check.ts';
import { ListItemError, type TypedProblem } from './typed-error.ts';

type MergeOutcome =
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly why: string };

/**
 * Lays a configuration over an object as apply does, without owners: nothing is
 * removed, and no manager is recorded. Lists and maps that apply replaces as a
 * whole cannot be set in this way: without owners, earlier contents could not
 * be told apart. Source: k8s.io/apiserver pkg/admission/plugin/policy/mutating/patch/smd.go.
 */
export function* mergeConfigurationSteps(
  schema: MergeSchema,
  live: JsonObject,
  configuration: JsonObject,
): Steps<MergeOutcome> {
  const problems = yield* typedSteps(schema, configuration, 'applied');
  const nothing = nullPath(configuration, '');
  if (problems !== undefined || nothing !== undefined) {
    const why = problems === undefined ? `${nothing}: null sets nothing` : told(problems);
    return { ok: false, why: `failed to convert patch object to typed object: ${why}` };
  }
  const whole = wholePath(schema, configuration, '');
  if (whole !== undefined) {
    const why = `may not mutate atomic arrays, maps or structs: ${whole}`;
    return { ok: false, why: `invalid ApplyConfiguration: ${why}` };
  }
  // admission comes before validation: the object may be of the wrong shapes
  const wrong = yield* typedSteps(schema, live, 'stored');
  if (wrong !== undefined) {
    const why = `failed to convert original object to typed object: ${told(wrong)}`;
    return { ok: false, why };
  }
  try {
    return { ok: true, object: yield* mergeSteps(schema, live, configuration) };
  } catch (error) {
    if (error instanceof ListItemError) return { ok: false, why: error.message };
    throw error;
  }
}

function told(problems: readonly TypedProblem[]): string {
  return problems.map(({ path, message }) => `${path}: ${message}`).join(', ');
}

/** The path of the first null: a configuration says what a field is, never that it is absent. */
function nullPath(value: JsonValue, path: string): string | undefined {
  if (value === null) return path;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const found = nullPath(item, `${path}[${i}]`);
      if (found !== undefined) return found;
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const found = nullPath(value[key] as JsonValue, `${path}.${key}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The path of the first list or map that is replaced as a whole. */
function wholePath(schema: MergeSchema, value: JsonValue, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  switch (shapeOf(schema, value)) {
    case 'map':
      return wholeInMap(schema.map as MergeMap, value, path);
    case 'list':
      return wholeInList(schema.list as MergeList, value, path);
    case 'scalar':
    case 'none':
      return undefined;
  }
}

function wholeInMap(map: MergeMap, value: JsonValue, path: string): string | undefined {
  if (map.atomic) return path;
  if (!isObject(value)) return undefined;
  for (const key of Object.keys(value)) {
    const schema = fieldSchema(map, key);
    const found = schema && wholePath(schema, value[key] as JsonValue, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function wholeInList(list: MergeList, value: JsonValue, path: string): string | undefined {
  if (list.type === 'atomic') return path;
  if (!Array.isArray(value)) return undefined;
  for (const [i, item] of value.entries()) {
    const found = wholePath(list.element, item, `${path}[${i}]`);
    if (found !== undefined) return found;
  }
  return undefined;
}
