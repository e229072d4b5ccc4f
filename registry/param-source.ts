import type { ApiObject } from '../api/object.ts';
import type { ParamObjects, ParamSource } from '../admission/policies/params.ts';
import { deepFreeze } from '../api/freeze.ts';
import { parseApiVersion } from '../api/group-version.ts';
import { neutralApiVersion } from '../api/naming.ts';
import { relativeKey } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import type { Replica } from '../watch/replica.ts';
import type { Catalog } from './catalog.ts';
import type { ServedResource } from './served-resource.ts';
import type { Views } from './views.ts';

interface ParamSourceParts {
  readonly catalog: Catalog;
  readonly views: Views;
  readonly replica: Replica;
}

/** Parameters of policies, from this server's replica. `parts`: asked for when there is a request. */
export function paramSource(parts: () => ParamSourceParts): ParamSource {
  const known = new WeakMap<ServedResource, ServedParams>();
  return ({ apiVersion = '', kind = '' }) => {
    const { catalog } = parts();
    const type = parseApiVersion(neutralApiVersion(apiVersion));
    const resource = type && catalog.findKind(type.group, type.version, kind);
    if (resource === undefined) return undefined;
    const params = known.get(resource) ?? new ServedParams(parts(), resource);
    known.set(resource, params);
    return params;
  };
}

class ServedParams implements ParamObjects {
  readonly namespaced: boolean;
  readonly #parts: ParamSourceParts;
  readonly #resource: ServedResource;
  /** Policies are evaluated far more often than parameters change. */
  readonly #parsed = new WeakMap<Entry, Promise<ApiObject>>();

  constructor(parts: ParamSourceParts, resource: ServedResource) {
    this.#parts = parts;
    this.#resource = resource;
    this.namespaced = resource.definition.namespaced;
  }

  async get(namespace: string, name: string): Promise<ApiObject | undefined> {
    const { replica } = this.#parts;
    const { items } = replica.collection(this.#resource.prefix);
    const entry = items.get(relativeKey(namespace, name));
    return entry && this.#object(entry);
  }

  list(
    namespace: string,
    selector: Parameters<ParamObjects['list']>[1],
  ): Promise<readonly ApiObject[]> {
    const { items } = this.#parts.replica.collection(this.#resource.prefix);
    const within = namespace === '' ? '' : `${namespace}/`;
    const found: Promise<ApiObject>[] = [];
    for (const entry of items.range(within)) {
      if (!entry.key.startsWith(within)) break;
      if (selector.matches(entry.labels)) found.push(this.#object(entry));
    }
    return Promise.all(found);
  }

  #object(entry: Entry): Promise<ApiObject> {
    let parsed = this.#parsed.get(entry);
    if (parsed === undefined) {
      parsed = this.#read(entry);
      this.#parsed.set(entry, parsed);
      // a conversion that failed is tried again
      parsed.catch(() => this.#parsed.delete(entry));
    }
    return parsed;
  }

  async #read(entry: Entry): Promise<ApiObject> {
    const { views } = this.#parts;
    const object = await views.object(this.#resource, entry);
    const refusal = views.refusal(this.#resource, entry);
    if (refusal !== undefined) throw refusal;
    return deepFreeze(object);
  }
}
