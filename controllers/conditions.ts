import { isObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { formatTime } from '../api/time.ts';

/** What a loop has found out, as a condition says it. */
export interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * The conditions with the findings in them, others kept; undefined when nothing
 * changes. Only a change of status moves lastTransitionTime (specification 1, section 3).
 */
export function withFindings(
  present: JsonValue | undefined,
  findings: readonly Finding[],
  now: number,
): JsonObject[] | undefined {
  const before = Array.isArray(present) ? present.filter(isObject) : [];
  const after = [...before];
  let isChanged = false;
  for (const finding of findings) {
    const at = after.findIndex(({ type }) => type === finding.type);
    const old = after[at];
    if (old !== undefined && says(old, finding)) continue;
    isChanged = true;
    const isSameStatus =
      old?.status === finding.status && typeof old.lastTransitionTime === 'string';
    const lastTransitionTime = isSameStatus ? (old.lastTransitionTime ?? null) : formatTime(now);
    const condition: JsonObject = { ...old, ...finding, lastTransitionTime };
    if (old === undefined) after.push(condition);
    else after[at] = condition;
  }
  return isChanged ? after : undefined;
}

function says(condition: JsonObject, { status, reason, message }: Finding): boolean {
  const text = (value: JsonValue | undefined): JsonValue => value ?? '';
  return (
    condition.status === status &&
    text(condition.reason) === reason &&
    text(condition.message) === message
  );
}
