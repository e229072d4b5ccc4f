import type { GroupVersionResource } from '../api/group-version.ts';
import { definitionGroups, neutralGroup } from '../api/naming.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import { servedResource, type ServedResource } from './served-resource.ts';

/**
 * Every resource that is served at the moment: built-in kinds and established
 * custom resources. Changes as a whole, so that a reader never sees half of a
 * change; what is derived from it (discovery, OpenAPI) is kept
 * by `generation`.
 */
export class Catalog {
  readonly #builtin: readonly ResourceDefinition[];
  readonly #custom = new Map<string, ResourceDefinition>();
  readonly #served = new Map<string, ServedResource>();
  #generation = 0;
  /** What {@link current} was asked last, and its answer; long reads ask the same for each object. */
  #lastAsked: ServedResource | undefined;
  #lastCurrent: ServedResource | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #endListeners = new Map<string, Set<() => void>>();

  constructor(builtin: readonly ResourceDefinition[]) {
    this.#builtin = builtin;
    for (const definition of builtin) this.#serve(undefined, definition);
  }

  get generation(): number {
    return this.#generation;
  }

  definitions(): ResourceDefinition[] {
    const custom = [...this.#custom.values()];
    const isTaken = (view: ResourceDefinition): boolean =>
      view.givesWay === true && custom.some((definition) => isSameResource(definition, view));
    return [...this.#builtin.filter((definition) => !isTaken(definition)), ...custom];
  }

  /** Every resource in every served version. */
  served(): IterableIterator<ServedResource> {
    return this.#served.values();
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#served.get(keyOf(group, version, plural));
  }

  /** What the resource has become: the same object unless its definition has changed; undefined: it is served no more. */
  current(asked: ServedResource): ServedResource | undefined {
    if (asked === this.#lastAsked) return this.#lastCurrent;
    const now = this.#served.get(keyOfResource(asked.resource));
    const isSame = now?.definition.custom?.uid === asked.definition.custom?.uid;
    this.#lastAsked = asked;
    this.#lastCurrent = isSame ? now : undefined;
    return this.#lastCurrent;
  }

  isBuiltin(group: string, plural: string): boolean {
    return this.#builtin.some(
      (d) => d.group === group && d.names.plural === plural && d.givesWay !== true,
    );
  }

  /** A resource in whatever version is stored; for loops that work on all kinds. */
  findStored(group: string, plural: string): ServedResource | undefined {
    const builtin = this.#builtin.find((d) => d.group === group && d.names.plural === plural);
    const definition =
      builtin === undefined || builtin.givesWay === true
        ? (this.#findCustom(group, plural) ?? builtin)
        : builtin;
    return definition === undefined ? undefined : storedResource(definition);
  }

  #findCustom(group: string, plural: string): ResourceDefinition | undefined {
    const names = definitionGroups(group).map((name) => `${plural}.${name}`);
    return names.map((name) => this.#custom.get(name)).find((found) => found !== undefined);
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

  /** Makes these all custom resources there are, by `<plural>.<group>`. */
  setCustom(custom: ReadonlyMap<string, ResourceDefinition>): void {
    const changes = new Map<string, ResourceDefinition | undefined>();
    for (const name of this.#custom.keys()) if (!custom.has(name)) changes.set(name, undefined);
    for (const [name, definition] of custom) changes.set(name, definition);
    this.changeCustom(changes);
  }

  /**
   * Replaces custom resources, by `<plural>.<group>`; undefined takes one away.
   * Costs what has changed, however many there are.
   */
  changeCustom(changes: ReadonlyMap<string, ResourceDefinition | undefined>): void {
    const ended: string[] = [];
    for (const [name, definition] of changes) {
      const before = this.#custom.get(name);
      if (before === definition) continue;
      if (definition === undefined) this.#custom.delete(name);
      else this.#custom.set(name, definition);
      ended.push(...this.#serve(before, definition));
    }
    this.#generation++;
    this.#lastAsked = undefined;
    for (const listener of this.#listeners) listener();
    for (const key of ended) {
      for (const listener of this.#endListeners.get(key) ?? []) listener();
    }
  }

  /** Called after every change, before those who wait for the end of a resource. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Called once the resource is served no more: its definition is gone, or its version is not served. */
  onEnd({ resource }: ServedResource, listener: () => void): () => void {
    const key = keyOfResource(resource);
    const listeners = this.#endListeners.get(key) ?? new Set();
    this.#endListeners.set(key, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#endListeners.delete(key);
    };
  }

  /** Keys of resources that end with it, because they are gone or those of another definition now. */
  #serve(before: ResourceDefinition | undefined, after: ResourceDefinition | undefined): string[] {
    const next = new Map<string, ServedResource>();
    const view = this.#builtin.find(
      (d) => d.givesWay === true && isSameResource(d, after ?? before),
    );
    // A definition takes the place of a view, all versions of it, once it serves any.
    const isTaken = after?.versions.some(({ served }) => served) === true;
    for (const definition of isTaken ? [after] : [view, after]) {
      for (const version of definition?.versions ?? []) {
        if (definition === undefined || !version.served) continue;
        const resource = servedResource(definition, version);
        next.set(keyOfResource(resource.resource), resource);
      }
    }
    const keys = [before, view].flatMap((definition) =>
      (definition?.versions ?? []).map(({ name }) =>
        keyOf(definition?.group ?? '', name, definition?.names.plural ?? ''),
      ),
    );
    const ended = [...new Set(keys)].filter((key) => {
      const was = this.#served.get(key)?.definition.custom?.uid;
      return (
        this.#served.has(key) && (!next.has(key) || next.get(key)?.definition.custom?.uid !== was)
      );
    });
    for (const key of keys) this.#served.delete(key);
    for (const [key, resource] of next) this.#served.set(key, resource);
    return ended;
  }
}

function isSameResource(a: ResourceDefinition, b: ResourceDefinition | undefined): boolean {
  return a.group === b?.group && a.names.plural === b.names.plural;
}

/** Both names of a group mean the same resources. */
function keyOfResource({ group, version, resource }: GroupVersionResource): string {
  return keyOf(neutralGroup(group), version, resource);
}

function keyOf(group: string, version: string, plural: string): string {
  return `${group}/${version}/${plural}`;
}

/** The resource in its storage version, whether that is served or not. */
export function storedResource(definition: ResourceDefinition): ServedResource {
  const version = definition.versions.find(({ name }) => name === definition.storageVersion);
  if (version === undefined) {
    throw new Error(`${definition.names.plural} has no storage version`);
  }
  return servedResource(definition, version);
}
