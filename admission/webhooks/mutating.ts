import { equalSteps } from '../../api/json-steps.ts';
import { inTurns } from '../../api/steps.ts';
import type { AdmissionAttributes, Operation } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { Reinvocations, type MutationPass } from '../reinvocation.ts';
import { MutationAnnotations } from './annotations.ts';
import type { WebhookParts } from './parts.ts';
import { ReviewTexts } from './review-request.ts';
import type { ReviewResponse } from './review-response.ts';
import { VersionedRequest } from '../versioned-request.ts';
import { WebhookCalls } from './webhook-calls.ts';
import { applyPatch, patchOperations } from './webhook-patch.ts';
import type { Webhook } from './webhook.ts';

/**
 * Asks the webhooks of MutatingWebhookConfigurations, one after the other: each
 * sees what those before it have made of the object. Source: specification 3,
 * section 2.3; behaviours 8.6; k8s.io/apiserver pkg/admission/plugin/webhook/mutating.
 */
export class MutatingWebhooks implements AdmissionPlugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #calls: WebhookCalls;

  constructor(parts: WebhookParts) {
    this.#calls = new WebhookCalls(parts, 'admit');
  }

  handles(_: Operation, attributes: AdmissionAttributes): boolean {
    return this.#calls.handles(attributes);
  }

  async mutate(attributes: AdmissionAttributes, pass: MutationPass): Promise<void> {
    const again = pass.memoryOf(this, () => new Reinvocations());
    if (pass.isSecond) await again.compareWithOutput(attributes.object);
    await attributes.prepareOldObject?.();
    const shown = new VersionedRequest(attributes);
    for (const webhook of this.#calls.candidates(attributes)) {
      // what was passed over in the first round stays so, whatever the object is like now
      if (pass.isSecond && !again.isRequired(webhook.id)) continue;
      const matched = await this.#calls.matched(webhook, attributes, shown);
      if (matched === undefined) continue;
      await shown.showIn(matched.kind);
      this.#calls.requireTime(attributes);
      const isChanged = await this.#ask(webhook, attributes, pass, () =>
        this.#calls.ask(
          { webhook, attributes, matched, objects: shown, texts: new ReviewTexts() },
          (response) => patched(webhook, response, shown, attributes),
        ),
      );
      if (isChanged) {
        again.requireAgain();
        pass.requestSecond();
      }
      if (webhook.isReinvoked) again.addInvoked(webhook.id);
    }
    await shown.finish();
    await again.rememberOutput(attributes.object);
  }

  /** Whether the webhook has changed the object; one that fails and may has not. */
  async #ask(
    webhook: Webhook,
    attributes: AdmissionAttributes,
    pass: MutationPass,
    ask: () => Promise<Mutation>,
  ): Promise<boolean> {
    const annotations = new MutationAnnotations(attributes, webhook, pass.isSecond ? 1 : 0);
    let mutated = false;
    try {
      const { patch, isChanged } = await ask();
      mutated = isChanged;
      if (patch !== undefined) annotations.addPatch(patch);
    } catch (error) {
      this.#calls.passOver(error, webhook, attributes);
      annotations.addFailedOpen();
    } finally {
      annotations.addMutation(mutated);
    }
    return mutated;
  }
}

interface Mutation {
  /** Text of the patch; undefined: there was none. */
  readonly patch: string | undefined;
  readonly isChanged: boolean;
}

const NO_MUTATION: Mutation = { patch: undefined, isChanged: false };

/**
 * Applies the patch of an answer, and brings what comes out into form.
 *
 * @throws ApiError when the patch is none, does not fit, or makes no object of
 *   the kind; WebhookFailure when its type is unknown
 */
async function patched(
  webhook: Webhook,
  response: ReviewResponse,
  shown: VersionedRequest,
  { access }: AdmissionAttributes,
): Promise<Mutation> {
  const operations = await patchOperations(webhook.name, response);
  if (operations.length === 0) return NO_MUTATION;
  const before = shown.object;
  const sent = await applyPatch(webhook.name, response, operations, before);
  const changed = await access.normalise(sent, before);
  const isChanged = !(await inTurns(equalSteps(before ?? null, changed)));
  shown.replace(changed);
  return { patch: response.patch, isChanged };
}
