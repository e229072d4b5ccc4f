import type { AdmissionAttributes, Operation } from './attributes.ts';

/**
 * One link of the chain. A plugin refuses by throwing an ApiError. `mutate` may
 * change `attributes.object` and says whether it did; `validate` changes nothing.
 */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: Operation): boolean;
  mutate?(attributes: AdmissionAttributes, pass: MutationPass): Promise<boolean>;
  validate?(attributes: AdmissionAttributes): Promise<void>;
}

export interface MutationPass {
  /** True in the second round, which runs only when a later plugin changed the object. */
  readonly reinvocation: boolean;
  /**
   * Brings the object into the form that the next plugin and the store expect
   * (decoded, defaulted, pruned); to be called after every change from outside.
   */
  readonly normalise: (attributes: AdmissionAttributes) => void;
}

/** Admission in order: every mutating plugin, once more if needed, then every validating one. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins;
  }

  /** Cheap test that lets verbs skip the preparation of attributes. */
  handles(operation: Operation): boolean {
    return this.#plugins.some((plugin) => plugin.handles(operation));
  }

  async mutate(
    attributes: AdmissionAttributes,
    normalise: MutationPass['normalise'],
  ): Promise<void> {
    const plugins = this.#plugins.filter((plugin) => plugin.handles(attributes.operation));
    let lastChange = -1;
    for (const [i, plugin] of plugins.entries()) {
      const changed = await plugin.mutate?.(attributes, { reinvocation: false, normalise });
      if (changed === true) lastChange = i;
    }
    // Plugins before the last one that changed something have seen an older object.
    for (const plugin of plugins.slice(0, Math.max(lastChange, 0))) {
      await plugin.mutate?.(attributes, { reinvocation: true, normalise });
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate !== undefined && plugin.handles(attributes.operation)) {
        await plugin.validate(attributes);
      }
    }
  }
}
