import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { Steps } from '../../api/steps.ts';
import type { StructuralSchema } from '../structure/structural.ts';
import { isUnchanged, OldItems } from './correlate.ts';
import { checkNode, fieldSchema, oldValueOf, validateNode } from './node.ts';
import type { ValidationRun } from './run.ts';

/** {@link validateNode} with a step for each field and item. */
export function* nodeSteps(
  run: ValidationRun,
  value: JsonValue,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): Steps<void> {
  if (typeof value !== 'object' || value === null) {
    validateNode(run, value, schema, structure, old);
  } else if (old === undefined || structure === undefined) {
    yield* containerSteps(run, value, schema, undefined, undefined);
  } else {
    const { failures } = run;
    const kept = run.errors.length;
    const differsAbove = run.setDiffers(false);
    yield* containerSteps(run, value, schema, structure, old);
    const differsBelow = run.setDiffers(differsAbove);
    if (run.failures > failures) {
      yield;
      if (!differsBelow && isUnchanged(value, old, structure)) run.forget(failures, kept);
      else run.setDiffers(true);
    }
  }
}

function* containerSteps(
  run: ValidationRun,
  value: JsonObject | JsonValue[],
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): Steps<void> {
  checkNode(run, value, schema, structure, old, false);
  if (Array.isArray(value)) yield* itemSteps(run, value, schema, structure, old);
  else yield* fieldSteps(run, value, schema, structure, old);
}

function* itemSteps(
  run: ValidationRun,
  value: JsonValue[],
  { items }: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): Steps<void> {
  if (items === undefined) return;
  const oldItems = structure === undefined ? undefined : OldItems.of(old, structure);
  for (let i = 0; i < value.length; i++) {
    yield;
    const item = value[i] as JsonValue;
    run.push(i);
    yield* nodeSteps(run, item, items, structure?.items, oldItems?.find(item));
    run.pop();
  }
}

function* fieldSteps(
  run: ValidationRun,
  value: JsonObject,
  schema: StructuralSchema,
  structure: StructuralSchema | undefined,
  old: JsonValue | undefined,
): Steps<void> {
  for (const key in value) {
    const child = fieldSchema(run, schema, key);
    if (child === undefined) continue;
    yield;
    const before = oldValueOf(run, structure, old, key);
    run.push(key);
    yield* nodeSteps(run, value[key] as JsonValue, child, structure?.child(key), before);
    run.pop();
  }
}
