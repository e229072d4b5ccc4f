import type { JsonObject } from '../api/json.ts';
import { cloneSteps, equalSteps } from '../api/json-steps.ts';
import { inTurns } from '../api/steps.ts';

/**
 * The mutating half of admission of one request. It has a second round when
 * something in the first changed the object after others had looked at it.
 * Source: k8s.io/apiserver pkg/admission/reinvocation.go.
 */
export class MutationPass {
  #isSecond = false;
  #wantsSecond = false;
  readonly #memories = new Map<object, unknown>();

  /** True in the second round. */
  get isSecond(): boolean {
    return this.#isSecond;
  }

  /** The object has been changed: plugins that have seen it before may want to see it again. */
  requestSecond(): void {
    this.#wantsSecond = true;
  }

  /** Begins the second round; false when none is needed, or it has begun already. */
  beginSecond(): boolean {
    if (!this.#wantsSecond || this.#isSecond) return false;
    this.#isSecond = true;
    return true;
  }

  /** What a plugin remembers from the first round to the second. */
  memoryOf<T>(plugin: object, make: () => T): T {
    const memory = (this.#memories.get(plugin) as T | undefined) ?? make();
    this.#memories.set(plugin, memory);
    return memory;
  }
}

/** Which of its parts (webhooks, policies) a plugin has run, and which of them it runs again. */
export class Reinvocations {
  #invoked = new Set<string>();
  readonly #again = new Set<string>();
  #lastOutput: JsonObject | undefined;

  /** The part asked to be run again when the object changes after it. */
  addInvoked(part: string): void {
    this.#invoked.add(part);
  }

  /** The object has changed: what has been run so far has seen an older one. */
  requireAgain(): void {
    for (const part of this.#invoked) this.#again.add(part);
    this.#invoked = new Set();
  }

  /** At the beginning of the second round: others may have changed the object since the first. */
  async compareWithOutput(object: JsonObject | undefined): Promise<void> {
    if (this.#invoked.size === 0) return;
    const isSame = await inTurns(equalSteps(this.#lastOutput ?? null, object ?? null));
    if (!isSame) this.requireAgain();
  }

  /** At the end of the plugin's turn. */
  async rememberOutput(object: JsonObject | undefined): Promise<void> {
    if (this.#invoked.size === 0) return;
    this.#lastOutput = object && (await inTurns(cloneSteps(object)));
  }

  isRequired(part: string): boolean {
    return this.#again.has(part);
  }
}
