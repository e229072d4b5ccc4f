import { apiError } from '../../api/api-error.ts';
import type { Clock } from '../../api/clock.ts';
import { MEDIA_TYPE } from '../../api/naming.ts';
import type { Discovery } from '../discovery.ts';
import {
  CachedDocument,
  conditionalResponse,
  documentResponse,
  hashOf,
  keptDocument,
  type KeptDocument,
  unchangedResponse,
} from '../document.ts';
import type { DiscoveredGroup } from '../groups.ts';
import { textResponse, type ApiRequest, type ApiResponse } from '../../http/message.ts';
import { acceptsType, parseAccept } from '../../wire/accept-header.ts';
import { notAcceptable } from '../../wire/negotiate.ts';
import { DocumentCache } from './document-cache.ts';
import { documentV3 } from './document-v3.ts';
import { pauses } from './pauses.ts';
import { NO_REMOTE_SCHEMAS, type RemoteSchemas, type RemoteSchemaV2 } from './remote-schemas.ts';
import { publishedVersions, type PublishedVersion } from './published-versions.ts';

interface OpenApiOptions {
  readonly discovery: Discovery;
  readonly clock: Clock;
  /** Documents of other servers; absent: there are none. */
  readonly remote?: RemoteSchemas;
}

/** A document as it is answered. */
interface Published {
  readonly path: string;
  readonly hash: string;
  readonly document: () => Promise<KeptDocument> | KeptDocument;
}

const ROOT = '/openapi/v3';
const YEAR_MS = 365 * 24 * 3600 * 1000;

/**
 * `/openapi/v3`: an index, and a document per group and version. A document is
 * made when it is first asked for; the index names it by a hash that custom
 * resources have without being looked into, so that a thousand CRDs cost a
 * thousand small hashes. Source: behaviours 1.8.
 */
export class OpenApiV3 {
  readonly #discovery: Discovery;
  readonly #clock: Clock;
  readonly #remote: RemoteSchemas;
  readonly #documents = new DocumentCache<PublishedVersion>();
  /** Hashes of documents that had to be made to be hashed. */
  readonly #hashes = new WeakMap<PublishedVersion, string>();
  #groups: readonly DiscoveredGroup[] = [];
  #versions: ReadonlyMap<string, PublishedVersion> = new Map();
  #index: CachedDocument | undefined;

  constructor({ discovery, clock, remote = NO_REMOTE_SCHEMAS }: OpenApiOptions) {
    this.#discovery = discovery;
    this.#clock = clock;
    this.#remote = remote;
  }

  paths(): string[] {
    const remote = this.#remote.schemas().map(({ path }) => path);
    return [ROOT, ...[...this.versions().keys(), ...remote].map((path) => `${ROOT}/${path}`)];
  }

  /** What of other servers belongs into the documents of OpenAPI 2. */
  remoteV2(): readonly RemoteSchemaV2[] {
    return this.#remote.schemasV2();
  }

  /** What is published at this moment, by its place below `/openapi/v3`. */
  versions(): ReadonlyMap<string, PublishedVersion> {
    const groups = this.#discovery.groups();
    if (groups !== this.#groups) {
      this.#groups = groups;
      this.#versions = publishedVersions(groups, this.#versions);
      this.#index = undefined;
    }
    return this.#versions;
  }

  /** The name of the content of a document: changes when the document does. */
  async hash(version: PublishedVersion): Promise<string> {
    const known = version.fingerprint ?? this.#hashes.get(version);
    if (known !== undefined) return known;
    await this.#document(version);
    return this.#hashes.get(version) as string;
  }

  /**
   * Answers the index and the documents; undefined for other paths and for
   * versions that are not published here.
   *
   * @throws ApiError 405, 406 (also as rejection)
   */
  handle(request: ApiRequest): Promise<ApiResponse> | undefined {
    const path = request.rawPath.replace(/\/$/, '');
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined;
    const place = path.slice(ROOT.length + 1);
    const version = this.versions().get(place);
    const remote = this.#remote.schemas().find((schema) => schema.path === place);
    if (path !== ROOT && version === undefined && remote === undefined) return undefined;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw apiError(405, 'MethodNotAllowed', 'schemas can only be read', {});
    }
    if (remote !== undefined)
      return this.#answer(request, {
        ...remote,
        document: () => ({ bytes: remote.bytes, isCompressed: false }),
      });
    return version === undefined ? this.#answerIndex(request) : this.#answerOwn(request, version);
  }

  async #answerOwn(request: ApiRequest, version: PublishedVersion): Promise<ApiResponse> {
    requireJson(request);
    const hash = await this.hash(version);
    const document = (): Promise<KeptDocument> => this.#document(version);
    return this.#answer(request, { path: version.path, hash, document });
  }

  async #answerIndex(request: ApiRequest): Promise<ApiResponse> {
    const versions = this.#versions;
    let index = this.#index;
    if (index === undefined) {
      const paths: Record<string, { serverRelativeURL: string }> = {};
      for (const [path, version] of versions) {
        paths[path] = { serverRelativeURL: urlOf(version.path, await this.hash(version)) };
      }
      for (const { path, hash } of this.#remote.schemas()) {
        paths[path] = { serverRelativeURL: urlOf(path, hash) };
      }
      index = new CachedDocument(MEDIA_TYPE.json, `${JSON.stringify({ paths })}\n`);
      // The catalog may have changed while the hashes were made.
      if (versions === this.#versions) this.#index = index;
    }
    return conditionalResponse(request, index);
  }

  async #answer(request: ApiRequest, { path, hash, document }: Published): Promise<ApiResponse> {
    requireJson(request);
    const asked = request.query.get('hash') ?? '';
    if (asked !== '' && asked !== hash) return moved(urlOf(path, hash));
    const headers = {
      vary: 'Accept',
      // Under its hash the document is the same for ever.
      ...(asked === ''
        ? {}
        : { 'cache-control': 'public, immutable', expires: this.#date(YEAR_MS) }),
    };
    const unchanged = unchangedResponse(request, hash, headers);
    if (unchanged !== undefined) return unchanged;
    const answered = { contentType: MEDIA_TYPE.json, ...(await document()) };
    return documentResponse(request, answered, { etag: `"${hash}"`, ...headers });
  }

  #document(version: PublishedVersion): Promise<KeptDocument> {
    return this.#documents.get(version, async () => {
      const text = await documentV3(version, version.resources, pauses(this.#clock));
      const bytes = Buffer.from(text);
      if (version.fingerprint === undefined) this.#hashes.set(version, hashOf(bytes));
      return keptDocument(bytes);
    });
  }

  #date(fromNowMs: number): string {
    return new Date(this.#clock.now() + fromNowMs).toUTCString();
  }
}

function urlOf(path: string, hash: string): string {
  return `${ROOT}/${path}?hash=${hash}`;
}

function moved(location: string): ApiResponse {
  const { headers, body } = textResponse(301, 'Moved Permanently\n');
  return { status: 301, headers: { ...headers, location, vary: 'Accept' }, body };
}

/** Clients of these documents read JSON; the protobuf form is offered for OpenAPI 2 alone. */
function requireJson({ headers: { accept = '' } }: ApiRequest): void {
  const clauses = parseAccept(accept === '' ? '*/*' : accept);
  if (clauses.some((clause) => acceptsType(clause, MEDIA_TYPE.json))) return;
  throw notAcceptable(`only the following media types are accepted: ${MEDIA_TYPE.json}`);
}
