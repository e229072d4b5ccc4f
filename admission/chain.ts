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

export interface ChainParts {
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
    const plugins = this.#mutating;
    const turn: Turn = (plugin) => plugin.mutate?.(attributes, pass);
    const again = (): Promise<void> | undefined =>
      pass.beginSecond() ? this.#inTurn(plugins, attributes, 'admit', turn) : undefined;
    return this.#step(attributes, 'admit', () =>
      after(this.#inTurn(plugins, attributes, 'admit', turn), again),
    );
  }

  /** @throws ApiError (also as rejection) */
  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const turn: Turn = (plugin) => plugin.validate?.(attributes);
    return this.#step(attributes, 'validate', () =>
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
      const start = this.#clock.monotonic();
      let running: Promise<unknown> | undefined;
      try {
        running = turn(plugin);
      } catch (error) {
        this.#ranPlugin(plugin, type, operation, start, true);
        throw error;
      }
      if (running !== undefined) {
        return running.then(
          () => {
            this.#ranPlugin(plugin, type, operation, start, false);
            return this.#inTurn(plugins, attributes, type, turn, i + 1);
          },
          (error: unknown) => {
            this.#ranPlugin(plugin, type, operation, start, true);
            throw error;
          },
        );
      }
      this.#ranPlugin(plugin, type, operation, start, false);
    }
    return undefined;
  }

  /** Measures a whole step. */
  #step(
    { operation }: AdmissionAttributes,
    type: StepType,
    run: () => Promise<void> | undefined,
  ): Promise<void> | undefined {
    const start = this.#clock.monotonic();
    let running: Promise<void> | undefined;
    try {
      running = run();
    } catch (error) {
      this.#ranStep(type, operation, start, true);
      throw error;
    }
    if (running === undefined) {
      this.#ranStep(type, operation, start, false);
      return undefined;
    }
    return running.then(
      () => this.#ranStep(type, operation, start, false),
      (error: unknown) => {
        this.#ranStep(type, operation, start, true);
        throw error;
      },
    );
  }

  #ranPlugin(
    { name }: AdmissionPlugin,
    type: StepType,
    operation: Operation,
    start: number,
    rejected: boolean,
  ): void {
    const seconds = (this.#clock.monotonic() - start) / 1000;
    this.#observer.plugin({ name, type, operation, rejected, seconds });
  }

  #ranStep(type: StepType, operation: Operation, start: number, rejected: boolean): void {
    const seconds = (this.#clock.monotonic() - start) / 1000;
    this.#observer.step({ type, operation, rejected, seconds });
  }
}

function after(
  first: Promise<void> | undefined,
  next: () => Promise<void> | undefined,
): Promise<void> | undefined {
  return first === undefined ? next() : first.then(next);
}
