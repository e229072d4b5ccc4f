import { methodNotAllowed, notFound } from '../../api/api-error.ts';
import { list } from '../../registry/list.ts';
import { listOptionsFrom } from '../../registry/list-options.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { ageColumn, nameColumn } from '../../resources/columns.ts';
import { coreEventOf } from '../../resources/events/core-event.ts';
import { CORE_EVENT_FIELDS } from '../../resources/events/event.ts';
import { encodeServed } from '../../storage/stored-bytes.ts';
import { jsonResponse, type ApiResponse } from '../../http/message.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { RequestInfo } from '../../http/request-info.ts';
import { respondItems } from '../../wire/respond-list.ts';

/** Kinds of the core group that clients list without asking whether they are served. */
const NEVER_THERE: Readonly<Record<string, string>> = { pods: 'PodList', services: 'ServiceList' };
const EVENTS = 'events';

/**
 * What kubectl lists in the core group whatever discovery says, to read only:
 * events (`kubectl events`, and the end of `kubectl describe`), and pods and
 * services, which are always empty (`kubectl describe node` fails without
 * them). Authorized like any resource of the core group (behaviours 1.15).
 */
export class CoreViews {
  readonly #parts: RegistryParts;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** Undefined: no path of these. @throws ApiError 404, 405 (as rejection) */
  route(exchange: Exchange): Promise<ApiResponse> | undefined {
    return isView(exchange.info) ? this.#answer(exchange) : undefined;
  }

  async #answer(exchange: Exchange): Promise<ApiResponse> {
    const { verb, resource, name } = exchange.info;
    const groupResource = { group: '', resource };
    if (verb === 'get') throw notFound(groupResource, name);
    if (verb !== 'list') throw methodNotAllowed(groupResource, verb);
    return resource === EVENTS ? this.#events(exchange) : this.#nothing(exchange);
  }

  async #nothing(exchange: Exchange): Promise<ApiResponse> {
    const { freshness } = this.#parts.reader;
    const { revision } = await freshness.fresh(exchange);
    return jsonResponse(200, {
      kind: NEVER_THERE[exchange.info.resource],
      apiVersion: 'v1',
      metadata: { resourceVersion: String(revision) },
      items: [],
    });
  }

  async #events(exchange: Exchange): Promise<ApiResponse> {
    const { info, request } = exchange;
    const { catalog, clock } = this.#parts;
    const resource = asCore(catalog.find('events.cluster.io', 'v1', EVENTS));
    const target = { resource, namespace: info.namespace, name: '' };
    const options = listOptionsFrom(request.query, false);
    const { revision, continueToken, remaining, chunks } = await list(
      this.#parts,
      target,
      options,
      exchange,
    );
    return respondItems(exchange, {
      resource,
      metadata: { revision: String(revision), continueToken, remaining },
      chunks,
      bytesOf: (entry) => encodeServed(coreEventOf(entry.object())),
      clock,
    });
  }
}

function isView({ isResource, group, version, resource, subresource }: RequestInfo): boolean {
  return (
    isResource &&
    group === '' &&
    version === 'v1' &&
    subresource === '' &&
    (resource === EVENTS || Object.hasOwn(NEVER_THERE, resource))
  );
}

/** The stored events, selected by the core Event's fields and shown under its name. */
function asCore(resource: ServedResource | undefined): ServedResource {
  if (resource === undefined) throw new Error('events are not served');
  return {
    ...resource,
    apiVersion: 'v1',
    kind: { group: '', version: 'v1', kind: 'Event' },
    version: {
      ...resource.version,
      selectableFields: CORE_EVENT_FIELDS,
      columns: [nameColumn, ageColumn],
    },
  };
}
