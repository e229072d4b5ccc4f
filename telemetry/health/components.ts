import type { ApiObject } from '../../api/object.ts';
import type { HealthCheck, HealthChecks } from './health-checks.ts';

/**
 * How the parts of the installation are at this moment, as ComponentStatus
 * objects in the order of their names. Source: specification 1, section 2.2;
 * behaviours 9.15.
 */
export async function componentStatuses(checks: HealthChecks): Promise<ApiObject[]> {
  const statuses = await Promise.all(checks.components().map((check) => statusOf(checks, check)));
  return statuses.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
}

async function statusOf(checks: HealthChecks, check: HealthCheck): Promise<ApiObject> {
  const { error, warning = 'ok' } = await checks.run(check);
  const outcome =
    error === undefined
      ? { status: 'True', message: warning }
      : { status: 'False', error: error.message };
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: { name: check.component ?? check.name },
    conditions: [{ type: 'Healthy', ...outcome }],
  };
}
