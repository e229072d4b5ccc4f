import { fieldError, type FieldError } from '../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../api/field-error-list.ts';
import type { FieldPath } from '../api/field-path.ts';
import { labelValueErrors, qualifiedNameErrors } from '../api/names.ts';
import { int64, string, struct, time } from '../schema/dsl.ts';
import type { ValueOf } from '../schema/shape.ts';

/** Taints of nodes, and the tolerations that answer them. */

const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
const EFFECTS_EXPLAINED =
  'NoSchedule: no new Pods are scheduled here, those that run go on. PreferNoSchedule: the scheduler tries to avoid it. NoExecute: Pods that run and do not tolerate it are evicted as well.';

type TaintValue = ValueOf<typeof Taint>;
type TolerationValue = ValueOf<typeof Toleration>;

export const Taint = struct(
  'io.cluster.core.v1.Taint',
  {
    key: string({ required: true, description: 'The key of the taint.' }),
    value: string({ description: 'The value that belongs to the key.' }),
    effect: string({
      required: true,
      enum: TAINT_EFFECTS,
      description: `What happens to Pods that do not tolerate the taint. ${EFFECTS_EXPLAINED}`,
    }),
    timeAdded: time({ pointer: true, description: 'When the taint was added.' }),
  },
  {
    description: 'Keeps Pods that do not tolerate it away from the node that has it.',
    numbers: { key: 1, value: 2, effect: 3, timeAdded: 4 },
  },
);

export const Toleration = struct(
  'io.cluster.core.v1.Toleration',
  {
    key: string({
      description:
        'The key of the taint. An empty key matches every key; then the operator must be Exists.',
    }),
    operator: string({
      enum: ['Exists', 'Equal', 'Lt', 'Gt'],
      description:
        'How key and value are compared; Equal when absent. Exists matches every value. Lt and Gt compare numbers and need the feature gate TaintTolerationComparisonOperators.',
    }),
    value: string({
      description: 'The value of the taint; empty when the operator is Exists.',
    }),
    effect: string({
      enum: TAINT_EFFECTS,
      description: `The effect of the taint; an empty one matches all. ${EFFECTS_EXPLAINED}`,
    }),
    tolerationSeconds: int64({
      pointer: true,
      description:
        'How long a taint with the effect NoExecute is tolerated; forever when absent, not at all when zero or negative. Ignored with other effects.',
    }),
  },
  {
    description: 'Matches taints by key, value and effect.',
    numbers: { key: 1, operator: 2, value: 3, effect: 4, tolerationSeconds: 5 },
  },
);

/** Source: specification 2, section 2.1; behaviours 9.12. */
export function validateTaints(path: FieldPath, taints: readonly TaintValue[]): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(taints, (taint, i) => {
    const at = path.index(i);
    const errors = [
      ...invalidEach(at.child('key'), taint.key, qualifiedNameErrors(taint.key)),
      ...invalidEach(at.child('value'), taint.value ?? '', labelValueErrors(taint.value ?? '')),
      ...validateTaintEffect(at.child('effect'), taint.effect),
    ];
    const identity = JSON.stringify([taint.key, taint.effect]);
    if (seen.has(identity)) {
      const why = 'taints must be unique by key and effect pair';
      errors.push({ ...fieldError.duplicate(at, { ...taint }), detail: why });
    }
    seen.add(identity);
    return errors;
  });
}

function validateTaintEffect(path: FieldPath, effect: string): FieldError[] {
  if (effect === '') return [fieldError.required(path)];
  return (TAINT_EFFECTS as readonly string[]).includes(effect)
    ? []
    : [fieldError.notSupported(path, effect, TAINT_EFFECTS)];
}

interface TolerationOptions {
  /** Lt and Gt are known. */
  readonly comparisons: boolean;
}

/** Source: specification 2, section 2.2: tolerationSeconds with another effect than NoExecute is ignored, not refused. */
export function validateTolerations(
  path: FieldPath,
  tolerations: readonly TolerationValue[],
  options: TolerationOptions,
): FieldError[] {
  const seen = new Set<string>();
  return errorsOfEach(tolerations, (toleration, i) => {
    const errors = validateToleration(path.index(i), toleration, options);
    // how long it lasts makes no other toleration of it
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const identity = JSON.stringify([key, operator, value, effect]);
    if (seen.has(identity)) errors.push(fieldError.duplicate(path.index(i), { ...toleration }));
    seen.add(identity);
    return errors;
  });
}

function validateToleration(
  path: FieldPath,
  { key = '', operator = '', value = '', effect = '' }: TolerationValue,
  options: TolerationOptions,
): FieldError[] {
  const errors: FieldError[] = [];
  if (key !== '') {
    errors.push(...invalidEach(path.child('key'), key, qualifiedNameErrors(key)));
  } else if (operator !== 'Exists') {
    const why =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(fieldError.invalid(path.child('operator'), operator, why));
  }
  errors.push(...validateOperator(path, operator, value, options));
  if (effect !== '') errors.push(...validateTaintEffect(path.child('effect'), effect));
  return errors;
}

function validateOperator(
  path: FieldPath,
  operator: string,
  value: string,
  { comparisons }: TolerationOptions,
): FieldError[] {
  const at = path.child('value');
  if (operator === '' || operator === 'Equal') {
    return invalidEach(at, value, labelValueErrors(value));
  }
  if (operator === 'Exists') {
    return value === ''
      ? []
      : [fieldError.invalid(at, value, "value must be empty when `operator` is 'Exists'")];
  }
  if (comparisons && (operator === 'Lt' || operator === 'Gt')) {
    return isInt64(value)
      ? []
      : [fieldError.invalid(at, value, 'must be an integer when `operator` is Lt or Gt')];
  }
  const supported = comparisons ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'];
  return [fieldError.notSupported(path.child('operator'), operator, supported)];
}

const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;

/** One text for each number: no sign before zero, no zeros in front. */
function isInt64(text: string): boolean {
  if (!INTEGER.test(text)) return false;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value;
}
