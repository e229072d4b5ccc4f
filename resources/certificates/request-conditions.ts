import { fieldError, type FieldError } from '../../api/field-error.ts';
import { errorsOfEach } from '../../api/field-error-list.ts';
import { FieldPath } from '../../api/field-path.ts';
import { deepEqual } from '../../api/json.ts';
import { formatTime } from '../../api/time.ts';
import { validateConditions } from '../conditions.ts';
import type { RequestCondition } from './request.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');
/** The decisions of people, and what came of them: never taken back. */
const FINAL = ['Approved', 'Denied', 'Failed', 'Revoked'];
/** Set through `/approval` only, where the right to approve is asked for. */
const DECISIONS = ['Approved', 'Denied', 'Revoked'];

type Conditions = readonly RequestCondition[];

/** The rules for the conditions by themselves. Source: behaviours 9.22. */
export function validateRequestConditions(
  conditions: Conditions = [],
  old: Conditions | undefined,
): FieldError[] {
  const types = conditions.map(({ type }) => type);
  const contradiction = types.includes('Approved') && types.includes('Denied');
  const errors = errorsOfEach(conditions, ({ type, status }, i) => {
    const path = CONDITIONS.index(i);
    const found: FieldError[] = [];
    if (contradiction && type === 'Denied') {
      const why = 'Approved and Denied conditions are mutually exclusive';
      found.push(fieldError.invalid(path.child('type'), type, why));
    }
    if (types.indexOf(type) < i) found.push(fieldError.duplicate(path.child('type'), type));
    if (FINAL.includes(type) && status !== 'True') {
      found.push(fieldError.notSupported(path.child('status'), status, ['True']));
    }
    return found;
  });
  return [...validateConditions(CONDITIONS, conditions, old), ...errors];
}

/** What is final stays, and decisions come in by their own way. */
export function validateFinalConditions(
  conditions: Conditions = [],
  old: Conditions = [],
  mayDecide: boolean,
): FieldError[] {
  return FINAL.flatMap((type) => {
    const now = conditions.find((condition) => condition.type === type);
    const before = old.find((condition) => condition.type === type);
    const problem =
      before !== undefined && now === undefined
        ? 'remove'
        : before === undefined && now !== undefined && !mayDecide && DECISIONS.includes(type)
          ? 'add'
          : before !== undefined && !deepEqual(before, now ?? null)
            ? 'modify'
            : undefined;
    if (problem === undefined) return [];
    const why = `updates may not ${problem} a condition of type ${JSON.stringify(type)}`;
    return [fieldError.forbidden(CONDITIONS, why)];
  });
}

/** Completes the times that a writer has left out: a condition keeps its own while its status stays. */
export function completeTimes(
  conditions: readonly RequestCondition[] | undefined,
  old: Conditions = [],
  now: number,
): void {
  for (const condition of conditions ?? []) {
    const before = old.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    condition.lastTransitionTime ??= before?.lastTransitionTime ?? formatTime(now);
    condition.lastUpdateTime ??= before?.lastUpdateTime ?? formatTime(now);
  }
}
