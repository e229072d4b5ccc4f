import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { ShownVersions } from '../shown-versions.ts';
import type { Invocation } from './asker.ts';
import type { WebhookParts } from './parts.ts';
import { ReviewTexts } from './review-request.ts';
import { WebhookCalls } from './webhook-calls.ts';

const FAILED_OPEN = 'failed-open.validating.webhook.admission.cluster.io/round_0_index_';

/**
 * Asks the webhooks of ValidatingWebhookConfigurations, all at the same time,
 * and waits for each of them; the first in their order that stands in the way is
 * what the client is told of. Source: specification 3, section 2.3; behaviours 8.6.
 */
export class ValidatingWebhooks implements AdmissionPlugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #calls: WebhookCalls;

  constructor(parts: WebhookParts) {
    this.#calls = new WebhookCalls(parts, 'validating');
  }

  handles(_: Operation, attributes: AdmissionAttributes): boolean {
    return this.#calls.handles(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    await attributes.prepareOldObject?.();
    const shown = new ShownVersions(attributes);
    const texts = new ReviewTexts();
    const invocations: Invocation[] = [];
    for (const webhook of this.#calls.candidates(attributes)) {
      const matched = await this.#calls.matched(webhook, attributes, shown);
      if (matched === undefined) continue;
      const objects = await shown.showIn(matched.kind);
      invocations.push({ webhook, attributes, matched, objects, texts });
    }
    if (invocations.length === 0) return;
    this.#calls.requireTime(attributes);
    const outcomes = await Promise.allSettled(
      invocations.map((invocation) => this.#ask(invocation)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason as Error;
  }

  async #ask(invocation: Invocation): Promise<void> {
    const { webhook, attributes } = invocation;
    try {
      await this.#calls.ask(invocation, () => undefined);
    } catch (error) {
      this.#calls.passOver(error, webhook, attributes);
      attributes.audit.set(`${FAILED_OPEN}${webhook.index}`, webhook.name);
    }
  }
}
