import { systemClock, type Clock } from '../api/clock.ts';
import type { AdmissionAttributes, Operation } from './attributes.ts';
import { NO_OBSERVER, type AdmissionObserver } from './observer.ts';
import { MutationPass } from './reinvocation.ts';

/**
 * One link of the chain. A plugin refuses by throwing an ApiError. Where there
 * is nothing to wait for it answers without a promise: most requests meet
 * nothing that is slow.
 */
export interface AdmissionPlugin {
  readonly name: string;
  /** Has something to do with requests like this one. Cheap. */
  handles(operation: Operation, attributes: AdmissionAttributes): boolean;
  /**
   * May change `attributes.object`, or put another in its place, and must bring
   * it into form with `attributes.access.normalise`; nothing else of the
   * attributes is its to change.
   */
  mutate?(attributes: AdmissionAttributes, pass: MutationPass): Promise<unknown> | undefined;
  /** Changes nothing. */
  validate?(attributes: AdmissionAttributes): Promise<unknown> | undefined;
}

interface ChainParts {
  readonly observer?: AdmissionObserver;
  readonly clock?: Clock;
}

type StepType = 'admit' | 'validate';
type Turn = (plugin: AdmissionPlugin) => Promise<unknown> | undefined;

/**
 * Admission in order: every mutating plugin, all of them once more when one has
 * changed the object after others had seen it, then every validating one.
 * Source: behaviours 8.1 and 8.6; k8s.io/apiserver pkg/admission.
 */
export class AdmissionChain {
  readonly #mutating: readonly AdmissionPlugin[];
  readonly #validating: readonly AdmissionPlugin[];
  readonly #observer: AdmissionObserver;
  readonly #clock: Clock;

  constructor(
    plugins: readonly AdmissionPlugin[],
    { observer = NO_OBSERVER, clock = systemClock }: ChainParts = {},
  ) {
    this.#mutating = plugins.filter((plugin) => 'mutate' in plugin);
    this.#validating = plugins.filter((plugin) => 'validate' in plugin);
    this.#observer = observer;
    this.#clock = clock;
  }

  /** @throws ApiError (also as rejection) */
  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const pass = new MutationPass();
    const turn: Turn = (plugin) => plugin.mutate?.(attributes, pass);
    const round = (): Promise<void> | undefined =>
      this.#inTurn(this.#mutating, attributes, 'admit', turn);
    return this.#observed(undefined, 'admit', attributes.operation, () =>
      after(round(), () => (pass.beginSecond() ? round() : undefined)),
    );
  }

  /** @throws ApiError (also as rejection) */
  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const turn: Turn = (plugin) => plugin.validate?.(attributes);
    return this.#observed(undefined, 'validate', attributes.operation, () =>
      this.#inTurn(this.#validating, attributes, 'validate', turn),
    );
  }

  #inTurn(
    plugins: readonly AdmissionPlugin[],
    attributes: AdmissionAttributes,
    type: StepType,
    turn: Turn,
    from = 0,
  ): Promise<void> | undefined {
    const { operation } = attributes;
    for (let i = from; i < plugins.length; i++) {
      const plugin = plugins[i] as AdmissionPlugin;
      if (!plugin.handles(operation, attributes)) continue;
      const running = this.#observed(plugin, type, operation, turn);
      if (running !== undefined) {
        return running.then(() => this.#inTurn(plugins, attributes, type, turn, i + 1));
      }
    }
    return undefined;
  }

  /** Measures a plugin, or a whole step where there is none. */
  #observed<P extends AdmissionPlugin | undefined>(
    plugin: P,
    type: StepType,
    operation: Operation,
    run: (plugin: P) => Promise<unknown> | undefined,
  ): Promise<void> | undefined {
    const start = this.#clock.monotonic();
    let running: Promise<unknown> | undefined;
    try {
      running = run(plugin);
    } catch (error) {
      this.#ran(plugin, type, operation, start, true);
      throw error;
    }
    if (running === undefined) {
      this.#ran(plugin, type, operation, start, false);
      return undefined;
    }
    return running.then(
      () => this.#ran(plugin, type, operation, start, false),
      (error: unknown) => {
        this.#ran(plugin, type, operation, start, true);
        throw error;
      },
    );
  }

  #ran(
    plugin: AdmissionPlugin | undefined,
    type: StepType,
    operation: Operation,
    start: number,
    rejected: boolean,
  ): void {
    const seconds = (this.#clock.monotonic() - start) / 1000;
    if (plugin === undefined) this.#observer.step({ type, operation, rejected, seconds });
    else this.#observer.plugin({ name: plugin.name, type, operation, rejected, seconds });
  }
}

function after(
  first: Promise<void> | undefined,
  next: () => Promise<void> | undefined,
): Promise<void> | undefined {
  return first === undefined ? next() : first.then(next);
}
