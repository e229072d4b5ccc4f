import type { Steps } from '../../api/steps.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { cloneSteps } from '../../api/json-steps.ts';
import { deepEqual, type JsonObject } from '../../api/json.ts';
import { toJson } from '../../cel/value/json.ts';
import { listType } from '../../cel/value/type.ts';
import { CelError, type CelValue } from '../../cel/value/value.ts';
import { mergeConfigurationSteps } from '../../patch/apply/merge-configuration.ts';
import { parseJsonPatch } from '../../patch/json-patch-parse.ts';
import { jsonPatchSteps } from '../../patch/json-patch.ts';
import type { MergeSchema } from '../../patch/merge-schema.ts';
import { APPLIED_OBJECT, PATCH_OPERATION } from '../../resources/admission-environment.ts';
import type {
  MutatingPolicy as MutatingPolicyObject,
  MutationValue,
} from '../../resources/admissionregistration/policy-schema.ts';
import type { ExpressionInput } from '../expressions/bindings.ts';
import { Budget, OutOfBudget, POLICY_BUDGET } from '../expressions/budget.ts';
import type { CompiledExpression } from '../expressions/compile.ts';
import { madeObject } from './made-object.ts';
import { compilePolicy, type Policy } from './policy.ts';
import type { PolicyExpressions } from './policy-expressions.ts';

/** A change that a policy makes. */
export interface Mutation {
  readonly type: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: CompiledExpression;
}

/** A MutatingAdmissionPolicy, ready to be evaluated. */
export interface MutatingPolicy extends Policy {
  readonly mutations: readonly Mutation[];
  /** reinvocationPolicy IfNeeded. */
  readonly isReinvoked: boolean;
}

/** A mutation that cannot be made: failurePolicy decides what comes of it. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

/**
 * The policy with its expressions checked. Nothing throws: an expression that does not
 * compile fails when it is evaluated, and `failurePolicy` decides.
 */
export function compileMutatingPolicy(object: MutatingPolicyObject): MutatingPolicy {
  const { spec } = object;
  const policy = compilePolicy(object, spec);
  return {
    ...policy,
    mutations: (spec.mutations ?? []).map((value) => compileMutation(policy.expressions, value)),
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
  };
}

function compileMutation(
  expressions: PolicyExpressions,
  { patchType, applyConfiguration, jsonPatch }: MutationValue,
): Mutation {
  const isApply = patchType === 'ApplyConfiguration';
  const source = (isApply ? applyConfiguration : jsonPatch)?.expression ?? '';
  const results = [isApply ? APPLIED_OBJECT : listType(PATCH_OPERATION)];
  const use = { results, authorizer: true, mutation: true };
  const compiled = expressions.later(source, use);
  return {
    type: isApply ? 'ApplyConfiguration' : 'JSONPatch',
    get expression() {
      return compiled();
    },
  };
}

/**
 * What the expression of a mutation makes. Has no effects: it may be run again.
 *
 * @throws MutationError
 */
export function* mutationSteps(
  { expressions }: Policy,
  mutation: Mutation,
  input: ExpressionInput,
): Steps<CelValue> {
  const budget = new Budget(POLICY_BUDGET);
  yield* expressions.prepareSteps();
  try {
    const result = budget.evaluate(mutation.expression, expressions.bindings(input, budget));
    if (result.ok) return result.value;
    throw new MutationError(result.error);
  } catch (error) {
    if (error instanceof OutOfBudget) throw new MutationError(error.message);
    throw error;
  }
}

/**
 * The object with the change; the object itself when a `test` in a patch says
 * that it is not to be changed.
 *
 * @throws MutationError
 */
export function* mutatedSteps(
  { type }: Mutation,
  value: CelValue,
  object: JsonObject,
  schema: MergeSchema | undefined,
): Steps<JsonObject> {
  return type === 'JSONPatch'
    ? yield* patched(value, object)
    : yield* configured(value, object, schema);
}

function* configured(
  value: CelValue,
  object: JsonObject,
  schema: MergeSchema | undefined,
): Steps<JsonObject> {
  const made = madeObject(value);
  if (!made.ok) throw new MutationError(made.why);
  const { apiVersion = '', kind = '' } = object;
  const configuration: JsonObject = { apiVersion, kind, ...made.value };
  if (!deepEqual([configuration.apiVersion ?? '', configuration.kind ?? ''], [apiVersion, kind])) {
    throw new MutationError('patch and original object are not of the same kind');
  }
  if (schema === undefined) throw new MutationError('objects of this kind cannot be merged');
  const outcome = yield* mergeConfigurationSteps(schema, object, configuration);
  if (!outcome.ok) throw new MutationError(outcome.why);
  yield;
  // what has not changed is still shared with the object before
  return yield* cloneSteps(outcome.object);
}

function* patched(value: CelValue, object: JsonObject): Steps<JsonObject> {
  const json = toJson(value);
  if (json instanceof CelError) throw new MutationError(json.message);
  const parsed = parseJsonPatch(stringifyJson(json), { forgiving: true });
  if (!parsed.ok) throw new MutationError(`JSON Patch: ${parsed.error.message}`);
  const outcome = yield* jsonPatchSteps(object, parsed.operations, { forgiving: true });
  if (outcome.ok) return outcome.value as JsonObject;
  if (outcome.testFailed) return object;
  throw new MutationError(`JSON Patch: ${outcome.error.message}`);
}
