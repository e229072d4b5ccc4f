import { apiError, type ApiError } from '../../api/api-error.ts';
import { isStepOver, type Steps } from '../../api/steps.ts';
import { pathTextsSteps } from './fields-v1.ts';
import { identityText, type Manager, type ManagerIdentity } from './managers.ts';
import type { OwnedConflict } from './ownership.ts';

/** One field that an apply would take from another manager. */
export interface ApplyConflict {
  readonly manager: ManagerIdentity;
  /** `.spec.replicas`, `.spec.containers[name="web"].image`. */
  readonly path: string;
}

/** The conflicts field by field, managers in the order in which they are told. */
export function* conflictSteps(owned: readonly OwnedConflict[]): Steps<ApplyConflict[]> {
  const conflicts: ApplyConflict[] = [];
  const inOrder = [...owned].sort((a, b) => (orderText(a.manager) < orderText(b.manager) ? -1 : 1));
  for (const { manager, fields } of inOrder) {
    for (const path of yield* pathTextsSteps(fields)) {
      if (isStepOver()) yield;
      conflicts.push({ manager: manager.identity, path });
    }
  }
  return conflicts;
}

/** Conflicts are reported in the order of this text. */
export function orderText({ identity }: Manager): string {
  return identityText(identity);
}

/**
 * The 409 for an apply that others stand in the way of, one cause per field
 * (behaviours 5.11). Apply managers are named alone, those of updates with their version.
 */
export function conflictError(conflicts: readonly ApplyConflict[]): ApiError {
  return apiError(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${managerText(manager)}`,
      field: path,
    })),
  });
}

function conflictMessage(conflicts: readonly ApplyConflict[]): string {
  const [only] = conflicts;
  if (only !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${managerText(only.manager)}: ${only.path}`;
  }
  const lines: string[] = [];
  let last: ManagerIdentity | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== last) lines.push(`conflicts with ${managerText(manager)}:`);
    lines.push(`- ${path}`);
    last = manager;
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ name, operation, apiVersion, subresource }: ManagerIdentity): string {
  const named = JSON.stringify(name ?? '');
  const where =
    subresource === '' ? named : `${named} with subresource ${JSON.stringify(subresource)}`;
  return operation === 'Update' ? `${where} using ${apiVersion ?? ''}` : where;
}
