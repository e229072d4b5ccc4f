import type { CrdCondition, CrdConditionType, CrdStatus } from './crd-types.ts';

export interface NewCondition {
  readonly type: CrdConditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * The status with a condition set. Its time changes only when its status does.
 * The same object when nothing changes. `now`: RFC 3339.
 */
export function withCondition(status: CrdStatus, next: NewCondition, now: string): CrdStatus {
  const conditions = status.conditions ?? [];
  const before = conditions.find(({ type }) => type === next.type);
  if (before !== undefined && isSame(before, next)) return status;
  const isTransition = before?.status !== next.status;
  const after: CrdCondition = {
    ...next,
    lastTransitionTime: isTransition ? now : (before.lastTransitionTime ?? now),
  };
  return {
    ...status,
    conditions:
      before === undefined
        ? [...conditions, after]
        : conditions.map((condition) => (condition === before ? after : condition)),
  };
}

function isSame(before: CrdCondition, next: NewCondition): boolean {
  return (
    before.status === next.status &&
    before.reason === next.reason &&
    before.message === next.message &&
    typeof before.lastTransitionTime === 'string'
  );
}
