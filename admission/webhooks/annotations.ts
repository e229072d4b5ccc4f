import { PATCH_AUDIT_PREFIX } from '../../api/naming.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { Webhook } from './webhook.ts';

const MUTATION = 'mutation.webhook.admission.cluster.io/';
const FAILED_OPEN = 'failed-open.mutation.webhook.admission.cluster.io/';

/** What the audit event says of one call of a mutating webhook (behaviours 8.11). */
export class MutationAnnotations {
  readonly #audit: Map<string, string>;
  readonly #webhook: Webhook;
  readonly #place: string;

  constructor({ audit }: AdmissionAttributes, webhook: Webhook, round: number) {
    this.#audit = audit;
    this.#webhook = webhook;
    this.#place = `round_${round}_index_${webhook.index}`;
  }

  addMutation(mutated: boolean): void {
    const { configuration, name: webhook } = this.#webhook;
    this.#audit.set(MUTATION + this.#place, JSON.stringify({ configuration, webhook, mutated }));
  }

  /** `patch`: the text of a JSON patch. It holds parts of the object, which not every audit level shows. */
  addPatch(patch: string): void {
    const { configuration, name: webhook } = this.#webhook;
    const head = JSON.stringify({ configuration, webhook }).slice(0, -1);
    this.#audit.set(
      PATCH_AUDIT_PREFIX + this.#place,
      `${head},"patch":${patch},"patchType":"JSONPatch"}`,
    );
  }

  addFailedOpen(): void {
    this.#audit.set(FAILED_OPEN + this.#place, this.#webhook.name);
  }
}
