import type { ApiObject } from '../api/object.ts';
import type { Warnings } from '../api/warnings.ts';
import { inTurns } from '../api/steps.ts';
import { entriesOf, managersSteps } from '../patch/apply/managers.ts';

/**
 * What admission has made of managedFields counts only when it can be read:
 * otherwise they are as before, and the client is told. Source:
 * k8s.io/apimachinery util/managedfields, admission.
 */
export async function keepValidManagers(
  admitted: ApiObject,
  before: ApiObject,
  warnings: Warnings,
): Promise<void> {
  if ((await inTurns(managersSteps(entriesOf(admitted)))) !== undefined) return;
  const { managedFields } = before.metadata;
  const metadata = admitted.metadata;
  if (managedFields === undefined) delete metadata.managedFields;
  else metadata.managedFields = managedFields;
  warnings.add(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests',
  );
}
