import type { ResourceDefinition } from '../resources/definition.ts';
import { servedResource, type ServedResource } from './served-resource.ts';

/**
 * Every resource that is served at the moment: built-in kinds and established
 * custom resources. Changes as a whole, so that a reader never sees half of a
 * change; whoever keeps something derived from it (discovery, OpenAPI) keeps it
 * by `generation`.
 */
export class Catalog {
  readonly #builtin: readonly ResourceDefinition[];
  #custom: ReadonlyMap<string, ResourceDefinition> = new Map();
  #served = new Map<string, ServedResource>();
  #generation = 0;
  readonly #listeners = new Set<() => void>();

  constructor(builtin: readonly ResourceDefinition[]) {
    this.#builtin = builtin;
    this.#rebuild();
  }

  get generation(): number {
    return this.#generation;
  }

  definitions(): ResourceDefinition[] {
    return [...this.#builtin, ...this.#custom.values()];
  }

  /** Every resource in every served version. */
  served(): IterableIterator<ServedResource> {
    return this.#served.values();
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#served.get(`${group}/${version}/${plural}`);
  }

  /** A resource in whatever version is stored; for loops that work on all kinds. */
  findStored(group: string, plural: string): ServedResource | undefined {
    return this.definitions()
      .filter((definition) => definition.group === group && definition.names.plural === plural)
      .map(storedResource)[0];
  }

  /** The resource that a kind names, as in ownerReferences and apiVersion/kind of a body. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    for (const served of this.#served.values()) {
      const { kind: k } = served;
      if (k.kind === kind && k.group === group && k.version === version) return served;
    }
    return undefined;
  }

  hasGroup(group: string): boolean {
    return this.definitions().some((definition) => definition.group === group);
  }

  /** Replaces all custom resources, by `<plural>.<group>`. */
  setCustom(custom: ReadonlyMap<string, ResourceDefinition>): void {
    this.#custom = custom;
    this.#rebuild();
    for (const listener of this.#listeners) listener();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #rebuild(): void {
    const served = new Map<string, ServedResource>();
    for (const definition of this.definitions()) {
      for (const version of definition.versions) {
        if (!version.served) continue;
        const resource = servedResource(definition, version);
        const key = `${definition.group}/${version.name}/${definition.names.plural}`;
        // An unchanged definition keeps its resource, and with it every view that is cached by it.
        const before = this.#served.get(key);
        served.set(key, before?.version === version ? { ...before, definition } : resource);
      }
    }
    this.#served = served;
    this.#generation++;
  }
}

/** The resource in its storage version, whether that is served or not. */
export function storedResource(definition: ResourceDefinition): ServedResource {
  const version = definition.versions.find(({ name }) => name === definition.storageVersion);
  if (version === undefined) {
    throw new Error(`${definition.names.plural} has no storage version`);
  }
  return servedResource(definition, version);
}
