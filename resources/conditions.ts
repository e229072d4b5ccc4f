import { fieldError, type FieldError } from '../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../api/field-error-list.ts';
import type { FieldPath } from '../api/field-path.ts';
import { deepEqual, type JsonObject } from '../api/json.ts';
import { conditionReasonErrors, qualifiedNameErrors } from '../api/names.ts';
import { list, string, time, type Fields } from '../schema/dsl.ts';
import type { Typed, ValueOf } from '../schema/shape.ts';
import type { StructuralSchema } from '../schema/structure/structural.ts';

/** A condition as it stands in an object; the kinds differ in which fields they have. */
interface ConditionValue extends JsonObject {
  type: string;
  status: string;
}

const STATUSES = ['True', 'False', 'Unknown'];
const MAX_REASON_LENGTH = 1024;
const MAX_MESSAGE_LENGTH = 32_768;

const STATEMENT = {
  type: string({
    required: true,
    description: 'What the condition says something about.',
  }),
  status: string({
    required: true,
    enum: STATUSES,
    description: 'True, False or Unknown.',
  }),
};
const CHANGE = {
  lastTransitionTime: time({
    description: 'When the status last changed from one value to another.',
  }),
  reason: string({ description: 'Why it last changed, in one CamelCase word for programs.' }),
  message: string({ description: 'Details of the last change, for people.' }),
};

/** The fields of the conditions of most built-in kinds, and `more` before those of the last change. */
export function conditionFields(): typeof STATEMENT & typeof CHANGE;
export function conditionFields<M extends Fields>(more: M): typeof STATEMENT & M & typeof CHANGE;
export function conditionFields(more: Fields = {}): Fields {
  return { ...STATEMENT, ...more, ...CHANGE };
}

/** A list of conditions, merged by their type. */
export function conditionList<S extends StructuralSchema>(
  item: S,
  description: string,
): Typed<ValueOf<S>[], 'nothing'> {
  return list(item, {
    listType: 'map',
    listMapKeys: ['type'],
    patchStrategy: 'merge',
    patchMergeKey: 'type',
    description,
  });
}

/**
 * Every condition has a type, and a status of the three. What was stored before
 * and has not changed is let pass. Source: specification 1, section 2.0.
 */
export function validateConditions(
  path: FieldPath,
  conditions: readonly ConditionValue[] | undefined,
  old: readonly ConditionValue[] | undefined,
  more: (path: FieldPath, condition: ConditionValue) => FieldError[] = () => [],
): FieldError[] {
  if (conditions === undefined) return [];
  return errorsOfEach(conditions, (condition, i) => {
    if (old?.some((before) => deepEqual(before, condition)) === true) return [];
    return [...validateOne(path.index(i), condition), ...more(path.index(i), condition)];
  });
}

function validateOne(path: FieldPath, { type, status }: ConditionValue): FieldError[] {
  const errors: FieldError[] = [];
  if (type === '') errors.push(fieldError.required(path.child('type')));
  if (!STATUSES.includes(status)) {
    errors.push(fieldError.notSupported(path.child('status'), status, STATUSES));
  }
  return errors;
}

/**
 * What the common shape of a condition asks for beyond {@link validateConditions}.
 * Source: specification 1, section 2.8; apimachinery, ValidateCondition.
 */
export function validateFullCondition(path: FieldPath, condition: ConditionValue): FieldError[] {
  const { type, observedGeneration, lastTransitionTime, reason, message } = condition;
  const errors =
    type === '' ? [] : invalidEach(path.child('type'), type, qualifiedNameErrors(type));
  if (typeof observedGeneration === 'number' && observedGeneration < 0) {
    const why = 'must be greater than or equal to zero';
    errors.push(fieldError.invalid(path.child('observedGeneration'), observedGeneration, why));
  }
  if (lastTransitionTime === null || lastTransitionTime === undefined) {
    errors.push(fieldError.required(path.child('lastTransitionTime'), 'must be set'));
  }
  errors.push(...validateReason(path.child('reason'), reason));
  if (typeof message === 'string' && message.length > MAX_MESSAGE_LENGTH) {
    errors.push(fieldError.tooLong(path.child('message'), MAX_MESSAGE_LENGTH));
  }
  return errors;
}

function validateReason(path: FieldPath, reason: unknown): FieldError[] {
  if (typeof reason !== 'string' || reason === '') return [fieldError.required(path)];
  if (reason.length > MAX_REASON_LENGTH) return [fieldError.tooLong(path, MAX_REASON_LENGTH)];
  return invalidEach(path, reason, conditionReasonErrors(reason));
}
