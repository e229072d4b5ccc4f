import { stringifyJson } from '../../api/json-write.ts';
import type { JsonObject } from '../../api/json.ts';

/** The longest value of an annotation of a policy, in characters. */
const MAX_VALUE_LENGTH = 10 * 1024;
const FAILURES = 'validation.policy.admission.cluster.io/validation_failure';

/** What policies add to the audit event of a request. */
export class PolicyAnnotations {
  readonly #audit: Map<string, string>;
  /** By `<policy>/<key>`; several bindings and parameters may each have a value. */
  readonly #values = new Map<string, string[]>();
  readonly #failures: JsonObject[] = [];

  constructor(audit: Map<string, string>) {
    this.#audit = audit;
  }

  add(policy: string, key: string, value: string): void {
    const name = `${policy}/${key}`;
    const values = this.#values.get(name) ?? [];
    const cut = value.slice(0, MAX_VALUE_LENGTH);
    if (!values.includes(cut)) this.#values.set(name, [...values, cut]);
  }

  /** A validation that failed, for bindings with the action Audit. */
  addFailure(
    policy: string,
    binding: string,
    validationActions: readonly string[],
    { index, message }: { index: number; message: string },
  ): void {
    this.#failures.push({
      message,
      policy,
      binding,
      expressionIndex: index,
      validationActions: [...validationActions],
    });
  }

  publish(): void {
    for (const [name, values] of this.#values) {
      if (!this.#audit.has(name)) this.#audit.set(name, values.join(', '));
    }
    if (this.#failures.length > 0) this.#audit.set(FAILURES, stringifyJson(this.#failures));
  }
}
