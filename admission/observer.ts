import type { Operation } from './attributes.ts';

/** One call of a plugin or a webhook. */
interface AdmissionCall {
  readonly name: string;
  /** `admit` for what may change the object; `validate`, of webhooks `validating`, for what only looks. */
  readonly type: string;
  readonly operation: Operation;
  readonly rejected: boolean;
  readonly seconds: number;
}

/** Why a webhook stood in the way: it could not be called, the server failed, or it said no. */
export type WebhookErrorType = 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error';

/** What admission tells of itself; called on hot paths. */
export interface AdmissionObserver {
  step(step: Omit<AdmissionCall, 'name'>): void;
  plugin(call: AdmissionCall): void;
  /** `code`: the status of the answer, or that of the failure. */
  webhook(call: AdmissionCall, code: number): void;
  webhookRejected(call: AdmissionCall, errorType: WebhookErrorType, code: number): void;
  webhookFailedOpen(call: Pick<AdmissionCall, 'name' | 'type'>): void;
}

export const NO_OBSERVER: AdmissionObserver = {
  step: () => undefined,
  plugin: () => undefined,
  webhook: () => undefined,
  webhookRejected: () => undefined,
  webhookFailedOpen: () => undefined,
};
