import type { AdmissionAttributes } from '../attributes.ts';
import type { ResourceVersion } from '../kind-access.ts';
import { isExemptFromWebhooks } from '../match/exempt.ts';
import { LiveCandidates } from '../match/live-candidates.ts';
import type { ShownRequest } from '../shown-request.ts';
import { Asker, isGivenUp, type Invocation } from './asker.ts';
import { failedClosed, givenUp, WebhookFailure } from './failures.ts';
import type { WebhookParts } from './parts.ts';
import type { ReviewResponse } from './review-response.ts';
import { Selection } from './selection.ts';
import type { Webhook } from './webhook.ts';

/** How metrics call the two halves of admission. */
type Half = 'admit' | 'validating';

/** What both halves do alike: find the webhooks of a request, ask them, and decide what a failure means. */
export class WebhookCalls {
  readonly #parts: WebhookParts;
  readonly #half: Half;
  readonly #asker: Asker;
  readonly #selection: Selection;
  readonly #candidates: LiveCandidates<Webhook>;

  constructor(parts: WebhookParts, half: Half) {
    this.#parts = parts;
    this.#half = half;
    this.#asker = new Asker(parts, half === 'admit');
    this.#selection = new Selection(parts.namespaces, parts.authorizer);
    this.#candidates = new LiveCandidates(parts.webhooks);
  }

  handles(attributes: AdmissionAttributes): boolean {
    return this.candidates(attributes).length > 0 && !isExemptFromWebhooks(attributes);
  }

  /** Those that may be concerned, in the order in which they are asked. */
  candidates(attributes: AdmissionAttributes): readonly Webhook[] {
    return this.#candidates.for(attributes);
  }

  /** See {@link Selection.matched}. */
  matched(
    webhook: Webhook,
    attributes: AdmissionAttributes,
    shown: ShownRequest,
  ): Promise<ResourceVersion | undefined> {
    return this.#selection.matched(webhook, attributes, shown);
  }

  /** See {@link Asker.ask}. */
  ask<T>(invocation: Invocation, use: (response: ReviewResponse) => T | Promise<T>): Promise<T> {
    return this.#asker.ask(invocation, use);
  }

  /** @throws ApiError 504 when the request itself has been given up */
  requireTime(attributes: AdmissionAttributes): void {
    if (isGivenUp(attributes, this.#parts.clock)) throw givenUp();
  }

  /**
   * Goes on after a webhook that has failed and may.
   *
   * @throws ApiError or `error` itself when it may not, or when the
   *   webhook has not caused it
   */
  passOver(error: unknown, webhook: Webhook, attributes: AdmissionAttributes): void {
    if (!(error instanceof WebhookFailure)) throw error;
    this.requireTime(attributes);
    const { name, configuration, configurationUid, ignoresFailure } = webhook;
    const isMutating = this.#half === 'admit';
    this.#parts.onFailure({
      kind: isMutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
      name: configuration,
      uid: configurationUid,
      what: error.message,
      ignored: ignoresFailure,
    });
    if (!ignoresFailure) throw failedClosed(error);
    const kind = isMutating ? 'mutating' : 'validating';
    this.#parts.onProblem(`a ${kind} webhook failed and was ignored`, error);
    this.#parts.observer.webhookFailedOpen({ name, type: this.#half });
  }
}
