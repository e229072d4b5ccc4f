import { apiError, forbidden, notFound } from '../../api/api-error.ts';
import type { GroupResource } from '../../api/group-version.ts';
import { isNamespace, type AdmissionAttributes, type Operation } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import type { NamespaceReader, NamespaceState } from '../namespaces.ts';

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };

/**
 * Nothing is created in a namespace that does not exist or is on its way out,
 * and the namespaces that the server itself needs are not deleted (behaviours
 * 9.2). Before anything is refused the namespace is looked up in the
 * store: it may have been created, or made again, a moment ago through another
 * server.
 */
export class NamespaceLifecycle implements AdmissionPlugin {
  readonly name = 'NamespaceLifecycle';
  readonly #reader: NamespaceReader;
  readonly #immortal: ReadonlySet<string>;

  constructor(reader: NamespaceReader, immortal: Iterable<string>) {
    this.#reader = reader;
    this.#immortal = new Set(immortal);
  }

  handles(operation: Operation, attributes: AdmissionAttributes): boolean {
    return isNamespace(attributes)
      ? operation === 'DELETE'
      : attributes.namespace !== '' && operation !== 'DELETE';
  }

  mutate(attributes: AdmissionAttributes): Promise<void> | undefined {
    const { name, namespace } = attributes;
    if (isNamespace(attributes)) {
      if (!this.#immortal.has(name)) return undefined;
      throw forbidden(NAMESPACES, name, 'this namespace may not be deleted');
    }
    if (refusal(attributes, this.#reader.cached(namespace)) === undefined) return undefined;
    return this.#reader.live(namespace).then((found) => {
      const refused = refusal(attributes, found);
      if (refused !== undefined) throw refused;
    });
  }
}

function refusal(
  { operation, resource, name, namespace }: AdmissionAttributes,
  state: NamespaceState | undefined,
): Error | undefined {
  if (state === undefined) return namespaceNotFound(namespace);
  return operation === 'CREATE' && state.terminating
    ? namespaceTerminating({ resource, name, namespace })
    : undefined;
}

/** The 404 of a create in a namespace that does not exist. */
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
