import { ApiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import type { JsonValue } from '../../api/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { beginDecision, type DecisionParts, type Extension } from '../decisions.ts';
import { endpointOf } from '../../outbound/endpoint.ts';
import type { ResourceVersion } from '../kind-access.ts';
import type { AdmissionObserver, WebhookErrorType } from '../observer.ts';
import { statusOf, type ReviewCaller } from './caller.ts';
import { denied, noDryRun, WebhookFailure } from './failures.ts';
import type { ReviewedObjects } from '../shown-request.ts';
import { reviewRequest, type ReviewTexts } from './review-request.ts';
import { InvalidResponse, readResponse, type ReviewResponse } from './review-response.ts';
import type { ReviewVersion, Webhook } from './webhook.ts';

/** A webhook that is to be asked about a request, and what it is shown. */
export interface Invocation {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly matched: ResourceVersion;
  readonly objects: ReviewedObjects;
  readonly texts: ReviewTexts;
}

export interface AskerParts extends DecisionParts {
  readonly caller: ReviewCaller;
  readonly observer: AdmissionObserver;
  readonly newUid: () => string;
}

/** Asks webhooks, one at a time, and counts how that went. */
export class Asker {
  readonly #parts: AskerParts;
  readonly #mutating: boolean;

  constructor(parts: AskerParts, mutating: boolean) {
    this.#parts = parts;
    this.#mutating = mutating;
  }

  /**
   * Asks, and does something with the answer; both count as the call. What the
   * server refuses before it asks does not count.
   *
   * @throws WebhookFailure when the webhook could not be asked, ApiError when it
   *   said no, or when the request cannot be shown to it
   */
  async ask<T>(
    invocation: Invocation,
    use: (response: ReviewResponse) => T | Promise<T>,
  ): Promise<T> {
    const { webhook, attributes } = invocation;
    const { clock, observer } = this.#parts;
    const start = clock.monotonic();
    const type = this.#mutating ? 'admit' : 'validating';
    const count = (rejected: boolean, code: number, why?: WebhookErrorType): void => {
      const seconds = (clock.monotonic() - start) / 1000;
      const { operation } = attributes;
      const call = { name: webhook.name, type, operation, rejected, seconds };
      observer.webhook(call, code);
      if (why !== undefined) observer.webhookRejected(call, why, code);
    };
    const decided = beginDecision(this.#parts, this.#extensionOf(webhook), attributes);
    try {
      const response = await this.#response(invocation);
      if (!response.allowed) {
        const error = denied(webhook.name, response.result);
        count(true, error.code, 'no_error');
        decided('refused', error.message);
        throw new Denial(error);
      }
      const used = await use(response);
      count(false, 200);
      decided('allowed');
      return used;
    } catch (error) {
      if (error instanceof Denial || error instanceof NotAsked) throw error.error;
      const isFailure = error instanceof WebhookFailure;
      const isPassedOver = isFailure && webhook.ignoresFailure;
      const isOver = isGivenUp(attributes, clock);
      if (!isFailure) count(true, 0, 'apiserver_internal_error');
      else if (isPassedOver) count(false, error.code);
      else count(true, error.code, isOver ? undefined : 'calling_webhook_error');
      // a request that has been given up says nothing of the webhook
      if (!isOver) decided('failed', isPassedOver ? undefined : messageOf(error));
      throw error;
    }
  }

  #extensionOf({ configuration, configurationUid, name }: Webhook): Extension {
    const kind = this.#mutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration';
    return { kind, name: configuration, uid: configurationUid, webhook: name };
  }

  async #response(invocation: Invocation): Promise<ReviewResponse> {
    const { webhook, attributes } = invocation;
    if (attributes.dryRun && !webhook.allowsDryRun) throw noDryRun(webhook.name);
    const version = webhook.reviewVersion;
    if (version === undefined) {
      const why =
        'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)';
      throw new WebhookFailure(webhook.name, why, 400);
    }
    const response = await this.#answer(invocation, version);
    const { audit, warnings } = attributes;
    for (const [key, value] of response.auditAnnotations) {
      const name = `${webhook.name}/${key}`;
      if (!audit.has(name)) audit.set(name, value);
    }
    for (const warning of response.warnings) warnings.add(warning);
    return response;
  }

  async #answer(invocation: Invocation, version: ReviewVersion): Promise<ReviewResponse> {
    const { webhook, attributes } = invocation;
    const { caller, newUid } = this.#parts;
    const uid = newUid();
    const review = await reviewRequest(version, uid, invocation);
    const { whileWaiting, deadline, signal } = attributes;
    const call = (): Promise<JsonValue> =>
      caller.call({
        endpoint: endpointOf(webhook.clientConfig),
        review,
        timeoutMs: webhook.timeoutMs,
        deadline,
        signal,
      });
    let answer;
    try {
      answer = await (whileWaiting === undefined ? call() : whileWaiting(call));
    } catch (error) {
      // the server is at a limit of its own, which failurePolicy does not ignore
      if (error instanceof ApiError) throw new NotAsked(error);
      const why = `failed to call webhook: ${(error as Error).message}`;
      throw new WebhookFailure(webhook.name, why, statusOf(error), error);
    }
    try {
      return readResponse(answer, { version, uid, mutating: this.#mutating });
    } catch (error) {
      if (!(error instanceof InvalidResponse)) throw error;
      const why = `received invalid webhook response: ${error.message}`;
      throw new WebhookFailure(webhook.name, why, 503, error);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The webhook said no, which is counted. */
class Denial extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

/** The call was not begun, so that nothing counts. */
class NotAsked extends Error {
  readonly error: ApiError;

  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

/** Timers may ring this much before their time. */
const EARLY_MS = 5;

/** The client has gone, or the request's own time is over: nothing that the webhook has done. */
export function isGivenUp({ signal, deadline }: AdmissionAttributes, clock: Clock): boolean {
  const isLate = deadline !== undefined && clock.monotonic() >= deadline - EARLY_MS;
  return isLate || signal?.aborted === true;
}
