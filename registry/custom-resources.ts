import { isBuiltinGroup, servedGroup } from '../api/naming.ts';
import { isConditionTrue } from '../resources/apiextensions/crd-types.ts';
import { compileCrd, type CompiledCrd } from '../resources/custom/compile.ts';
import { schemaRules, type RuleCompilation } from '../resources/custom/rules.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { Entry } from '../watch/entry.ts';
import { followCollection } from '../watch/follow-collection.ts';
import type { ReadonlyOrderedMap } from '../watch/ordered-map.ts';
import type { Replica } from '../watch/replica.ts';
import type { Catalog } from './catalog.ts';
import { readCrd } from './crd-summary.ts';
import { CRD_PREFIX } from './prefixes.ts';

interface CustomResourcesOptions {
  readonly replica: Replica;
  readonly catalog: Catalog;
  /** Compiles the rules in schemas. */
  readonly rules?: RuleCompilation;
  /** Definitions of {@link isBuiltinGroup} groups are served; absent: they are not. */
  readonly allowBuiltinGroups?: boolean;
  /** Told about definitions that cannot be served. */
  readonly onProblem?: (message: string, error?: unknown) => void;
}

/**
 * Keeps the catalog in step with the definitions in the replica: on every
 * server, within the replica's own step, so that a read that waits for a revision
 * finds what was declared at it. Established definitions are served, also while
 * they are being removed; see {@link CompiledCrd} for what stays the same when
 * one changes.
 */
export class CustomResources {
  readonly #catalog: Catalog;
  readonly #rules: RuleCompilation;
  readonly #allowsBuiltinGroups: boolean;
  readonly #onProblem: (message: string, error?: unknown) => void;
  readonly #compiled = new Map<string, CompiledCrd>();
  /** Ends following the definitions. */
  readonly stop: () => void;

  /** Serves what is there already. */
  constructor(options: CustomResourcesOptions) {
    this.#catalog = options.catalog;
    this.#rules = options.rules ?? schemaRules;
    this.#allowsBuiltinGroups = options.allowBuiltinGroups === true;
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.stop = followCollection(options.replica, CRD_PREFIX, {
      onState: (items) => this.#reload(items),
      onChanges: (names, items) => this.#follow(names, items),
    });
  }

  /** The whole state is another one. */
  #reload(items: ReadonlyOrderedMap<Entry>): void {
    // an older history may have had other content under the same uid and generation
    this.#compiled.clear();
    const served = new Map<string, ResourceDefinition>();
    for (const entry of items.range('')) {
      const definition = this.#compile(entry);
      if (definition !== undefined) served.set(entry.name, definition);
    }
    this.#catalog.setCustom(served);
  }

  #follow(names: ReadonlySet<string>, items: ReadonlyOrderedMap<Entry>): void {
    const changes = new Map<string, ResourceDefinition | undefined>();
    for (const name of names) {
      const entry = items.get(name);
      if (entry === undefined) this.#compiled.delete(name);
      changes.set(name, entry === undefined ? undefined : this.#compile(entry));
    }
    if (changes.size > 0) this.#catalog.changeCustom(changes);
  }

  /** Undefined when the definition is not served. What is damaged must not stop the replica. */
  #compile(entry: Entry): ResourceDefinition | undefined {
    try {
      return this.#compileReadable(entry);
    } catch (error) {
      this.#onProblem(`the definition ${JSON.stringify(entry.name)} cannot be served`, error);
      return undefined;
    }
  }

  #compileReadable(entry: Entry): ResourceDefinition | undefined {
    const crd = readCrd(entry);
    if (!isConditionTrue(crd, 'Established')) return undefined;
    const { group, names } = crd.spec;
    if (this.#catalog.isBuiltin(servedGroup(group), names.plural)) return undefined;
    const before = this.#compiled.get(entry.name);
    const compiled = compileCrd(crd, entry, this.#rules, before);
    this.#compiled.set(entry.name, compiled);
    const isServed = this.#allowsBuiltinGroups || !isBuiltinGroup(group);
    return isServed ? compiled.definition : unserved(compiled.definition);
  }
}

/**
 * A definition that was stored while its group was allowed: objects of it can
 * still be removed together with it, but no path leads to them.
 */
function unserved(definition: ResourceDefinition): ResourceDefinition {
  const versions = definition.versions.map((version) => ({ ...version, served: false }));
  return { ...definition, versions };
}
