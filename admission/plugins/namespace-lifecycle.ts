import { apiError, forbidden, notFound } from '../../api/api-error.ts';
import type { GroupResource } from '../../api/group-version.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';

/** What the plugin asks of the registry. */
export interface NamespaceReader {
  /** From the replica: quick, and perhaps behind. */
  cached(name: string): NamespaceState | undefined;
  /** From the store itself. */
  live(name: string): Promise<NamespaceState | undefined>;
}

export interface NamespaceState {
  readonly terminating: boolean;
}

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };

/**
 * Nothing is created in a namespace that does not exist or is on its way out,
 * and the namespaces that the server itself needs are not deleted (behaviours
 * 9.2). A namespace that the replica does not know is looked up in the store,
 * because it may have been created a moment ago through another server.
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #reader: NamespaceReader;
  readonly #immortal: ReadonlySet<string>;

  constructor(reader: NamespaceReader, immortal: Iterable<string>) {
    this.#reader = reader;
    this.#immortal = new Set(immortal);
  }

  handles(): boolean {
    return true;
  }

  async mutate(attributes: AdmissionAttributes): Promise<boolean> {
    const { operation, resource, name, namespace } = attributes;
    if (resource.group === '' && resource.resource === 'namespaces') {
      if (operation === 'DELETE' && this.#immortal.has(name)) {
        throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
      }
      return false;
    }
    if (namespace === '' || operation === 'DELETE') return false;
    const state = this.#reader.cached(namespace) ?? (await this.#reader.live(namespace));
    if (state === undefined) throw namespaceNotFound(namespace);
    if (operation === 'CREATE' && state.terminating) {
      throw namespaceTerminating({ resource, name, namespace });
    }
    return false;
  }
}

export function namespaceNotFound(namespace: string): Error {
  return notFound(NAMESPACES, namespace);
}

/** What is to be created, and where. */
interface Refused {
  readonly resource: GroupResource;
  readonly name: string;
  readonly namespace: string;
}

/** 403 with the cause by which clients know that the namespace is going (behaviours 9.2). */
export function namespaceTerminating({ resource, name, namespace }: Refused): Error {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = forbidden(resource, name, why);
  return apiError(403, 'Forbidden', status.message ?? '', {
    ...status.details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
