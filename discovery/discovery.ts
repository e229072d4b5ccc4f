import { apiError, unknownResource } from '../api/api-error.ts';
import type { JsonObject } from '../api/json.ts';
import type { KubernetesNames } from '../api/naming.ts';
import type { Catalog } from '../registry/catalog.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { aliasGroups, neutralGroups } from './alias-groups.ts';
import { CachedDocument, conditionalResponse, documentResponse } from './document.ts';
import { discoverGroups, type DiscoveredGroup } from './groups.ts';
import {
  apiGroup,
  apiGroupDiscoveryList,
  apiGroupList,
  apiResourceList,
  apiVersions,
} from './lists.ts';
import { chooseEitherFormat, choosePlainFormat, type DiscoveryFormat } from './negotiate.ts';
import { discoveryProtobuf } from './protobuf.ts';
import { NO_REGISTRATIONS, type Registrations } from './registrations.ts';
import { yamlText } from '../yaml/emit.ts';

interface DiscoveryOptions {
  readonly catalog: Catalog;
  /** What APIService objects say; absent as long as there are none. */
  readonly registrations?: Registrations;
  /** `host:port` under which clients reach this server. */
  readonly serverAddress: () => string;
  /** Absent: off. */
  readonly kubernetesNames?: KubernetesNames;
}

/**
 * Tells clients what is served: `/api`, `/apis` and the documents of groups and
 * versions, plain and aggregated. Documents are made when they are first asked
 * for and kept until the catalog or the registrations change.
 */
export class Discovery {
  readonly #catalog: Catalog;
  readonly #registrations: Registrations;
  readonly #serverAddress: () => string;
  readonly #kubernetesNames: KubernetesNames;
  readonly #documents = new Map<string, CachedDocument>();
  #groups: readonly DiscoveredGroup[] = [];
  #byName: ReadonlyMap<string, DiscoveredGroup> = new Map();
  /** Of what `#groups` was made from. */
  #generation = -1;
  #registered = -1;

  constructor(options: DiscoveryOptions) {
    this.#catalog = options.catalog;
    this.#registrations = options.registrations ?? NO_REGISTRATIONS;
    this.#serverAddress = options.serverAddress;
    this.#kubernetesNames = options.kubernetesNames ?? 'off';
  }

  /** All groups in the order of preference; aliases that are listed come last. */
  groups(): readonly DiscoveredGroup[] {
    const { generation } = this.#catalog;
    const { generation: registered } = this.#registrations;
    if (generation !== this.#generation || registered !== this.#registered) {
      const all = discoverGroups(this.#catalog.served(), this.#registrations.list());
      const aliases = this.#kubernetesNames === 'off' ? [] : aliasGroups(all);
      const groups = neutralGroups(all);
      this.#byName = new Map([...groups, ...aliases].map((group) => [group.name, group]));
      this.#groups = this.#kubernetesNames === 'listed' ? [...groups, ...aliases] : groups;
      this.#documents.clear();
      this.#generation = generation;
      this.#registered = registered;
    }
    return this.#groups;
  }

  hasGroup(group: string): boolean {
    this.groups();
    return this.#byName.has(group);
  }

  /** The paths of discovery, for the index at `/`. */
  paths(): string[] {
    const paths = ['/api', '/apis', '/apis/'];
    for (const { name, versions } of this.groups()) {
      const root = name === '' ? '/api' : `/apis/${name}`;
      if (name !== '') paths.push(root);
      for (const { version } of versions) paths.push(`${root}/${version}`);
    }
    return paths;
  }

  /**
   * Answers a path of discovery. Undefined for any other path, for unknown
   * groups, and for versions that another server answers for.
   *
   * @throws ApiError 404 for an unknown version of a known group, 405, 406
   */
  handle(request: ApiRequest): ApiResponse | undefined {
    const [root, ...rest] = pathSegments(request.rawPath) ?? [];
    if (root === 'api' && rest.length <= 1) {
      return this.#answer(request, () => this.#core(request, rest[0]));
    }
    if (root !== 'apis' || rest.length > 2) return undefined;
    const [group, version] = rest;
    if (group === undefined) return this.#answer(request, () => this.#allGroups(request));
    const found = group === '' ? undefined : this.#find(group);
    if (found === undefined) return undefined;
    if (isRemote(found, version)) return undefined;
    return this.#answer(request, () => this.#group(request, found, version));
  }

  #find(name: string): DiscoveredGroup | undefined {
    this.groups();
    return this.#byName.get(name);
  }

  #answer(request: ApiRequest, make: () => ApiResponse): ApiResponse {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw apiError(
        405,
        'MethodNotAllowed',
        'the server does not allow this method on the requested resource',
        {},
      );
    }
    return make();
  }

  #core(request: ApiRequest, version: string | undefined): ApiResponse {
    const core = this.#find('');
    if (version !== undefined) {
      if (core === undefined) throw unknownResource();
      return this.#group(request, core, version);
    }
    const format = chooseEitherFormat(request);
    if (format.aggregated !== undefined) {
      return this.#aggregated(request, format, 'core', core === undefined ? [] : [core]);
    }
    const address = this.#serverAddress();
    return this.#plain(request, format, `/api ${address}`, () => apiVersions(address));
  }

  #allGroups(request: ApiRequest): ApiResponse {
    const format = chooseEitherFormat(request);
    const groups = this.groups();
    if (format.aggregated !== undefined) {
      return this.#aggregated(
        request,
        format,
        'groups',
        groups.filter(({ name }) => name !== ''),
      );
    }
    return this.#plain(request, format, '/apis', () => apiGroupList(groups));
  }

  #group(request: ApiRequest, group: DiscoveredGroup, name: string | undefined): ApiResponse {
    const version = group.versions.find((v) => v.version === name);
    const isEmpty = version?.resources.length === 0;
    if (name !== undefined && (version === undefined || isEmpty)) throw unknownResource();
    const format = choosePlainFormat(request);
    return version === undefined
      ? this.#plain(request, format, group.name, () => apiGroup(group))
      : this.#plain(request, format, `${group.name}/${version.version}`, () =>
          apiResourceList(group.name, version),
        );
  }

  #plain(
    request: ApiRequest,
    format: DiscoveryFormat,
    key: string,
    make: () => JsonObject,
  ): ApiResponse {
    return documentResponse(request, this.#document(format, key, make));
  }

  /** Source: behaviours 1.5. */
  #aggregated(
    request: ApiRequest,
    format: DiscoveryFormat,
    key: string,
    groups: readonly DiscoveredGroup[],
  ): ApiResponse {
    const apiVersion = format.aggregated ?? '';
    const document = this.#document(format, key, () => apiGroupDiscoveryList(apiVersion, groups));
    return conditionalResponse(request, document, { vary: 'Accept', 'cache-control': 'public' });
  }

  #document(format: DiscoveryFormat, key: string, make: () => JsonObject): CachedDocument {
    const cacheKey = `${format.contentType} ${format.pretty} ${key}`;
    let document = this.#documents.get(cacheKey);
    if (document === undefined) {
      document = new CachedDocument(format.contentType, bytesOf(make(), format));
      this.#documents.set(cacheKey, document);
    }
    return document;
  }
}

function isRemote(group: DiscoveredGroup, version: string | undefined): boolean {
  return group.versions.some((v) => v.version === version && v.remote !== undefined);
}

function bytesOf(value: JsonObject, { format, pretty }: DiscoveryFormat): string | Buffer {
  if (format === 'protobuf') return discoveryProtobuf(value);
  if (format === 'yaml') return yamlText(value);
  return `${JSON.stringify(value, undefined, pretty ? 2 : undefined)}\n`;
}

/**
 * The segments of a path, decoded; one slash at its end does not count.
 * Undefined when a segment is empty or its percent-encoding is broken: such a
 * path names nothing.
 */
function pathSegments(rawPath: string): readonly string[] | undefined {
  const parts = rawPath.split('/').slice(1);
  if (parts.at(-1) === '') parts.pop();
  if (parts.includes('')) return undefined;
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
