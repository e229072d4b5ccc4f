import type { ApiObject } from '../../api/object.ts';
import type { ConditionValue } from '../conditions.ts';

export const API_SERVICE_GROUP = 'apiregistration.cluster.io';
export const API_SERVICE_PLURAL = 'apiservices';

export interface ApiServiceSpec {
  /** Absent: this server answers itself. */
  service?: { namespace?: string; name?: string; port?: number };
  group?: string;
  version?: string;
  insecureSkipTLSVerify?: boolean;
  /** Base64 of PEM. */
  caBundle?: string;
  groupPriorityMinimum: number;
  versionPriority: number;
}

/** An APIService as its codec decodes it. */
export type ApiService = ApiObject & {
  spec: ApiServiceSpec;
  status: { conditions?: ApiServiceCondition[] };
};

export type ApiServiceCondition = ConditionValue & { reason?: string; message?: string };

/** What is handled by this server itself is available at once. Source: behaviours 9.17. */
export const LOCAL_AVAILABLE = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

export function isAvailable({ status }: ApiService): boolean {
  return (
    status.conditions?.some((one) => one.type === 'Available' && one.status === 'True') ?? false
  );
}
