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
    const round = (): Promise<void> | undefined =>
      this.#inTurn(this.#mutating, attributes, 'admit', (plugin) =>
        plugin.mutate?.(attributes, pass),
      );
    return this.#observed(attributes, 'admit', () =>
      after(round(), () => (pass.beginSecond() ? round() : undefined)),
    );
  }

  /** @throws ApiError (also as rejection) */
  validate(attributes: AdmissionAttributes): Promise<void> | undefined {
    return this.#observed(attributes, 'validate', () =>
      this.#inTurn(this.#validating, attributes, 'validate', (plugin) =>
        plugin.validate?.(attributes),
      ),
    );
  }

  #inTurn(
    plugins: readonly AdmissionPlugin[],
    attributes: AdmissionAttributes,
    type: string,
    turn: Turn,
    from = 0,
  ): Promise<void> | undefined {
    for (let i = from; i < plugins.length; i++) {
      const plugin = plugins[i] as AdmissionPlugin;
      if (!plugin.handles(attributes.operation, attributes)) continue;
      const running = this.#observed(attributes, type, () => turn(plugin), plugin.name);
      if (running !== undefined) {
        return running.then(() => this.#inTurn(plugins, attributes, type, turn, i + 1));
      }
    }
    return undefined;
  }

  /** Measures a step, or a plugin when there is a name. */
  #observed(
    { operation }: AdmissionAttributes,
    type: string,
    run: () => Promise<unknown> | undefined,
    name?: string,
  ): Promise<void> | undefined {
    const start = this.#clock.monotonic();
    const done = (rejected: boolean): void => {
      const seconds = (this.#clock.monotonic() - start) / 1000;
      if (name === undefined) this.#observer.step({ type, operation, rejected, seconds });
      else this.#observer.plugin({ name, type, operation, rejected, seconds });
    };
    let running: Promise<unknown> | undefined;
    try {
      running = run();
    } catch (error) {
      done(true);
      throw error;
    }
    if (running === undefined) {
      done(false);
      return undefined;
    }
    return finished(running, done);
  }
}

async function finished(
  running: Promise<unknown>,
  done: (rejected: boolean) => void,
): Promise<void> {
  try {
    await running;
  } catch (error) {
    done(true);
    throw error;
  }
  done(false);
}

function after(
  first: Promise<void> | undefined,
  next: () => Promise<void> | undefined,
): Promise<void> | undefined {
  return first === undefined ? next() : first.then(next);
}
