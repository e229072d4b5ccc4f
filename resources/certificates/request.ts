import type { ValueOf } from '../../schema/shape.ts';
import type { requestSchema } from './request-schema.ts';

/** Certificates by which clients sign in; the name that stock clients ask for. */
export const API_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

export type SigningRequest = ValueOf<typeof requestSchema>;
/** What is asked for; checked whatever is missing of it. */
export type RequestSpec = Partial<SigningRequest['spec']>;
type Condition = NonNullable<SigningRequest['status']['conditions']>[number];
/** Writers may leave out its times. */
export type RequestCondition = Pick<Condition, 'type' | 'status'> & Partial<Condition>;

/** Does the request carry this condition? Those that matter are True or absent. */
export function isIn(request: SigningRequest, type: string): boolean {
  return (request.status.conditions ?? []).some((condition) => condition.type === type);
}
