import type { JsonObject } from '../../api/json.ts';
import type { ApiObject } from '../../api/object.ts';
import type { ConditionValue } from '../conditions.ts';

/** Known by this name only: `kubectl certificate` takes no other. */
export const CERTIFICATES_GROUP = 'certificates.k8s.io';
/** Certificates by which clients sign in; the name that stock clients ask for. */
export const API_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';

export interface RequestSpec extends JsonObject {
  request?: string;
  signerName?: string;
  expirationSeconds?: number;
  usages?: string[];
}

export interface RequestCondition extends ConditionValue {
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
}

export type SigningRequest = ApiObject & {
  spec: RequestSpec;
  status: { conditions?: RequestCondition[]; certificate?: string };
};

/** Does the request carry this condition? Those that matter are True or absent. */
export function isIn(request: SigningRequest, type: string): boolean {
  return (request.status.conditions ?? []).some((condition) => condition.type === type);
}
