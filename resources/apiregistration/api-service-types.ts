import type { ValueOf } from '../../schema/shape.ts';
import type { apiServiceSchema } from './api-service-schema.ts';

export const API_SERVICE_GROUP = 'apiregistration.cluster.io';
export const API_SERVICE_PLURAL = 'apiservices';

/** An APIService as its codec decodes it. */
export type ApiService = ValueOf<typeof apiServiceSchema>;
export type ApiServiceSpec = ApiService['spec'];

/** What is handled by this server itself is available at once. Source: behaviours 9.17. */
export const LOCAL_AVAILABLE = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** False also until the first check of its backend. */
export function isAvailable({ status }: ApiService): boolean {
  return (
    status.conditions?.some((one) => one.type === 'Available' && one.status === 'True') ?? false
  );
}
